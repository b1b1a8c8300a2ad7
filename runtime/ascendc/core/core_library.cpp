// SPDX-License-Identifier: Apache-2.0
// Calls of the library: each is one operation of the vector pipe.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "runtime/ascendc/core/core.h"
#include "runtime/ascendc/library/plan.h"

namespace ascendc {
namespace {

/// As a vector instruction with a count leaves them.
void reset_mask(vector::State& state) {
  state.mask[0] = state.mask[1] = ~std::uint64_t{0};
  state.counter = false;
}

/// A call with a copy of its data, for a pipe that computes it later.
struct KeptCall {
  explicit KeptCall(const aclsimInstruction& given) : instruction(given) {
    const auto& from = *static_cast<const aclsimLibraryCall*>(given.more);
    std::memcpy(&call, &from, std::min<std::size_t>(from.size, sizeof call));
    instruction.more = &call;
  }
  KeptCall(const KeptCall&) = delete;
  KeptCall& operator=(const KeptCall&) = delete;

  aclsimInstruction instruction;
  aclsimLibraryCall call{};
};

}  // namespace

void Core::issue_library(const aclsimInstruction& instruction, const void* site) {
  const library::Call call(instruction, vector::saturates(issue_state()));
  const char* const called = call.row().name;
  library::Plan plan(call);
  library::plan(call, plan);
  if (auto wrong = plan.violation()) {
    violated(wrong->fault == vector::Fault::kEmpty ? "tensor-empty" : "instruction",
             std::move(wrong->sentence), site);
  }
  const Issued issued{instruction, Pipe::v, called, site, step(Pipe::v)};
  if (options_.checks) check_library(issued, call, plan);
  reset_mask(issue_state());
  if (!options_.seeded) return library::compute(call);
  pipes_.run(Pipe::v, [this, kept = std::make_shared<KeptCall>(instruction)] {
    library::compute({kept->instruction, vector::saturates(unit_)});
    reset_mask(unit_);
  });
}

void Core::check_library(const Issued& issued, const library::Call& call,
                         const library::Plan& plan) {
  for (unsigned i = 0; i < call.operands(); ++i) {
    const std::uint64_t tensor = call.operand(i).tensor;
    if (call.has(i) && queues_.is_stale(tensor)) {
      violated("tensor-freed", std::string(issued.name) + ": " + queues_.stale(tensor),
               issued.site);
    }
  }
  if (auto overlap = plan.overlap()) {
    host_->found({.level = Level::error,
                  .rule = "overlap",
                  .text = std::move(*overlap),
                  .site = issued.site});
  }
  // Reads come first: a function may write the bytes that it reads.
  for (const std::uint8_t access : {ACLSIM_READS, ACLSIM_WRITES}) {
    for (const vector::Touch& t : plan.touches()) {
      if (t.access != access) continue;
      for (std::uint64_t k = 0; k < t.times; ++k) {
        touch(issued, t.address + k * t.stride, t.bytes, access == ACLSIM_WRITES,
              call.operand(t.operand).tensor);
      }
    }
  }
}

}  // namespace ascendc
