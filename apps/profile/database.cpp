// SPDX-License-Identifier: Apache-2.0
#include "profile/database.hpp"

#include <sqlite3.h>

#include <system_error>

#include "zoo/error.hpp"

namespace zoo::apps::profile {

namespace {

[[noreturn]] void fail_on(const std::filesystem::path& path, sqlite3* handle) {
    fail("report database", path.string(), ": ", handle == nullptr ? "out of memory" : sqlite3_errmsg(handle));
}

}  // namespace

Database::Database(std::filesystem::path path) : path_(std::move(path)), part_(path_) {
    part_ += ".part";
    std::error_code problem;
    std::filesystem::remove(part_, problem);
    if (sqlite3_open(part_.c_str(), &handle_) != SQLITE_OK) {
        fail_on(path_, handle_);
    }
    execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
}

Database::~Database() {
    for (const auto& [key, statement] : statements_) {
        sqlite3_finalize(statement);
    }
    sqlite3_close(handle_);
    std::error_code problem;
    std::filesystem::remove(part_, problem);  // there only when commit() was not reached
}

void Database::execute(const char* sql) {
    if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) {
        fail_on(path_, handle_);
    }
}

sqlite3_stmt* Database::statement_for(const std::string& table, std::size_t count) {
    for (const auto& [key, statement] : statements_) {
        if (key == table) {
            return statement;
        }
    }
    std::string sql = "INSERT INTO " + table + " VALUES (";
    for (std::size_t i = 0; i < count; ++i) {
        sql += i == 0 ? "?" : ",?";
    }
    sql += ")";
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(handle_, sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
        fail_on(path_, handle_);
    }
    statements_.emplace_back(table, statement);
    return statement;
}

void Database::insert(const std::string& table, const std::vector<Value>& values, bool ranked) {
    sqlite3_stmt* statement = statement_for(table, values.size() + (ranked ? 1 : 0));
    int index = 1;
    for (const Value& value : values) {
        if (const auto* number = std::get_if<std::int64_t>(&value)) {
            sqlite3_bind_int64(statement, index, *number);
        } else if (const auto* real = std::get_if<double>(&value)) {
            sqlite3_bind_double(statement, index, *real);
        } else if (const auto* text = std::get_if<std::string>(&value)) {
            sqlite3_bind_text(statement, index, text->data(), static_cast<int>(text->size()), SQLITE_TRANSIENT);
        } else {
            sqlite3_bind_null(statement, index);
        }
        ++index;
    }
    if (ranked) {
        sqlite3_bind_int64(statement, index, 0);
    }
    if (sqlite3_step(statement) != SQLITE_DONE) {
        fail_on(path_, handle_);
    }
    sqlite3_reset(statement);
}

void Database::commit() {
    execute("COMMIT");
    for (const auto& [key, statement] : statements_) {
        sqlite3_finalize(statement);
    }
    statements_.clear();
    sqlite3_close(handle_);
    handle_ = nullptr;
    std::error_code problem;
    std::filesystem::rename(part_, path_, problem);
    if (problem) {
        fail("report database", "cannot write ", path_.string(), ": ", problem.message());
    }
}

}  // namespace zoo::apps::profile
