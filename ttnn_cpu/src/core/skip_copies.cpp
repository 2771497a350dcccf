// SPDX-License-Identifier: Apache-2.0
#include "core/skip_copies.hpp"

#include <algorithm>

namespace ttnn_cpu {
namespace {

struct Range {
    const std::byte* data;
    std::size_t bytes;
};

bool overlap(const Range& a, const Range& b) { return a.data < b.data + b.bytes && b.data < a.data + a.bytes; }

bool freed(const Command& copy) { return !copy.outputs[0].packed->held(); }

std::byte* source_of(const Command& copy) {
    const auto& distance = copy.program->copy->distance;
    return distance ? copy.outputs[0].data + *distance : copy.inputs[0].data;
}

// A copy, the copies of it, and who reads them.
class Family {
public:
    Family(std::vector<Command>& commands, std::size_t first)
        : commands_(commands), source_{source_of(commands[first]), commands[first].program->copy->bytes} {
        adopt(first);
    }

    // Whether all of its members may go.
    bool explore(std::size_t first) {
        for (std::size_t i = first + 1; i < commands_.size(); ++i) {
            const Command& command = commands_[i];
            if (command.skipped) {
                continue;
            }
            if (copies_a_member(command)) {
                if (!freed(command) || i > source_lost_) {
                    return false;
                }
                adopt(i);
                continue;
            }
            if (moves_a_member(command)) {
                return false;
            }
            const bool reads = note_reads(i);
            for (const BufferRef& output : command.outputs) {
                if (command.program->writes_output && !note_write(i, output, reads && command.program->elementwise)) {
                    return false;
                }
            }
            if (last_read_ >= source_lost_) {
                return false;
            }
        }
        return true;
    }

    void leave_out() {
        for (const auto& [command, input] : readers_) {
            commands_[command].inputs[input].data = const_cast<std::byte*>(source_.data);
        }
        for (const std::size_t copy : copies_) {
            commands_[copy].skipped = true;
        }
    }

private:
    struct Member {
        const PackedForms* forms;  // of its buffer
        Range range;
        bool there = true;      // until its memory is used anew
        bool replaced = false;  // has values of its own by now
    };
    struct Reader {
        std::size_t command;
        std::size_t input;
    };

    void adopt(std::size_t copy) {
        const BufferRef& output = commands_[copy].outputs[0];
        members_.push_back({output.packed, {output.data, output.bytes}});
        copies_.push_back(copy);
    }

    bool copies_a_member(const Command& command) const {
        if (!command.program->copy || command.program->copy->bytes != source_.bytes) {
            return false;
        }
        const std::byte* const from = source_of(command);
        return std::ranges::any_of(members_, [&](const Member& member) {
            return member.there && !member.replaced && member.range.data == from;
        });
    }

    // By address: it cannot be made to read from elsewhere.
    bool moves_a_member(const Command& command) const {
        if (!command.program->copy || !command.program->copy->distance) {
            return false;
        }
        const Range from{source_of(command), command.program->copy->bytes};
        return std::ranges::any_of(
            members_, [&](const Member& member) { return member.there && overlap(member.range, from); });
    }

    bool note_reads(std::size_t i) {
        const Command& command = commands_[i];
        bool reads = false;
        for (std::size_t input = 0; input < command.inputs.size(); ++input) {
            for (const Member& member : members_) {
                if (command.inputs[input].packed == member.forms && !member.replaced) {
                    readers_.push_back({i, input});
                    last_read_ = std::max(last_read_, last_moment(i));
                    reads = true;
                }
            }
        }
        return reads;
    }

    // The last command at which the inputs of one must still be there.
    std::size_t last_moment(std::size_t i) const {
        if (!commands_[i].program->lends_input) {
            return i;
        }
        std::size_t borrower = i + 1;
        while (borrower < commands_.size() && !commands_[borrower].program->borrows) {
            ++borrower;
        }
        return borrower - 1;
    }

    // in_place: into what it reads, element by element. False: a part of a member may be written.
    bool note_write(std::size_t i, const BufferRef& output, bool in_place) {
        const Range written{output.data, output.bytes};
        if (overlap(written, source_)) {
            source_lost_ = std::min(source_lost_, in_place && written.data == source_.data ? i + 1 : i);
        }
        for (Member& member : members_) {
            if (output.packed == member.forms && !member.replaced) {
                if (!in_place) {
                    return false;
                }
                member.replaced = true;
            }
            member.there = member.there && !overlap(written, member.range);
        }
        return true;
    }

    std::vector<Command>& commands_;
    Range source_;
    std::vector<Member> members_;
    std::vector<std::size_t> copies_;
    std::vector<Reader> readers_;
    std::size_t last_read_ = 0;
    std::size_t source_lost_ = ~std::size_t{0};
};

}  // namespace

void skip_copies(std::vector<Command>& commands) {
    for (std::size_t i = 0; i < commands.size(); ++i) {
        if (!commands[i].program->copy || commands[i].skipped || !freed(commands[i])) {
            continue;
        }
        Family family(commands, i);
        if (family.explore(i)) {
            family.leave_out();
        }
    }
}

}  // namespace ttnn_cpu
