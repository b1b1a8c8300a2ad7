// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "acl/acl_rt.h"
#include "device_sim/base/mutex.h"
#include "runtime/acl/base/section.h"

namespace acl {

class Runtime;
struct InitConfig;

/// aclInit and aclFinalize: a count, the configuration of the program, and its callbacks.
class Lifecycle final : public Section {
 public:
  explicit Lifecycle(Runtime&) {}
  /// `path` may be null. Raises ACL_ERROR_REPEAT_INITIALIZE (and counts) when initialised already.
  void init(Runtime& runtime, const char* path);
  /// Drops the count to 0. Raises ACL_ERROR_REPEAT_FINALIZE when it is 0 already.
  void finalize(Runtime& runtime);
  /// Drops the count by one and returns what is left.
  std::uint64_t finalize_reference(Runtime& runtime);
  void reset() override;

  void add_init_callback(aclRegisterCallbackType type, aclInitCallbackFunc function, void* data);
  void remove_init_callback(aclRegisterCallbackType type, aclInitCallbackFunc function);
  void add_finalize_callback(aclRegisterCallbackType type, aclFinalizeCallbackFunc function,
                             void* data);
  void remove_finalize_callback(aclRegisterCallbackType type, aclFinalizeCallbackFunc function);

 private:
  template <class Function>
  struct Registration {
    aclRegisterCallbackType type;
    Function function;
    void* data;
  };
  template <class Function>
  static void add(std::vector<Registration<Function>>& list, aclRegisterCallbackType type,
                  Function function, void* data);
  template <class Function>
  static void remove(std::vector<Registration<Function>>& list, aclRegisterCallbackType type,
                     Function function);
  void tear_down(Runtime& runtime);
  void begin_recording(Runtime& runtime, const InitConfig& config, const char* path)
      REQUIRES(mutex_);
  void end_recording(Runtime& runtime) REQUIRES(mutex_);

  sim::Mutex mutex_;
  std::uint64_t count_ GUARDED_BY(mutex_) = 0;
  bool dumps_ GUARDED_BY(mutex_) = false;     // the configuration turned a dump on
  bool profiles_ GUARDED_BY(mutex_) = false;  // the configuration turned a profile on
  // Compared with the configuration of a later initialisation.
  std::optional<std::string> first_config_ GUARDED_BY(mutex_);
  std::string config_ GUARDED_BY(mutex_);
  std::vector<Registration<aclInitCallbackFunc>> init_ GUARDED_BY(mutex_);
  std::vector<Registration<aclFinalizeCallbackFunc>> finalize_ GUARDED_BY(mutex_);
};

}  // namespace acl
