// SPDX-License-Identifier: Apache-2.0
#include "pickle.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "message.hpp"
#include "wire_reader.hpp"
#include "zoo/error.hpp"

namespace zoo {
namespace {

constexpr std::string_view kWhere = "pth";
constexpr std::string_view kOrderedDict = "collections OrderedDict";
// A state dict takes about 30 nodes a tensor.
constexpr std::size_t kMaxNodes = 2'000'000;
// Of all containers together: a file can copy one long list over and over with a few bytes each.
constexpr std::size_t kMaxItems = 8'000'000;

using Bytes = std::span<const std::byte>;
using Kind = PickleNode::Kind;
using Ref = std::uint32_t;

std::string_view as_text(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

// The instructions that torch.save writes, by the names of Python's pickletools.
enum class Op : std::uint8_t {
    Mark = '(',
    Stop = '.',
    Pop = '0',
    BinFloat = 'G',
    BinInt = 'J',
    BinInt1 = 'K',
    BinInt2 = 'M',
    None = 'N',
    BinPersId = 'Q',
    Reduce = 'R',
    BinString = 'T',
    ShortBinString = 'U',
    BinUnicode = 'X',
    EmptyList = ']',
    Append = 'a',
    Build = 'b',
    Global = 'c',
    Appends = 'e',
    BinGet = 'h',
    LongBinGet = 'j',
    BinPut = 'q',
    LongBinPut = 'r',
    SetItem = 's',
    Tuple = 't',
    EmptyTuple = ')',
    SetItems = 'u',
    EmptyDict = '}',
    Proto = 0x80,
    Tuple1 = 0x85,
    Tuple2 = 0x86,
    Tuple3 = 0x87,
    NewTrue = 0x88,
    NewFalse = 0x89,
    Long1 = 0x8a,
    ShortBinUnicode = 0x8c,
    StackGlobal = 0x93,
    Memoize = 0x94,
    Frame = 0x95,
};

class Machine {
public:
    Machine(const std::string& source, Bytes bytes, std::span<const std::string_view> globals)
        : source_(source), size_(bytes.size()), reader_(bytes), globals_(globals) {}

    Pickle run() && {
        while (!stopped_) {
            at_ = size_ - reader_.left();
            step(static_cast<Op>(number(1)));
            if (pickle_.nodes.size() > kMaxNodes) {
                refuse("the pickle holds more than ", kMaxNodes, " values");
            }
        }
        pickle_.size = size_ - reader_.left();
        return std::move(pickle_);
    }

private:
    template <class... Parts>
    [[noreturn]] void refuse(Parts&&... parts) const {
        fail(kWhere, source_, ": byte ", at_, " of the pickle: ", std::forward<Parts>(parts)...);
    }

    std::uint64_t number(std::size_t size) {
        const auto value = reader_.fixed(size);
        if (!value) {
            refuse("the file ends within the pickle");
        }
        return *value;
    }

    std::string_view text(std::uint64_t size) {
        const auto bytes = reader_.bytes(size);
        if (!bytes) {
            refuse("a text of ", size, " bytes runs past the end of the file");
        }
        return as_text(*bytes);
    }

    std::string_view line() {
        const auto bytes = reader_.until('\n');
        if (!bytes) {
            refuse("a name runs past the end of the file");
        }
        return as_text(*bytes);
    }

    void push(PickleNode node) {
        count_items(node.items.size());
        pickle_.nodes.push_back(std::move(node));
        stack_.push_back(static_cast<Ref>(pickle_.nodes.size() - 1));
    }

    void count_items(std::size_t count) {
        items_ += count;
        if (items_ > kMaxItems) {
            refuse("the containers of the pickle hold more than ", kMaxItems, " items");
        }
    }

    // What lies above the last mark; without a mark, everything.
    [[nodiscard]] std::size_t floor() const { return marks_.empty() ? 0 : marks_.back(); }

    Ref pop() {
        if (stack_.size() <= floor()) {
            refuse("an instruction takes a value where there is none");
        }
        const Ref top = stack_.back();
        stack_.pop_back();
        return top;
    }

    std::vector<Ref> pop_many(std::size_t count) {
        std::vector<Ref> values(count);
        for (std::size_t i = count; i > 0; --i) {
            values[i - 1] = pop();
        }
        return values;
    }

    std::vector<Ref> pop_to_mark() {
        if (marks_.empty()) {
            refuse("an instruction looks for a mark where there is none");
        }
        std::vector<Ref> values(stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back()), stack_.end());
        stack_.resize(marks_.back());
        marks_.pop_back();
        return values;
    }

    // Leaves the container on the stack.
    void extend(Kind kind, const char* what, const std::vector<Ref>& values) {
        const Ref target = pop();
        PickleNode& node = pickle_.nodes[target];
        if (node.kind != kind) {
            refuse("items are put into what is no ", what);
        }
        if (kind == Kind::Dict && values.size() % 2 != 0) {
            refuse("a dictionary gets a key without a value");
        }
        count_items(values.size());
        node.items.insert(node.items.end(), values.begin(), values.end());
        stack_.push_back(target);
    }

    void put(std::uint64_t slot) {
        const Ref top = pop();
        memo_[slot] = top;
        stack_.push_back(top);
    }

    void get(std::uint64_t slot) {
        const auto found = memo_.find(slot);
        if (found == memo_.end()) {
            refuse("slot ", slot, " of the memo is read before it is written");
        }
        stack_.push_back(found->second);
    }

    // `name` must live as long as the file: the known name stands in for it.
    void push_global(std::string_view module, std::string_view name) {
        const std::string full = std::string(module) + " " + std::string(name);
        std::string_view known;
        if (full == kOrderedDict) {
            known = kOrderedDict;
        } else if (const auto found = std::find(globals_.begin(), globals_.end(), full); found != globals_.end()) {
            known = *found;
        } else {
            refuse(
                "asks for ", in_quotes(std::string(module) + "." + std::string(name)),
                "; only tensors, OrderedDict and plain containers are read, nothing is run");
        }
        push({.kind = Kind::Global, .text = known});
    }

    [[nodiscard]] std::string_view popped_text() {
        const PickleNode& node = pickle_.nodes[pop()];
        if (node.kind != Kind::Text) {
            refuse("a name is no text");
        }
        return node.text;
    }

    void reduce() {
        const Ref arguments = pop();
        const Ref callee = pop();
        if (pickle_.nodes[callee].kind != Kind::Global || pickle_.nodes[arguments].kind != Kind::Tuple) {
            refuse("REDUCE calls what is no known name with a tuple; nothing is run");
        }
        PickleNode call{
            .kind = Kind::Call, .text = pickle_.nodes[callee].text, .items = pickle_.nodes[arguments].items};
        if (call.text == kOrderedDict) {
            call = {.kind = Kind::Dict, .items = ordered_items(call.items)};
        }
        push(std::move(call));
    }

    // OrderedDict() or, from Python 2, OrderedDict([[key, value], ...]).
    [[nodiscard]] std::vector<Ref> ordered_items(const std::vector<Ref>& arguments) const {
        std::vector<Ref> items;
        if (arguments.empty()) {
            return items;
        }
        const PickleNode& pairs = pickle_.nodes[arguments.front()];
        if (arguments.size() > 1 || (pairs.kind != Kind::List && pairs.kind != Kind::Tuple)) {
            refuse("OrderedDict is made of something else than a list of pairs");
        }
        for (const Ref pair : pairs.items) {
            const PickleNode& node = pickle_.nodes[pair];
            if ((node.kind != Kind::List && node.kind != Kind::Tuple) || node.items.size() != 2) {
                refuse("OrderedDict is made of something else than a list of pairs");
            }
            items.insert(items.end(), node.items.begin(), node.items.end());
        }
        return items;
    }

    // A state dict carries its modules' version numbers as an attribute; no tensor depends on it.
    void build() {
        const Ref state = pop();
        const Ref target = pop();
        if (pickle_.nodes[target].kind != Kind::Dict || pickle_.nodes[state].kind != Kind::Dict) {
            refuse("BUILD sets the state of what is no OrderedDict");
        }
        stack_.push_back(target);
    }

    void long1() {
        const std::string_view bytes = text(number(1));
        if (bytes.size() > 8) {
            push({.kind = Kind::BigInt, .text = bytes});
            return;
        }
        std::uint64_t value = 0;
        for (std::size_t i = 0; i < 8; ++i) {
            // The sign fills what is left out.
            const bool negative = !bytes.empty() && (static_cast<unsigned char>(bytes.back()) & 0x80U) != 0;
            const auto byte = i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : (negative ? 0xFFU : 0U);
            value |= static_cast<std::uint64_t>(byte) << (8 * i);
        }
        push({.kind = Kind::Int, .number = static_cast<std::int64_t>(value)});
    }

    void step(Op op);
    bool step_value(Op op);
    bool step_container(Op op);

    const std::string& source_;
    std::size_t size_;
    WireReader reader_;
    std::span<const std::string_view> globals_;
    std::size_t at_ = 0;  // of the instruction
    std::size_t items_ = 0;
    bool stopped_ = false;
    Pickle pickle_;
    std::vector<Ref> stack_;
    std::vector<std::size_t> marks_;               // heights of the stack
    std::unordered_map<std::uint64_t, Ref> memo_;  // a map: a slot's number says nothing about how many there are
};

// Instructions that push a value of their own.
bool Machine::step_value(Op op) {
    switch (op) {
        case Op::None:
            push({.kind = Kind::None});
            return true;
        case Op::NewTrue:
        case Op::NewFalse:
            push({.kind = Kind::Bool, .number = op == Op::NewTrue ? 1 : 0});
            return true;
        case Op::BinInt:
            push({.kind = Kind::Int, .number = static_cast<std::int32_t>(number(4))});
            return true;
        case Op::BinInt1:
            push({.kind = Kind::Int, .number = static_cast<std::int64_t>(number(1))});
            return true;
        case Op::BinInt2:
            push({.kind = Kind::Int, .number = static_cast<std::int64_t>(number(2))});
            return true;
        case Op::Long1:
            long1();
            return true;
        case Op::BinFloat:
            (void)number(8);
            push({.kind = Kind::Float});
            return true;
        case Op::BinUnicode:
        case Op::BinString:
            push({.kind = Kind::Text, .text = text(number(4))});
            return true;
        case Op::ShortBinUnicode:
        case Op::ShortBinString:
            push({.kind = Kind::Text, .text = text(number(1))});
            return true;
        case Op::EmptyDict:
            push({.kind = Kind::Dict});
            return true;
        case Op::EmptyList:
            push({.kind = Kind::List});
            return true;
        case Op::EmptyTuple:
            push({.kind = Kind::Tuple});
            return true;
        case Op::Global: {
            const std::string_view module = line();
            push_global(module, line());
            return true;
        }
        default:
            return false;
    }
}

// Instructions that put values into one.
bool Machine::step_container(Op op) {
    switch (op) {
        case Op::Tuple1:
        case Op::Tuple2:
        case Op::Tuple3: {
            const std::size_t count = static_cast<std::size_t>(op) - static_cast<std::size_t>(Op::Tuple1) + 1;
            push({.kind = Kind::Tuple, .items = pop_many(count)});
            return true;
        }
        case Op::Tuple:
            push({.kind = Kind::Tuple, .items = pop_to_mark()});
            return true;
        case Op::Append:
            extend(Kind::List, "list", pop_many(1));
            return true;
        case Op::Appends:
            extend(Kind::List, "list", pop_to_mark());
            return true;
        case Op::SetItem:
            extend(Kind::Dict, "dictionary", pop_many(2));
            return true;
        case Op::SetItems:
            extend(Kind::Dict, "dictionary", pop_to_mark());
            return true;
        case Op::BinPersId:
            push({.kind = Kind::Persistent, .items = pop_many(1)});
            return true;
        case Op::Reduce:
            reduce();
            return true;
        case Op::Build:
            build();
            return true;
        case Op::StackGlobal: {
            const std::string_view name = popped_text();
            push_global(popped_text(), name);
            return true;
        }
        default:
            return false;
    }
}

void Machine::step(Op op) {
    if (step_value(op) || step_container(op)) {
        return;
    }
    switch (op) {
        case Op::Proto:
            if (const std::uint64_t protocol = number(1); protocol < 2 || protocol > 5) {
                refuse("is of protocol ", protocol, "; 2 to 5 are read");
            }
            return;
        case Op::Frame:
            (void)number(8);  // A hint for readers of streams.
            return;
        case Op::Mark:
            marks_.push_back(stack_.size());
            return;
        case Op::Pop:
            (void)pop();
            return;
        case Op::BinPut:
            put(number(1));
            return;
        case Op::LongBinPut:
            put(number(4));
            return;
        case Op::Memoize:
            put(memo_.size());
            return;
        case Op::BinGet:
            get(number(1));
            return;
        case Op::LongBinGet:
            get(number(4));
            return;
        case Op::Stop:
            if (!marks_.empty() || stack_.size() != 1) {
                refuse("ends with ", stack_.size(), " values and ", marks_.size(), " marks; one value is the result");
            }
            pickle_.root = stack_.front();
            stopped_ = true;
            return;
        default:
            break;
    }
    const char letter = static_cast<char>(op);
    refuse(
        "instruction ", in_quotes(std::string_view(&letter, 1)),
        " is not read; only tensors, OrderedDict and plain containers are");
}

}  // namespace

Pickle read_pickle(const std::string& source, Bytes bytes, std::span<const std::string_view> globals) {
    return Machine(source, bytes, globals).run();
}

}  // namespace zoo
