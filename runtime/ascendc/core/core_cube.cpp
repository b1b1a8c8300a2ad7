// SPDX-License-Identifier: Apache-2.0
// Instructions of the cube unit: checked, put into the order of their pipe, computed. A violation
// ends the kernel without destructors, so no local variable owns memory then.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runtime/ascendc/core/core.h"
#include "runtime/ascendc/cube/unit.h"
#include "runtime/ascendc/vector/rows.h"

namespace ascendc {
namespace {

std::uint16_t where_of(const aclsimOperand& operand) {
  const Memory memory = memory_of(operand.position);
  if (memory == Memory::count) return cube::kGlobal;
  return static_cast<std::uint16_t>(cube::kUb << static_cast<unsigned>(memory));
}

std::string names_of(std::uint16_t where, const Arch& arch) {
  std::string names;
  for (std::size_t i = 0; i <= kMemories; ++i) {
    if ((where >> i & 1U) == 0) continue;
    if (!names.empty()) names += " or ";
    names += i == 0 ? "global memory" : arch.memories[i - 1].name;
  }
  return names;
}

/// An instruction with a copy of its structure, for a pipe that computes it later.
struct KeptCube {
  explicit KeptCube(const aclsimInstruction& given) : instruction(given) {
    const auto* const bytes = static_cast<const std::byte*>(given.more);
    more.assign(bytes, bytes + cube::more_bytes(given));
    instruction.more = more.data();
  }
  KeptCube(const KeptCube&) = delete;
  KeptCube& operator=(const KeptCube&) = delete;

  aclsimInstruction instruction;
  std::vector<std::byte> more;
};

constexpr std::uint64_t kFractalOfSums = 16 * 16 * 4;  // bytes
constexpr std::uint64_t up_to_fractal(std::uint64_t offset) {
  return (offset + kFractalOfSums - 1) / kFractalOfSums * kFractalOfSums;
}

std::uint32_t unit_flag_of(const aclsimInstruction& instruction) {
  if (instruction.opcode == ACLSIM_CUBE_MMAD) {
    return cube::params_of<aclsimMmad>(instruction).unit_flag;
  }
  if (instruction.opcode == ACLSIM_CUBE_FIXPIPE) {
    return cube::params_of<aclsimFixpipe>(instruction).unit_flag;
  }
  return 0;
}

/// The vector core whose unified buffer the results are for: the first one of several.
std::uint32_t sub_block_of(const aclsimInstruction& instruction) {
  return instruction.opcode == ACLSIM_CUBE_FIXPIPE
             ? cube::params_of<aclsimFixpipe>(instruction).sub_block
             : 0;
}

bool has_two_receivers(const aclsimInstruction& instruction) {
  return instruction.opcode == ACLSIM_CUBE_FIXPIPE &&
         cube::params_of<aclsimFixpipe>(instruction).dual != ACLSIM_FIXPIPE_ONE;
}

}  // namespace

/// Stores the rows of a result, in global memory as a copy does.
class Core::CubeOutput final : public cube::Output {
 public:
  CubeOutput(Core& core, const Moved& moved) : core_(core), moved_(moved) {}
  void row(std::uint32_t half, std::uintptr_t to, const std::byte* from,
           std::uint32_t bytes) override {
    row_ = {to, reinterpret_cast<std::uintptr_t>(from), bytes};
    core_.store_row(row_, moved_);
    if (moved_.receiver == kNoReceiver) return;
    core_.forward(static_cast<std::int8_t>(moved_.receiver + static_cast<int>(half)), to, bytes,
                  moved_);
  }

 private:
  Core& core_;
  const Moved& moved_;
  RowCopy row_{};
};

void Core::store_row(const RowCopy& row, const Moved& moved) {
  static constexpr aclsimMove kPlain{};
  const bool reported = moved.global && options_.checks;
  if (reported) {
    host_->writes_global(
        *this, {row.to, reinterpret_cast<const void*>(row.from), row.bytes,
                moved.atomic != Atomic::none, moved.site, moved.pipe, moved.tick, moved.seen});
  }
  copy_row(kPlain, row, moved.atomic, moved.element);
  if (reported) host_->wrote_global();
}

void Core::require_position(const Issued& issued, const aclsimOperand& operand, const char* name,
                            std::uint16_t expected) {
  const std::uint16_t where = where_of(operand);
  if ((expected & where) != 0) return;
  std::string text = fmt::format("{}: {} is in {}; expected {}", issued.name, name,
                                 names_of(where, *arch_), names_of(expected, *arch_));
  violated("cube-position", std::move(text), issued.site);
}

// Loads are copies, but not all memories take them.
void Core::check_load(const Issued& issued) {
  constexpr std::uint16_t kL0 = cube::kL0A | cube::kL0B;
  const auto* const operand = issued.instruction.operand;
  require_position(issued, operand[1], "src", cube::kL1 | cube::kGlobal);
  const bool global = where_of(operand[1]) == cube::kGlobal;
  const bool beside = operand[0].position >= ACLSIM_POSITION_SCALES_A;
  if (!beside) require_position(issued, operand[0], "dst", global ? kL0 | cube::kL1 : kL0);
}

void Core::check_cube(const Issued& issued) {
  const aclsimInstruction& instruction = issued.instruction;
  for (unsigned i = 0; i < instruction.operands; ++i) {
    const cube::Operand* const expected = cube::operand(instruction.opcode, i);
    const aclsimOperand& operand = instruction.operand[i];
    if (!expected || operand.address == nullptr) continue;
    const std::uint16_t where = where_of(operand);
    require_memory(operand.address, where != cube::kGlobal, issued.name, expected->name,
                   issued.site);
    const bool no_ub = arch_->number == 2201;
    require_position(
        issued, operand, expected->name,
        static_cast<std::uint16_t>(no_ub ? expected->where & ~cube::kUb : expected->where));
    std::uint64_t offset = 0;
    if (where != cube::kGlobal && locate(operand.address, offset) != Memory::count &&
        offset % expected->alignment != 0) {
      std::string text = fmt::format(
          "{}: {} begins at byte {} of {}; expected a multiple of {} bytes", issued.name,
          expected->name, offset, names_of(where, *arch_), expected->alignment);
      violated("misaligned", std::move(text), issued.site);
    }
  }
}

// A unit flag is set for a fractal of L0C when Mmad has finished it, so Fixpipe needs no flag of
// another kind. Fixpipe resets it also if it reads some of the rows only.
void Core::wait_for_unit_flag(const Issued& issued, const cube::Touch& sums) {
  std::uint64_t begin = 0;
  if (locate(reinterpret_cast<const void*>(sums.begin), begin) != Memory::l0c) return;
  const std::uint64_t end = up_to_fractal(begin + sums.bytes);
  begin -= begin % kFractalOfSums;
  const bool reads = issued.pipe == Pipe::fix;
  bool known = false;
  for (const UnitFlag& flag : unit_flags_) {
    if (flag.end <= begin || flag.begin >= end) continue;
    known = known || flag.full;
    if (!reads && flag.full) {
      std::string text = fmt::format(
          "{}: the sums of the Mmad with a unit flag at {} are not read yet; a Fixpipe with a unit "
          "flag is missing between them",
          issued.name, host_->place_of(flag.site));
      violated("unit-flag", std::move(text), issued.site);
    }
    clocks_.wait(issued.pipe, flag.clock);
    pipes_.wait(issued.pipe, flag.token);
  }
  if (reads && !known) {
    violated("unit-flag",
             fmt::format("{}: unitFlag is set, but no Mmad with a unitFlag of 3 has written these "
                         "bytes; hardware would wait forever",
                         issued.name),
             issued.site);
  }
}

void Core::set_unit_flag(const Issued& issued, const cube::Touch& sums) {
  std::uint64_t begin = 0;
  if (locate(reinterpret_cast<const void*>(sums.begin), begin) != Memory::l0c) return;
  const std::uint64_t end = up_to_fractal(begin + sums.bytes);
  begin -= begin % kFractalOfSums;
  std::vector<UnitFlag> kept;
  for (const UnitFlag& flag : unit_flags_) {  // the parts beside the new range
    for (const auto& [from, to] : {std::pair{flag.begin, std::min(flag.end, begin)},
                                   std::pair{std::max(flag.begin, end), flag.end}}) {
      if (from >= to) continue;
      kept.push_back(flag);
      kept.back().begin = from;
      kept.back().end = to;
    }
  }
  kept.push_back({begin, end, issued.pipe == Pipe::m, issued.site, clocks_.of(issued.pipe),
                  pipes_.signal(issued.pipe)});
  unit_flags_ = std::move(kept);
}

/// Whether all bytes have a value.
bool Core::is_written(const cube::Touch& touch) {
  std::uint64_t at = 0;
  const Memory memory = locate(reinterpret_cast<const void*>(touch.begin), at);
  if (memory == Memory::count) return true;
  const std::uint64_t end = at + touch.bytes;
  return local_[static_cast<std::size_t>(memory)].unwritten(at, end) == end;
}

// Programs multiply whole fractals, of which they may have filled some rows. A row of A or a column
// of B without a value leaves a row or a column of C without one. It is an error if all are.
void Core::keep_unwritten_sums(const Issued& issued) {
  std::vector<cube::Line> lines, without;
  cube::lines_of(issued.instruction, lines);
  std::vector<cube::Touch> parts;
  std::array<bool, 2> has_value{};
  for (const cube::Line& line : lines) {
    parts.clear();
    cube::sources_of(issued.instruction, line, parts);
    if (std::all_of(parts.begin(), parts.end(),
                    [&](const auto& part) { return is_written(part); })) {
      has_value[line.is_col ? 1 : 0] = true;
    } else {
      without.push_back(line);
    }
  }
  if (!has_value[0] || !has_value[1]) {
    for (const cube::Touch& touch : cube_touches_) {
      const bool of_a = touch.operand == 1 || touch.operand == 4;
      const bool decides = touch.operand != 0 && of_a != has_value[0];
      if (decides && !is_written(touch)) return tell_unwritten(issued, touch);
    }
  }
  parts.clear();
  for (const cube::Line& line : without) cube::results_of(issued.instruction, line, parts);
  for (const cube::Touch& part : parts) {
    std::uint64_t at = 0;
    const Memory memory = locate(reinterpret_cast<const void*>(part.begin), at);
    if (memory == Memory::count) continue;
    local_[static_cast<std::size_t>(memory)].forget_values(at, at + part.bytes);
  }
}

/// Finds the sums without a value to which an Mmad adds. It is an error if no sum has one.
void Core::find_unwritten_sums(const Issued& issued) {
  unwritten_sums_.clear();
  const cube::Touch* first = nullptr;
  bool has_value = false;
  for (const cube::Touch& touch : cube_touches_) {
    if (touch.operand != 0 || touch.write) continue;
    std::uint64_t at = 0;
    const Memory memory = locate(reinterpret_cast<const void*>(touch.begin), at);
    if (memory == Memory::count) continue;
    if (!first) first = &touch;
    Shadow& shadow = local_[static_cast<std::size_t>(memory)];
    const std::uint64_t end = at + touch.bytes;
    for (std::uint64_t begin = shadow.unwritten(at, end); begin != end;) {
      const std::uint64_t next = shadow.written(begin, end);
      unwritten_sums_.push_back({memory, {begin, next - begin}});
      begin = shadow.unwritten(next, end);
    }
    has_value = has_value || shadow.written(at, end) != end;
  }
  if (first && !has_value) tell_unwritten(issued, *first);
}

void Core::touch_cube(const Issued& issued) {
  const aclsimInstruction& instruction = issued.instruction;
  if (instruction.opcode == ACLSIM_CUBE_MMAD) find_unwritten_sums(issued);
  const bool loads = instruction.opcode != ACLSIM_CUBE_MMAD;
  const cube::Touch* without_value = nullptr;
  bool has_value = false;
  for (const cube::Touch& touch : cube_touches_) {
    const aclsimOperand& operand = instruction.operand[touch.operand];
    const bool global = memory_of(operand.position) == Memory::count;
    if (!touch.padding) check_end(issued, operand, touch.begin, touch.bytes);
    if (global) {
      require_global(touch.begin, touch.bytes, touch.write, issued.name, issued.site);
      host_->copies_global();
    } else if (loads && !touch.write && issued.unwritten == Unwritten::none && !has_value) {
      std::uint64_t at = 0;
      const Memory memory = locate(reinterpret_cast<const void*>(touch.begin), at);
      has_value = memory == Memory::count || local_[static_cast<std::size_t>(memory)].written(
                                                 at, at + touch.bytes) != at + touch.bytes;
      if (!without_value) without_value = &touch;
    }
    this->touch(issued, touch.begin, touch.bytes, touch.write, operand.tensor);
  }
  if (issued.instruction.opcode == ACLSIM_CUBE_MMAD) {
    const auto wrong =
        std::find_if(cube_touches_.begin(), cube_touches_.end(), [&](const cube::Touch& touch) {
          return !touch.write && touch.operand != 0 && !is_written(touch);
        });
    if (wrong != cube_touches_.end()) keep_unwritten_sums(issued);
    for (const auto& [memory, span] : unwritten_sums_) {
      local_[static_cast<std::size_t>(memory)].forget_values(span.begin, span.begin + span.bytes);
    }
    return;
  }
  if (without_value && !has_value) tell_unwritten(issued, *without_value);
}

void Core::tell_unwritten(const Issued& issued, const cube::Touch& touch) {
  std::uint64_t at = 0;
  const Memory memory = locate(reinterpret_cast<const void*>(touch.begin), at);
  const std::uint64_t end = at + touch.bytes;
  const std::uint64_t tensor = issued.instruction.operand[touch.operand].tensor;
  tell_unwritten(issued,
                 whats_.number({issued.site, issued.name, static_cast<std::uint32_t>(tensor)}),
                 memory, local_[static_cast<std::size_t>(memory)].unwritten(at, end), at, end);
}

void Core::issue_cube(const aclsimInstruction& instruction, const void* site) {
  if (cube::is_empty(instruction)) return;
  const char* const called = cube::called(instruction);
  const Pipe pipe = pipe_of(instruction.pipe);
  if (options_.checks) require_live(instruction, site, called);
  Issued issued{instruction, pipe, called, site, 0};
  if (instruction.opcode == ACLSIM_CUBE_SQUARES || instruction.opcode == ACLSIM_CUBE_IMAGE ||
      instruction.opcode == ACLSIM_CUBE_MMAD) {
    issued.unwritten = Unwritten::none;
  }
  check_cube(issued);
  if (auto wrong = cube::check(instruction)) {
    std::string text = fmt::format("{}: {}", called, *wrong);
    wrong.reset();
    violated("argument", std::move(text), site);
  }
  const std::uint32_t sub_block = sub_block_of(instruction);
  require_receiver(issued, has_two_receivers(instruction) ? 1 : sub_block);
  const std::uint32_t unit_flag = unit_flag_of(instruction);
  std::vector<cube::Touch>& touches = cube_touches_;
  touches.clear();
  if (options_.checks || unit_flag != 0) cube::touched(instruction, touches);
  const unsigned sums = pipe == Pipe::fix ? 1 : 0;
  const auto each_sum = [&](auto&& f) {
    for (const cube::Touch& touch : touches) {
      if (touch.operand == sums && touch.write == (pipe == Pipe::m)) f(touch);
    }
  };
  if (unit_flag != 0) {
    each_sum([&](const cube::Touch& touch) { wait_for_unit_flag(issued, touch); });
  }
  issued.tick = step(pipe);
  const aclsimOperand& to = instruction.operand[0];
  const bool global = memory_of(to.position) == Memory::count;
  if (options_.checks) touch_cube(issued);
  const Moved moved{global ? atomic_ : Atomic::none,
                    atomic_element_ != 0 ? atomic_element_ : to.element,
                    global,
                    pipe,
                    issued.tick,
                    site,
                    host_->view(),
                    receiver_of(to, sub_block)};
  const bool saturates = vector::saturates(issue_state());
  if (options_.seeded) {
    pipes_.run(pipe, [this, moved, saturates, kept = std::make_shared<KeptCube>(instruction)] {
      CubeOutput output(*this, moved);
      cube::execute(kept->instruction, saturates, output);
    });
  } else {
    CubeOutput output(*this, moved);
    cube::execute(instruction, saturates, output);
  }
  if (unit_flag == 3) {
    each_sum([&](const cube::Touch& touch) { set_unit_flag(issued, touch); });
  }
}

}  // namespace ascendc
