// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "device_sim/base/mutex.h"
#include "device_sim/base/owned_fd.h"
#include "device_sim/streams/op.h"
#include "runtime/acl/base/section.h"
#include "runtime/acl/dump/dump_config.h"
#include "runtime/acl/dump/dump_output.h"
#include "runtime/acl/watch/registry.h"

namespace acl {

/// Writes what operators (kernels) work on: arguments, and the memory that their launches declare.
/// Files, below the configured folder:
///   <time>/<device>/<op>.<stream>.<task>.<number>.<input|output>.<n>.npy   data, by aclmdlSetDump
///   <device>/<op>.<stream>.<task>.<number>.<args|memory.<n>>.npy           of a failed operator
///   op_args_<time>_<process>.jsonl                                        by aclopStartDumpArgs
class Dump final : public Section, public watch::Listener {
 public:
  explicit Dump(Runtime& runtime) : runtime_(runtime) {}
  void reset() override;

  DumpOutput& output() noexcept { return output_; }

  /// Between init and finalize a configuration may be given, also again and again.
  void init();
  void configure(const char* path);
  void finalize();
  /// init and configure at once, by the configuration of aclInit; ended with the ACL's use.
  void begin(const char* path);
  void end();

  void start_args(const std::string& folder);
  void stop_args();

  /// Null when that kind of dump is off. Valid for as long as the process lives.
  const char* path(acldumpType type);
  /// The folder for saved tensors of a failed operator: the configured folder, or
  /// extra-info/data-dump below $ASCEND_WORK_PATH or the working folder.
  std::string exception_folder(int device) const;

  void started(const sim::Stream& stream, const sim::Op& op, sim::Nanoseconds now) override;
  void finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                sim::Nanoseconds start, sim::Nanoseconds end) override;

 private:
  struct Settings {
    DumpConfig config;
    std::string time;
  };
  struct ArgsFile {
    ArgsFile(std::string path_of_file, sim::OwnedFd opened)
        : file(std::move(opened)), path(std::move(path_of_file)) {}
    sim::Mutex mutex;
    sim::OwnedFd file GUARDED_BY(mutex);
    std::string path GUARDED_BY(mutex);
    int error GUARDED_BY(mutex) = 0;  // the first write that failed
  };
  static std::shared_ptr<const Settings> load(const char* path, const char* argument);
  std::shared_ptr<const Settings> settings() const;
  std::shared_ptr<ArgsFile> args_file() const;
  void set(std::shared_ptr<const Settings> settings, std::shared_ptr<ArgsFile> args_file)
      REQUIRES(control_);
  void write_range(const std::string& path, const sim::MemoryRange& range);
  void write_data(const Settings& settings, const sim::Stream& stream, const sim::Op& op,
                  bool written);
  bool write_arrays(const std::string& base, const sim::Op& op, bool written);
  void write_failed(const Settings& settings, const sim::Stream& stream, const sim::Op& op);
  std::string op_name(const sim::Stream& stream, const sim::Op& op);
  template <class F>
  void in_machine_thread(F&& f) noexcept;

  Runtime& runtime_;
  DumpOutput output_;
  sim::Mutex control_;  // held while dumps are turned on or off
  bool initialized_ GUARDED_BY(control_) = false;
  bool watching_ GUARDED_BY(control_) = false;
  std::set<std::string> paths_ GUARDED_BY(control_);  // that were handed out
  mutable sim::Mutex mutex_;
  std::shared_ptr<const Settings> settings_ GUARDED_BY(mutex_);  // null: no configuration
  std::shared_ptr<ArgsFile> args_file_ GUARDED_BY(mutex_);       // null: off
  std::atomic<std::uint64_t> numbers_{0};
  std::atomic<bool> told_{false};  // that something could not be written
};

/// Checks and writes the tensors that acldumpSaveExceptionInfo is given.
void save_tensors(Runtime& runtime, const std::string& folder, const char* file_name,
                  const char* user_tag, const acldumpTensorInfo* tensors, std::size_t count);

}  // namespace acl
