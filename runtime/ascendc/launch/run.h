// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "ascendc/impl/launch.h"
#include "runtime/acl/embedding/embedding.h"
#include "runtime/ascendc/launch/block.h"

namespace ascendc {

/// One execution of a launch: which of its blocks run, wait and are over.
class Run {
 public:
  Run(const aclsimKernelCode& code, const void* args, std::uint32_t blocks);
  ~Run();

  /// Runs blocks until none is left that can run. Any number of threads at once.
  void work();
  /// What the device reports: 0, or why it failed.
  std::int32_t result() const noexcept { return result_; }

  const aclsimKernelCode& code() const noexcept { return code_; }
  const void* args() const noexcept { return args_; }
  /// A block ended early.
  void failed(Block& block, End why);

 private:
  std::unique_ptr<Block> next_block();

  const aclsimKernelCode& code_;
  const void* const args_;
  const std::uint32_t blocks_;
  std::uint32_t started_ = 0;
  std::int32_t result_ = 0;
};

}  // namespace ascendc
