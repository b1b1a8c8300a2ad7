// SPDX-License-Identifier: Apache-2.0
// Profiles of PyTorch, event by event. Times in microseconds.
#pragma once

#include <fmt/format.h>

#include <string>

namespace lookalike {

class KinetoText {
 public:
  /// `category` as newer versions call it; older ones write "Kernel", "Runtime", ...
  KinetoText& call(const std::string& name, double ts, double dur, int correlation, int thread = 9,
                   const std::string& category = "cuda_runtime") {
    return add(category, name, thread, thread, ts, dur,
               fmt::format(R"("correlation":{})", correlation));
  }
  KinetoText& slice(const std::string& category, const std::string& name, int stream, double ts,
                    double dur, int correlation, const std::string& more = {}) {
    return add(category, name, 0, stream, ts, dur,
               fmt::format(R"("device":0,"stream":{},"correlation":{}{})", stream, correlation,
                           more.empty() ? "" : "," + more));
  }
  KinetoText& kernel(const std::string& name, int stream, double ts, double dur, int correlation,
                     const std::string& more = {}) {
    return slice("kernel", name, stream, ts, dur, correlation, more);
  }
  KinetoText& add(const std::string& category, const std::string& name, int pid, int tid, double ts,
                  double dur, const std::string& args) {
    return raw(fmt::format(
        R"({{"ph":"X","cat":"{}","name":"{}","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f},)"
        R"("args":{{{}}}}})",
        category, name, pid, tid, ts, dur, args));
  }
  KinetoText& raw(const std::string& event) {
    events_ += (events_.empty() ? "" : ",\n") + event;
    return *this;
  }
  std::string text(int rank = 0) const {
    return fmt::format(
        R"({{"schemaVersion":1,"distributedInfo":{{"rank":{}}},"traceEvents":[{}]}})", rank,
        events_);
  }
  /// As the oldest versions write it.
  std::string bare() const { return fmt::format(R"({{"traceEvents":[{}]}})", events_); }

 private:
  std::string events_;
};

}  // namespace lookalike
