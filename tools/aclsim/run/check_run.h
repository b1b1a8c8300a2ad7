// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "device_sim/sharing/mailbox.h"
#include "runtime/order/processes/process_group.h"
#include "runtime/order/report/report.h"

namespace aclsim {

/// What had been found in a process that did not come to the end where it reports.
struct Unfinished {
  std::string process;  // its number
  std::string name;     // "process 4711", "rank 3"
  order::Report report;
};

/// What was found in a checked program.
struct CheckResult {
  std::size_t processes = 0;  // that left a report, or a part of one
  std::vector<Unfinished> unfinished;
  order::Report across_processes;  // what its processes do to each other
  order::Report all;               // that, and what each of them does by itself
};

/// What the processes of a program send: which files they could not complete; and of a checked one
/// what was found in each, at its end and until then, and what it did with what it shares. All of
/// it is in this process's memory. Not thread-safe.
class RunInbox {
 public:
  /// What ACLSIM_RUN_MARK and ACLSIM_CHECK_PROCESS_GROUP are told.
  std::string address() const { return mailbox_.address(); }

  /// "FILE: REASON", each once. At the end of the program.
  const std::set<std::string>& lost_output();

  /// Of a job of several ranks: what became of a fault in all of them.
  struct FaultTally {
    std::string text;
    std::uint64_t fired = 0;
    std::uint64_t came = 0;  // what it names
  };
  const std::vector<FaultTally>& faults() const { return faults_; }

  /// What host threads wait for that never comes, as far as the processes have come; once none of
  /// them has sent anything for a while.
  order::Report stuck(const std::string& suppressions);

  /// `suppressions` names a file; empty: none. `several_hosts`: there are processes of the job
  /// whose logs are at other hosts. Throws std::runtime_error for a report that cannot be read.
  CheckResult result(const std::string& suppressions, bool several_hosts = false);

 private:
  struct Log {
    std::uint64_t instance = 0;
    std::string text;
  };
  void take(bool last);
  void take_in(sim::Mail mail);
  void take_faults(const std::string& lines);
  std::string name_of(pid_t process) const;
  std::vector<order::ProcessLog> logs() const;
  std::vector<Unfinished> unfinished(const std::string& suppressions) const;

  sim::Mailbox mailbox_;
  std::set<std::string> lost_;
  std::vector<FaultTally> faults_;
  std::map<pid_t, std::string> ranks_;  // of those that are some rank's
  std::map<pid_t, Log> logs_;
  std::map<pid_t, std::string> reports_;
  std::map<std::pair<pid_t, std::uint64_t>, std::vector<std::string>> found_;  // process, instance
  std::uint64_t arrived_ = 0;                                                  // at the last look
  bool looked_ = false;                                                        // at that state
};

/// While it lives, a thread tells at once of processes that wait for each other for ever: they
/// would not come to the end where the rest is told.
class StuckWatch {
 public:
  StuckWatch(RunInbox& inbox, const std::string& suppressions);
  ~StuckWatch();
  StuckWatch(const StuckWatch&) = delete;
  StuckWatch& operator=(const StuckWatch&) = delete;

 private:
  void watch(RunInbox& inbox, const std::string& suppressions);

  std::mutex mutex_;
  std::condition_variable changed_;
  bool ended_ = false;
  std::thread thread_;
};

/// The report files of all processes together: who writes one by itself knows of no other. Returns
/// what could not be written; empty: nothing.
std::string write_joined(const CheckResult& result, const std::vector<std::string>& files,
                         order::Level fail_on);

/// The report as the ending of the file's name says.
std::string in_format_of(const std::string& file, const order::Report& report,
                         order::Level fail_on);

}  // namespace aclsim
