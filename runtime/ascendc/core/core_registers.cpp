// SPDX-License-Identifier: Apache-2.0
// Calls of register functions: each is one operation of the vector pipe.
#include <fmt/format.h>

#include "runtime/ascendc/core/core.h"

namespace ascendc {
namespace {

constexpr aclsimInstruction kNoInstruction{};

}  // namespace

void Core::begin_registers(const void* /*site*/) {
  if (register_depth_++ != 0) return;
  pipes_.drain(Pipe::v);
  register_iterations_.clear();
  look_for_received();
  if (options_.checks) register_call_.begin(row_of(Memory::ub).all());
}

std::uint64_t Core::register_iteration(const char* file, std::uint32_t line) {
  return register_iterations_[{file, line}]++;
}

void Core::end_registers() {
  if (register_depth_ == 0 || --register_depth_ != 0 || !register_call_.open()) return;
  register_call_.end();
  const std::uint32_t tick = step(Pipe::v);
  // Reads come first: a call may write the bytes that it reads.
  for (const bool write : {false, true}) {
    for (const RegisterCall::Access& access : register_call_.accesses()) {
      if (access.write != write) continue;
      record_as_vector(access, tick);
    }
  }
}

// A register function has pointers, also to the arrays that functions declare.
void Core::record_as_vector(const RegisterCall::Access& access, std::uint32_t tick) {
  const Issued issued{kNoInstruction, Pipe::v, access.name, access.site, tick};
  const std::uint32_t what = whats_.number({access.site, access.name, 0});
  record({Memory::ub, access.begin}, issued, access.end - access.begin, access.write, what);
}

void Core::register_barrier(std::uint32_t before, std::uint32_t after) {
  constexpr std::uint32_t kStores = 0;
  constexpr std::uint32_t kLoads = 1;
  constexpr std::uint32_t kAll = 4;
  const bool stores = before == kStores || before == kAll;
  if (stores && (after == kLoads || after == kAll)) register_call_.barrier();
}

void Core::register_access(const RegisterAccess& access, const void* site) {
  std::byte* const base = memory(Memory::ub);
  const std::uint64_t size = row_of(Memory::ub).all();
  const std::uint64_t begin =
      reinterpret_cast<std::uintptr_t>(access.address) - reinterpret_cast<std::uintptr_t>(base);
  const char* const does = access.write ? "writes" : "reads";
  if (begin > size) {
    violated("local-exceeded",
             fmt::format("{}: {} {} bytes at {}, which is outside of the unified buffer",
                         access.name, does, access.bytes, fmt::ptr(access.address)),
             site);
  }
  if (access.bytes > size - begin) {
    violated("local-exceeded",
             fmt::format("{}: {} bytes at offset {} pass the end of the unified buffer, which has "
                         "{} bytes",
                         access.name, access.bytes, begin, size),
             site);
  }
  if (begin + access.bytes > memory_bytes(Memory::ub))
    uses_reserved(access.name, begin, access.bytes, site);
  if (begin % access.alignment != 0) {
    violated("misaligned",
             fmt::format("{}: {} {} bytes at offset {} of the unified buffer; expected a multiple "
                         "of {}",
                         access.name, does, access.bytes, begin, access.alignment),
             site);
  }
  if (!options_.checks || access.bytes == 0) {
    if (register_depth_ == 0) pipes_.drain(Pipe::v);
    return;
  }
  std::uint64_t end = begin + access.bytes;
  const PointedTensors::Range tensor = pointed_.around(begin);
  if (tensor.end != 0 && end > tensor.end) {
    // A load takes a whole register; the lanes behind the tensor have no meaning.
    if (access.write) {
      found_once("tensor-exceeded",
                 fmt::format("{}: writes bytes {} to {} of the unified buffer, {} bytes past "
                             "the end of its tensor (bytes {} to {})",
                             access.name, begin, end, end - tensor.end, tensor.begin, tensor.end),
                 site);
    } else {
      end = tensor.end;
    }
  }
  record_register_access({begin, end, site, access.name, access.write}, access.data);
}

void Core::record_register_access(const RegisterCall::Access& access, const void* data) {
  if (!register_call_.open()) {
    pipes_.drain(Pipe::v);
    return record_as_vector(access, step(Pipe::v));
  }
  if (access.write) return register_call_.write(access, data);
  const RegisterCall::Store earlier = register_call_.read(access, data);
  if (earlier.site == nullptr) return;
  const std::uint32_t what = whats_.number({access.site, access.name, 0});
  const std::uint32_t store = whats_.number({earlier.site, earlier.name, 0});
  if (!told_.insert({store, what}).second) return;
  host_->found({.level = Level::error,
                .rule = "register-order",
                .text = fmt::format("{} reads bytes {} to {} of the unified buffer that {} ({}) "
                                    "writes in the same call, and nothing orders them",
                                    access.name, access.begin, access.end, earlier.name,
                                    host_->place_of(earlier.site)),
                .site = access.site,
                .other = earlier.site,
                .other_what = earlier.name});
}

void Core::found_once(const char* rule, std::string text, const void* site, Level level) {
  if (!options_.checks || !told_.insert({whats_.number({site, rule, 0}), ~2U}).second) return;
  host_->found({.level = level, .rule = rule, .text = std::move(text), .site = site});
}

void Core::uses_reserved(const char* called, std::uint64_t at, std::uint64_t bytes,
                         const void* site) {
  const MemoryRow& row = row_of(Memory::ub);
  found_once(
      "local-reserved",
      fmt::format("{}: {} bytes at offset {} of {}, of which programs may use {}; the others "
                  "are for the stack of vector functions and the library",
                  called, bytes, at, row.name, row.bytes),
      site, Level::warning);
}

}  // namespace ascendc
