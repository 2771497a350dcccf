// SPDX-License-Identifier: Apache-2.0
// Traces of made-up ops, with and without the copies that a replay leaves out: what can be seen afterwards is the same.
#include "core/skip_copies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

namespace ttnn_cpu {
namespace {

constexpr std::size_t kSlots = 7;
constexpr std::size_t kBytes = 16;  // of a buffer: two slots

// A memory of slots, buffers of two slots each that may lie anywhere, and the commands on them.
class Tape {
public:
    struct Buffer {
        std::size_t slot;
        std::shared_ptr<PackedForms> forms;
    };

    std::byte* at(std::size_t slot) { return memory_.data() + slot * kBytes / 2; }
    BufferRef ref(const Buffer& buffer) { return {at(buffer.slot), buffer.forms.get(), kBytes}; }
    static Buffer buffer(std::size_t slot) {
        Buffer made{slot, std::make_shared<PackedForms>()};
        made.forms->hold();
        return made;
    }

    void add(std::shared_ptr<Program> program, std::vector<Buffer> inputs, const Buffer& output) {
        Command command;
        command.program = std::move(program);
        for (const Buffer& input : inputs) {
            command.inputs.push_back(ref(input));
            command.keep_alive.push_back(input.forms);
        }
        command.outputs = {ref(output)};
        command.keep_alive.push_back(output.forms);
        commands.push_back(std::move(command));
    }

    void copy(const Buffer& from, const Buffer& to) {
        auto program = std::make_shared<Program>();
        program->copy = Program::Copy{.bytes = kBytes};
        program->kernel = [](auto in, auto out) { std::memcpy(out[0].data, in[0].data, kBytes); };
        add(program, {from}, to);
    }

    // From where a buffer was that is free by now.
    void move(std::size_t from, const Buffer& to) {
        auto program = std::make_shared<Program>();
        const std::ptrdiff_t distance = at(from) - at(to.slot);
        program->copy = Program::Copy{.bytes = kBytes, .distance = distance};
        program->kernel = [distance](auto, auto out) { std::memmove(out[0].data, out[0].data + distance, kBytes); };
        add(program, {}, to);
    }

    void combine(const Buffer& a, const Buffer& b, const Buffer& to, bool elementwise) {
        auto program = std::make_shared<Program>();
        program->elementwise = elementwise;
        program->kernel = [](auto in, auto out) {
            for (std::size_t i = 0; i < kBytes; ++i) {
                const auto sum = 3 * std::to_integer<int>(in[0].data[i]) + std::to_integer<int>(in[1].data[i]) + 1;
                out[0].data[i] = static_cast<std::byte>(sum);
            }
        };
        add(program, {a, b}, to);
    }

    // The first half stays what it was.
    void write_half(const Buffer& to) {
        auto program = std::make_shared<Program>();
        program->kernel = [](auto, auto out) { std::memset(out[0].data + kBytes / 2, 7, kBytes / 2); };
        add(program, {}, to);
    }

    std::vector<std::byte> run() {
        for (std::size_t i = 0; i < memory_.size(); ++i) {
            memory_[i] = static_cast<std::byte>(17 * i + 5);
        }
        for (const Command& command : commands) {
            command.run();
        }
        return {memory_.begin(), memory_.end()};
    }

    std::size_t skipped() const {
        return static_cast<std::size_t>(std::ranges::count_if(commands, [](const Command& c) { return c.skipped; }));
    }

    std::vector<Command> commands;

private:
    alignas(64) std::array<std::byte, (kSlots + 1) * kBytes / 2> memory_{};
};

TEST(SkipCopies, ACopyThatNobodySeesGoesAndSoDoesACopyOfIt) {
    Tape tape;
    const Tape::Buffer source = tape.buffer(0);
    Tape::Buffer copy = tape.buffer(2);
    tape.copy(source, copy);
    copy.forms->let_go();
    Tape::Buffer moved = tape.buffer(3);
    tape.move(2, moved);
    const Tape::Buffer result = tape.buffer(5);
    tape.combine(moved, source, result, false);
    moved.forms->let_go();
    const auto before = tape.run();
    skip_copies(tape.commands);
    EXPECT_EQ(tape.skipped(), 2U);
    const auto after = tape.run();
    EXPECT_TRUE(std::equal(before.begin() + 5 * kBytes / 2, before.end(), after.begin() + 5 * kBytes / 2));
}

TEST(SkipCopies, ACopyStaysThatOutlivesTheTraceOrItsSource) {
    Tape tape;
    const Tape::Buffer source = tape.buffer(0);
    Tape::Buffer kept = tape.buffer(2);
    tape.copy(source, kept);
    Tape::Buffer copy = tape.buffer(4);
    tape.copy(source, copy);
    tape.combine(kept, kept, source, false);
    tape.combine(copy, copy, kept, false);
    copy.forms->let_go();
    skip_copies(tape.commands);
    EXPECT_EQ(tape.skipped(), 0U);
}

TEST(SkipCopies, ACopyStaysThatIsWrittenInPart) {
    Tape tape;
    const Tape::Buffer source = tape.buffer(0);
    Tape::Buffer copy = tape.buffer(2);
    tape.copy(source, copy);
    tape.write_half(copy);
    const Tape::Buffer result = tape.buffer(4);
    tape.combine(copy, copy, result, false);
    copy.forms->let_go();
    skip_copies(tape.commands);
    EXPECT_EQ(tape.skipped(), 0U);
}

// Buffers that live never overlap; all else is left to chance.
TEST(SkipCopies, AnyTraceLeavesWhatIsStillThereAlike) {
    std::mt19937 generator(11);
    const auto below = [&](std::size_t n) { return generator() % n; };
    std::size_t skipped = 0;
    for (int trace = 0; trace < 3000; ++trace) {
        Tape tape;
        std::vector<Tape::Buffer> live{tape.buffer(0)};
        const auto free_slot = [&]() -> std::size_t {
            for (std::size_t slot = below(kSlots), tries = 0; tries < kSlots; ++tries, slot = (slot + 1) % kSlots) {
                if (std::ranges::none_of(live, [&](const auto& b) { return b.slot < slot + 2 && slot < b.slot + 2; })) {
                    return slot;
                }
            }
            return kSlots;
        };
        for (int step = 0; step < 12; ++step) {
            const std::size_t chosen = below(live.size());
            const std::size_t slot = free_slot();
            switch (below(6)) {
                case 0:
                case 1:
                    if (slot < kSlots) {
                        live.push_back(tape.buffer(slot));
                        tape.copy(live[chosen], live.back());
                    }
                    break;
                case 2: {
                    const Tape::Buffer old = live[chosen];
                    live[chosen].slot = 2 * kSlots;  // nowhere
                    live[chosen] = tape.buffer(free_slot());
                    old.forms->let_go();
                    if (live[chosen].slot != old.slot) {
                        tape.move(old.slot, live[chosen]);
                    } else {
                        live[chosen] = old;
                        old.forms->hold();
                    }
                    break;
                }
                case 3:
                    tape.combine(live[chosen], live[below(live.size())], live[chosen], true);
                    break;
                case 4:
                    if (slot < kSlots) {
                        live.push_back(tape.buffer(slot));
                        tape.combine(live[chosen], live[below(live.size() - 1)], live.back(), below(2) == 0);
                    } else {
                        tape.write_half(live[chosen]);
                    }
                    break;
                default:
                    if (live.size() > 1) {
                        live[chosen].forms->let_go();
                        live.erase(live.begin() + static_cast<std::ptrdiff_t>(chosen));
                    }
            }
        }
        const auto before = tape.run();
        skip_copies(tape.commands);
        const auto after = tape.run();
        skipped += tape.skipped();
        for (const Tape::Buffer& buffer : live) {
            const std::size_t first = buffer.slot * kBytes / 2;
            ASSERT_TRUE(std::equal(
                before.begin() + static_cast<std::ptrdiff_t>(first),
                before.begin() + static_cast<std::ptrdiff_t>(first + kBytes),
                after.begin() + static_cast<std::ptrdiff_t>(first)))
                << "trace " << trace << ", the buffer in slot " << buffer.slot;
        }
    }
    EXPECT_GT(skipped, 1000U);
}

}  // namespace
}  // namespace ttnn_cpu
