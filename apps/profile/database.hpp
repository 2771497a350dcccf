// SPDX-License-Identifier: Apache-2.0
#pragma once

// SQLite with values bound by type, for writing reports.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace zoo::apps::profile {

using Value = std::variant<std::nullptr_t, std::int64_t, double, std::string>;

// A new database, in one transaction: it is there whole once commit() was called, and not at all otherwise.
class Database {
public:
    explicit Database(std::filesystem::path path);
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    void execute(const char* sql);
    // INSERT INTO table VALUES (values...); every table ends with a rank, which is 0 here and not given.
    void insert(const std::string& table, const std::vector<Value>& values, bool ranked = true);
    void commit();

private:
    sqlite3_stmt* statement_for(const std::string& table, std::size_t count);

    std::filesystem::path path_;
    std::filesystem::path part_;
    sqlite3* handle_ = nullptr;
    std::vector<std::pair<std::string, sqlite3_stmt*>> statements_;
};

}  // namespace zoo::apps::profile
