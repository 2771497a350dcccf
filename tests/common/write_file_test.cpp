// SPDX-License-Identifier: Apache-2.0
#include "zoo/write_file.hpp"

#include <sys/stat.h>

#include "scratch.hpp"

namespace zoo {
namespace {

namespace fs = std::filesystem;
using testing::expect_error;

class WriteFile : public testing::Scratch {
protected:
    [[nodiscard]] std::string content(std::string_view name) const {
        std::ifstream file(path(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
};

TEST_F(WriteFile, KeepsTheModeOfTheFileThatItReplaces) {
    write("a", "old");
    fs::permissions(path("a"), fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
    write_file(path("a"), "new");
    EXPECT_EQ(content("a"), "new");
    EXPECT_EQ(fs::status(path("a")).permissions(), fs::perms(0640));
}

TEST_F(WriteFile, WritesWhatALinkNames) {
    fs::create_directory(path("below"));
    fs::create_symlink("below/file", path("second"));
    fs::create_symlink("second", path("first"));
    write_file(path("first"), "text");
    EXPECT_TRUE(fs::is_symlink(path("first")));
    EXPECT_TRUE(fs::is_symlink(path("second")));
    EXPECT_EQ(content("below/file"), "text");
    fs::create_symlink("round", path("round"));
    expect_error([&] { write_file(path("round"), "text"); }, {"round", "more than 40 links in a row"});
    EXPECT_TRUE(fs::is_symlink(path("round")));
}

TEST_F(WriteFile, LeavesWhatIsNoFileAlone) {
    ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
    expect_error([&] { write_file(path("pipe"), "text"); }, {"pipe", "is no file that can be replaced"});
    EXPECT_TRUE(fs::is_fifo(path("pipe")));
    expect_error([&] { write_file(directory_, "text"); }, {"is no file that can be replaced"});
}

}  // namespace
}  // namespace zoo
