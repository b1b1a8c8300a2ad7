// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/base/ref.h"
#include "runtime/acl/base/handle_table.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/rtc/source_files.h"

namespace acl::rtc {

/// A source of kernels that is compiled at run time, and the result. Any number of threads.
class Program : public sim::RefCounted<Program> {
 public:
  Program(std::string name, std::string source, std::vector<Header> headers);

  /// Raises ACL_ERROR_RTC_NO_NAME_EXPR_AFTER_COMPILATION when the program is compiled.
  void add_name(std::string expression);
  /// Raises ACL_ERROR_RTC_COMPILATION or ACL_ERROR_RTC_LINKING; the log has the reason. A program
  /// can be compiled again, with other options.
  void compile(const std::vector<std::string>& options);
  /// The name under which the linker has the kernel of an expression, as long as the program is not
  /// compiled again.
  const char* lowered_name(const std::string& expression) const;
  /// The shared object. Raises ACL_ERROR_RTC_INVALID_PROG unless the program is compiled.
  std::string binary() const;
  /// The messages of the compiler; empty before the compilation.
  std::string log() const;

 private:
  void require_compiled() const REQUIRES(mutex_);

  const std::string name_;
  const std::string source_;
  const std::vector<Header> headers_;

  mutable sim::Mutex mutex_;
  std::vector<std::string> expressions_ GUARDED_BY(mutex_);
  std::vector<std::string> lowered_ GUARDED_BY(mutex_);  // of each expression
  std::string binary_ GUARDED_BY(mutex_);                // empty: not compiled
  std::string log_ GUARDED_BY(mutex_);
};

using ProgramTable = HandleTable<Program, HandleKind::rtc_program>;

/// The programs of the process. They do not use devices, so they outlive aclFinalize().
class Programs final : public Section {
 public:
  explicit Programs(Runtime&) {}
  ProgramTable& table() noexcept { return table_; }

 private:
  ProgramTable table_;
};

}  // namespace acl::rtc
