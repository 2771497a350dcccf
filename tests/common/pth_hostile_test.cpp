// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <iterator>

#include "scratch.hpp"
#include "zoo/pth.hpp"
#include "zoo/random.hpp"

namespace zoo {
namespace {

using testing::bytes_of;
using testing::expect_error;

// Instructions of the pickle machine, by their names in Python's pickletools.
std::string global(const std::string& module, const std::string& name) { return "c" + module + "\n" + name + "\n"; }
std::string unicode(const std::string& text) { return "X" + bytes_of(static_cast<std::uint32_t>(text.size())) + text; }
std::string bin_int(std::int32_t value) { return "J" + bytes_of(value); }
std::string put(std::uint8_t slot) { return "q" + bytes_of(slot); }
std::string get(std::uint8_t slot) { return "h" + bytes_of(slot); }
std::string tuple(const std::string& items) { return "(" + items + "t"; }

const std::string kProto = "\x80\x02";

// The stream form around one object: magic number, version, system, object, keys, storages.
std::string stream(const std::string& object, const std::string& keys = "]", const std::string& storages = "") {
    const std::string magic = std::string("\x8a\x0a", 2) + std::string("\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 10);
    return kProto + magic + "." + kProto + "M\xe9\x03." + kProto + "}." + kProto + object + "." + kProto + keys + "." +
           storages;
}

std::string storage(std::int32_t elements, const std::string& type = "FloatStorage", const std::string& key = "0") {
    return tuple(unicode("storage") + global("torch", type) + unicode(key) + unicode("cpu") + bin_int(elements) + "N") +
           "Q";
}

std::string integers(const std::vector<std::int32_t>& values) {
    std::string items;
    for (const std::int32_t value : values) {
        items += bin_int(value);
    }
    return tuple(items);
}

std::string tensor(
    const std::string& storage, std::int32_t offset, const std::vector<std::int32_t>& shape,
    const std::vector<std::int32_t>& stride) {
    return global("torch._utils", "_rebuild_tensor_v2") +
           tuple(storage + bin_int(offset) + integers(shape) + integers(stride) + "\x89" + "N") + "R";
}

std::string named(const std::string& name, const std::string& value) { return "}" + unicode(name) + value + "s"; }

// Two floats under the key "0".
const std::string kKeys = "]" + unicode("0") + "a";
const std::string kData = bytes_of(std::int64_t{2}) + bytes_of(std::vector<float>{1, 2});

class PthHostile : public testing::Scratch {
protected:
    [[nodiscard]] std::unique_ptr<Checkpoint> open(const std::string& bytes) const {
        return open_pth(write("f.pth", bytes));
    }
    void refuse(const std::string& object, std::initializer_list<std::string_view> parts) const {
        expect_error([&] { (void)open(stream(object, kKeys, kData)); }, {"[pth]", "f.pth"});
        expect_error([&] { (void)open(stream(object, kKeys, kData)); }, parts);
    }
};

TEST_F(PthHostile, TheCasesBelowDifferFromAFileThatLoads) {
    const auto file = open(stream(named("a", tensor(storage(2), 0, {2}, {1})), kKeys, kData));
    EXPECT_THAT(file->load("a").data, ::testing::ElementsAre(1, 2));
}

TEST_F(PthHostile, RefusesNamesThatCouldRun) {
    for (const auto& [module, name] : std::initializer_list<std::pair<const char*, const char*>>{
             {"os", "system"},
             {"posix", "system"},
             {"builtins", "eval"},
             {"__builtin__", "exec"},
             {"subprocess", "Popen"},
             {"torch", "load"},
             {"torch.nn.modules.linear", "Linear"},
             {"torch._utils", "_rebuild_tensor_v3"},
             {"collections", "OrderedDict\nX"}}) {
        const std::string full = std::string(module) + "." + std::string(name).substr(0, std::string(name).find('\n'));
        if (full != "collections.OrderedDict") {
            refuse(global(module, name) + tuple(unicode("id")) + "R", {"asks for '" + full + "'", "nothing is run"});
        }
        // The same name from the stack, as protocol 4 spells it.
        const std::string pushed = unicode(module) + unicode(name) + "\x93";
        refuse(pushed + tuple(unicode("id")) + "R", {"asks for '"});
    }
}

TEST_F(PthHostile, RefusesInstructionsThatCouldRun) {
    // INST, OBJ, NEWOBJ, NEWOBJ_EX, EXT1, PERSID, and the text forms that nobody writes.
    refuse("(ios\nsystem\n", {"instruction 'i'"});
    refuse("(" + global("collections", "OrderedDict") + "o", {"instruction 'o'"});
    refuse(global("collections", "OrderedDict") + ")\x81", {"instruction '\\x81'"});
    refuse(global("collections", "OrderedDict") + ")}\x92", {"instruction '\\x92'"});
    refuse(std::string("\x82\x01", 2), {"instruction '\\x82'"});
    refuse("Pid\n", {"instruction 'P'"});
    refuse("I1\n", {"instruction 'I'"});
    // Calls of what is no name, and state for what is no dictionary.
    refuse(unicode("os.system") + tuple(unicode("id")) + "R", {"REDUCE calls what is no known name"});
    refuse(global("collections", "OrderedDict") + unicode("x") + "R", {"REDUCE calls what is no known name"});
    refuse(global("torch", "FloatStorage") + "}b", {"BUILD sets the state of what is no OrderedDict"});
    // A known name called in the place of a tensor.
    refuse(
        named("a", global("torch", "FloatStorage") + tuple(bin_int(1)) + "R"), {"'a' is made by 'torch FloatStorage'"});
}

TEST_F(PthHostile, RefusesStacksThatDoNotAddUp) {
    refuse("R", {"takes a value where there is none"});
    refuse("(}0s", {"takes a value where there is none"});
    refuse("}t", {"looks for a mark where there is none"});
    refuse("}}", {"ends with 2 values"});
    refuse("(}", {"1 marks"});
    refuse(get(7), {"slot 7 of the memo is read before it is written"});
    refuse("j" + bytes_of(std::uint32_t{0xFFFFFFFF}), {"slot 4294967295"});
    refuse("}(" + unicode("a") + "u", {"a key without a value"});
    refuse("]" + unicode("a") + unicode("b") + "s", {"items are put into what is no dictionary"});
    refuse("}" + unicode("a") + "a", {"items are put into what is no list"});
    refuse("}" + global("torch", "FloatStorage") + "Ns", {"a key that is neither text nor a whole number"});
    refuse(unicode("a") + unicode("b") + "\x86\x93", {"a name is no text"});
}

TEST_F(PthHostile, RefusesHugeSizesBeforeAllocating) {
    refuse("X" + bytes_of(std::uint32_t{0xFFFFFFF0}), {"a text of 4294967280 bytes runs past the end"});
    refuse("T" + bytes_of(std::uint32_t{0x7FFFFFFF}), {"runs past the end"});
    refuse(std::string("\x8a\xff", 2), {"runs past the end"});
    const std::string long_8 = std::string("\x8a\x08", 2) + bytes_of(std::int64_t{1} << 62);
    const std::string view = global("torch._utils", "_rebuild_tensor_v2");
    refuse(
        named("a", tensor(storage(2), 0, {2, 2147483647}, {1, 1})),
        {"tensor 'a' of shape [2, 2147483647] has more elements than its storage of 2"});
    refuse(named("a", tensor(storage(2), 0, {3}, {0})), {"repeated elements are not read"});
    refuse(named("a", tensor(storage(2), 1, {2}, {1})), {"runs past its storage of 2 elements"});
    refuse(named("a", tensor(storage(2), 0, {2}, {2147483647})), {"runs past its storage"});
    refuse(named("a", tensor(storage(2), -1, {2}, {1})), {"a storage offset that is no whole number"});
    refuse(named("a", tensor(storage(2), 0, {-2}, {1})), {"a shape that is no whole number"});
    refuse(named("a", tensor(storage(2), 0, {2}, {1, 1})), {"the shape [2] and the stride [1, 1]"});
    refuse(named("a", tensor(storage(3), 0, {2}, {1})), {"a storage of 3 F32; the file holds 8 bytes"});
    refuse(
        named("a", view + tuple(storage(2) + long_8 + tuple(long_8 + long_8) + tuple(long_8 + long_8) + "\x89N") + "R"),
        {"has more elements than its storage"});
    // A number of elements that no file can hold, in the part after the pickles.
    expect_error(
        [&] {
            (void)open(stream(named("a", tensor(storage(2), 0, {2}, {1})), kKeys, bytes_of(std::int64_t{-1}) + "xx"));
        },
        {"storage '0' runs past the end of the file"});
}

TEST_F(PthHostile, RefusesStoragesThatDoNotFit) {
    refuse(named("a", tensor(storage(2, "FloatStorage", "1"), 0, {2}, {1})), {"storage '0' belongs to no tensor"});
    refuse(named("a", tensor("N", 0, {2}, {1})), {"'a' is no view of a storage"});
    refuse(named("a", tensor("(tQ", 0, {2}, {1})), {"'a' is no view of a storage"});
    refuse(
        named("a", tensor(storage(2), 0, {2}, {1})) + unicode("b") + tensor(storage(1, "LongStorage"), 0, {1}, {1}) +
            "s",
        {"storage '0' is described in two ways"});
    refuse(
        named("a", tensor(storage(2), 0, {2}, {1})) + unicode("a") + tensor(storage(2), 0, {2}, {1}) + "s",
        {"'a' appears twice"});
    expect_error(
        [&] { (void)open(stream(named("a", tensor(storage(2), 0, {2}, {1})), "]", "")); },
        {"storage '0' is not in the file"});
    expect_error([&] { (void)open(stream("}", "}", "")); }, {"the keys of the storages are no list"});
}

// Few bytes that unfold to very much: the time and the memory stay bounded.
TEST_F(PthHostile, RefusesBombs) {
    // A list that holds itself.
    refuse("]" + put(0) + get(0) + "a", {"deeper than 32 containers"});
    // A dictionary that holds itself under its own key.
    refuse(named("a", "}" + put(0) + unicode("b") + get(0) + "s"), {"deeper than 32 containers"});
    // Each list holds the one before ten times: 10^25 paths.
    std::string laughs = "]" + put(0);
    for (std::uint8_t i = 1; i <= 25; ++i) {
        laughs += "](";
        for (int j = 0; j < 10; ++j) {
            laughs += get(i - 1);
        }
        laughs += "e" + put(i);
    }
    refuse(tuple(laughs), {"is beyond the first 2000000 values"});
    // One long list of pairs, made into OrderedDicts again and again.
    std::string pairs = "](";
    for (int i = 0; i < 20000; ++i) {
        pairs += "NN\x86";
    }
    std::string copies = pairs + "e" + put(0);
    for (int i = 0; i < 1000; ++i) {
        copies += global("collections", "OrderedDict") + get(0) + "\x85R0";
    }
    refuse(copies, {"hold more than 8000000 items"});
    // Very many values.
    refuse(std::string(2'100'000, 'N'), {"holds more than 2000000 values"});
    // Very many marks.
    refuse(std::string(1'000'000, '('), {"1000000 marks"});
    // A parameter that is its own tensor cannot be built: a call's arguments exist before the call.
    refuse(
        named("a", global("torch._utils", "_rebuild_parameter") + tuple("]" + put(0) + get(0) + "a") + "R"),
        {"'a' is made by 'torch._utils _rebuild_parameter'"});
}

std::string file_bytes(const std::string& name) {
    std::ifstream file(std::filesystem::path(ZOO_TEST_DATA_DIR) / "pth" / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Opens and loads everything: success and zoo::Error are the only outcomes.
bool survives(const std::filesystem::path& file) {
    try {
        const auto checkpoint = open_pth(file);
        for (const TensorInfo& info : checkpoint->tensors()) {
            (void)checkpoint->load(info.name);
        }
        return true;
    } catch (const Error&) {
        return false;
    }
}

class PthDamage : public PthHostile, public ::testing::WithParamInterface<const char*> {};

TEST_P(PthDamage, CutAtEveryLength) {
    const std::string whole = file_bytes(GetParam());
    ASSERT_TRUE(survives(write("f.pth", whole)));
    for (std::size_t length = 0; length < whole.size(); ++length) {
        EXPECT_FALSE(survives(write("f.pth", whole.substr(0, length)))) << "at " << length;
    }
}

TEST_P(PthDamage, FlippedBits) {
    const std::string whole = file_bytes(GetParam());
    Random random(7);
    int loaded = 0;
    constexpr int kRounds = 4000;
    for (int round = 0; round < kRounds; ++round) {
        std::string damaged = whole;
        for (std::int64_t flips = random.integer(1, 3); flips > 0; --flips) {
            const auto at = static_cast<std::size_t>(random.integer(0, std::ssize(whole) - 1));
            damaged[at] = static_cast<char>(damaged[at] ^ (1 << random.integer(0, 7)));
        }
        loaded += survives(write("f.pth", damaged)) ? 1 : 0;
    }
    // Flips within values, names and padding are harmless; if nothing or everything loaded, the damage would not be real.
    EXPECT_GT(loaded, kRounds / 50);
    EXPECT_LT(loaded, kRounds * 49 / 50);
}

std::string file_stem(const ::testing::TestParamInfo<const char*>& info) {
    return std::filesystem::path(info.param).stem().string();
}

INSTANTIATE_TEST_SUITE_P(Pth, PthDamage, ::testing::Values("zip.pth", "legacy.pth"), file_stem);

// The zip form around a pickle; method 8 is deflate.
std::string zip(const std::string& name, const std::string& data, std::uint16_t method = 0, std::uint16_t flags = 0) {
    const std::string sizes = bytes_of(std::uint32_t{0}) + bytes_of(static_cast<std::uint32_t>(data.size())) +
                              bytes_of(static_cast<std::uint32_t>(data.size()));
    const std::string common = bytes_of(std::uint16_t{20}) + bytes_of(flags) + bytes_of(method) + std::string(4, '\0') +
                               sizes + bytes_of(static_cast<std::uint16_t>(name.size())) + bytes_of(std::uint16_t{0});
    const std::string local = "PK\x03\x04" + common + name + data;
    const std::string entry = "PK\x01\x02" + bytes_of(std::uint16_t{20}) + common + std::string(2 + 2 + 2 + 4, '\0') +
                              bytes_of(std::uint32_t{0}) + name;
    return local + entry + "PK\x05\x06" + std::string(4, '\0') + bytes_of(std::uint16_t{1}) +
           bytes_of(std::uint16_t{1}) + bytes_of(static_cast<std::uint32_t>(entry.size())) +
           bytes_of(static_cast<std::uint32_t>(local.size())) + bytes_of(std::uint16_t{0});
}

TEST_F(PthHostile, ZipMembersMustBeStored) {
    const std::string pickle = kProto + "}.";
    EXPECT_TRUE(open(zip("archive/data.pkl", pickle))->tensors().empty());
    const auto refused = [&](const std::string& bytes, std::string_view part) {
        expect_error([&] { (void)open(bytes); }, {"[pth]", "f.pth", part});
    };
    refused(zip("archive/data.pkl", pickle, 8), "'archive/data.pkl' is compressed (method 8)");
    refused(zip("archive/data.pkl", pickle, 0, 1), "'archive/data.pkl' is encrypted");
    refused(zip("data.txt", pickle), "without a member NAME/data.pkl");
    refused(zip("a/b/data.pkl", pickle), "without a member NAME/data.pkl");
    refused(
        zip("archive/data.pkl", kProto + global("os", "system") + tuple(unicode("id")) + "R."), "asks for 'os.system'");
    refused(
        zip("archive/data.pkl", kProto + named("a", tensor(storage(2), 0, {2}, {1})) + "."),
        "tensor 'a' needs the member 'data/0'");
}

}  // namespace
}  // namespace zoo
