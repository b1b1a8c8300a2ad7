// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/profiling/profile_session.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "device_sim/streams/program.h"
#include "device_sim/streams/stream.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/base/result_folder.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/trace/task_text.h"

namespace acl {
namespace {

using sim::Nanoseconds;

constexpr std::uint64_t kTasks =
    ACL_PROF_TASK_TIME | ACL_PROF_TASK_TIME_L0 | ACL_PROF_TASK_TIME_L2 | ACL_PROF_TASK_TIME_L3;
constexpr std::uint64_t kCalls = ACL_PROF_ACL_API | ACL_PROF_RUNTIME_API;

std::string random_letters(std::size_t count) {
  std::random_device random;
  std::string letters;
  while (letters.size() < count) letters += static_cast<char>('A' + random() % 26);
  return letters;
}

std::filesystem::path new_folder(const std::filesystem::path& parent, const std::string& digits) {
  static std::atomic<unsigned> number{0};
  return make_folder(parent / fmt::format("PROF_{:06}_{}_{}", ++number, digits, random_letters(16)),
                     "the folder of the profile", ACL_ERROR_PROFILING_FAILURE);
}

}  // namespace

ProfileSession::ProfileSession(Runtime& runtime, sim::Ref<ProfileConfig> config,
                               const std::filesystem::path& parent, ProfileOptions options)
    : runtime_(runtime),
      config_(std::move(config)),
      options_(std::move(options)),
      digits_(time_digits()),
      start_(runtime.driver().now_ns()),
      folder_(new_folder(parent, digits_)) {
  const auto output = make_folder(folder_ / "mindstudio_profiler_output",
                                  "the folder of the profile", ACL_ERROR_PROFILING_FAILURE);
  timeline_ = std::make_unique<trace_output::Timeline>(
      (output / fmt::format("msprof_{}.json", digits_)).string(), 0, runtime.driver());
}

bool ProfileSession::overlaps(const ProfileConfig& other) const noexcept {
  if (config_->devices.empty() && other.devices.empty()) return true;
  return std::any_of(config_->devices.begin(), config_->devices.end(), [&](int device) {
    return std::binary_search(other.devices.begin(), other.devices.end(), device);
  });
}

// ---- while it runs ----

bool ProfileSession::watches(const sim::Stream& stream) const noexcept {
  return config_->holds(kTasks) &&
         std::binary_search(config_->devices.begin(), config_->devices.end(), stream.device());
}

void ProfileSession::api_call(const char* name, Nanoseconds start, Nanoseconds end) noexcept {
  if (config_->holds(kCalls)) timeline_->api_call(name, start, end);
}

void ProfileSession::range_opened(const trace_output::Range& range) noexcept {
  if (config_->holds(ACL_PROF_MSPROFTX)) timeline_->range_opened(range);
}

void ProfileSession::range_closed(std::uint64_t id, Nanoseconds end) noexcept {
  timeline_->range_closed(id, end);
}

void ProfileSession::mark(const trace_output::Range& mark) noexcept {
  if (config_->holds(ACL_PROF_MSPROFTX)) timeline_->mark(mark);
}

void ProfileSession::started(const sim::Stream& stream, const sim::Op& op, Nanoseconds now) {
  if (watches(stream)) timeline_->started(stream, op, now);
}

void ProfileSession::step_ended(const sim::Stream& stream, const sim::Op& op,
                                const sim::OpStep& step) {
  if (watches(stream)) timeline_->step_ended(stream, op, step);
}

void ProfileSession::finished(const sim::Stream& stream, const sim::Op& op, sim::Failure failure,
                              Nanoseconds start, Nanoseconds end) {
  if (!watches(stream)) return;
  start = std::max(start, start_);  // of a task that began before the profile
  timeline_->finished(stream, op, failure, start, end);
  // A task that never ran, or that only leads to other tasks, does not count.
  if (failure.error == sim::Error::aborted || sim::only_leads(op)) return;
  const trace_output::TaskText text = trace_output::describe(op);
  try {
    statistics_.add(stream.device(), text.name, text.type, end > start ? end - start : 0);
  } catch (const std::bad_alloc&) {
    // The thread is the machine's: the table lacks one task.
  }
}

// ---- at its end ----

std::string ProfileSession::info() const {
  nlohmann::json options = nlohmann::json::object();
  for (const auto& [type, text] : options_) options[std::to_string(type)] = text;
  const nlohmann::json info{
      {"tool", "aclsim"},
      {"process", getpid()},
      {"devices", config_->devices},
      {"data_type_config", config_->data},
      {"aicore_metrics", static_cast<int>(config_->metrics)},
      {"options", options},
      {"utc_begin", digits_},
      {"begin_ns", start_},
      {"end_ns", runtime_.driver().now_ns()},
  };
  return info.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void ProfileSession::finish() {
  timeline_->finish();
  const std::string path = timeline_->path();
  const std::string problem = timeline_->problem();
  timeline_.reset();
  if (config_->holds(kTasks)) {
    for (const int device : config_->devices) {
      const auto folder = make_folder(folder_ / fmt::format("device_{}", device),
                                      "the folder of the profile", ACL_ERROR_PROFILING_FAILURE);
      write_file(folder / fmt::format("op_statistic_{}.csv", digits_), statistics_.csv(device),
                 ACL_ERROR_PROFILING_FAILURE);
    }
  }
  write_file(folder_ / "info.json", info(), ACL_ERROR_PROFILING_FAILURE);
  if (!problem.empty()) {
    fail(ACL_ERROR_PROFILING_FAILURE, "the file {} is cut off ({})", path, problem);
  }
}

}  // namespace acl
