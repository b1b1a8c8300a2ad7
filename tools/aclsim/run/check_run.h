// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/sharing/mailbox.h"
#include "runtime/order/processes/process_group.h"
#include "runtime/order/report/report.h"

namespace aclsim {

/// The findings of a process that ended before it wrote its report.
struct Unfinished {
  std::string process;  // the process id
  std::string name;     // "process 4711", "rank 3"
  order::Report report;
};

/// The findings in a checked program.
struct CheckResult {
  std::size_t processes = 0;  // processes that left a report or a part of one
  std::vector<Unfinished> unfinished;
  bool began = false;              // some process has called ACL
  bool hung = false;               // some process ended because its hang was proven
  order::Report across_processes;  // findings between processes
  order::Report all;               // these, and the findings of each process
};

/// Receives the mail of a program's processes: the files that they could not complete and, from a
/// checked program, the findings of each process (during the run and at its end) and the log of its
/// operations on shared objects. All of it is kept in memory. Not thread-safe.
class RunInbox {
 public:
  /// The value of ACLSIM_RUN_MARK and ACLSIM_CHECK_PROCESS_GROUP.
  std::string address() const { return mailbox_.address(); }

  /// The incomplete files, "FILE: REASON", each once. To be called after the end of the program.
  const std::set<std::string>& lost_output();

  /// The effect of a fault in all ranks of a job.
  struct FaultTally {
    std::string text;
    std::uint64_t fired = 0;
    std::uint64_t matches = 0;  // calls or tasks that match the fault
  };
  const std::vector<FaultTally>& faults() const { return faults_; }

  /// The deadlocks of host threads, according to the logs so far. Empty unless no process has sent
  /// anything since the previous call. Reported once for each such state.
  order::Report stuck(const std::string& suppressions);

  /// `suppressions` names a file; empty: none. `several_hosts`: other hosts have the logs of some
  /// processes of the job. Throws std::runtime_error for a report that cannot be read.
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
  void name_blocked(order::Report& report, const std::string& process) const;

  sim::Mailbox mailbox_;
  std::set<std::string> lost_;
  std::vector<FaultTally> faults_;
  std::map<pid_t, std::string> ranks_;  // the ranks of processes that belong to one
  std::map<pid_t, Log> logs_;
  std::map<pid_t, std::string> reports_;
  bool began_ = false, hung_ = false;     // as in CheckResult
  std::map<pid_t, std::string> blocked_;  // what host threads wait for, a line for each
  std::map<std::pair<pid_t, std::uint64_t>, std::vector<std::string>> found_;  // process, instance
  std::uint64_t progress_ = 0;   // mails that show progress
  std::uint64_t looked_at_ = 0;  // the same at the last call of stuck()
  bool looked_ = false;          // this state was checked for deadlocks
};

/// While it exists, a thread reports deadlocks between processes immediately: such processes never
/// reach the end at which the other findings are reported.
class StuckWatch {
 public:
  StuckWatch(RunInbox& inbox, const std::string& suppressions);
  ~StuckWatch();
  StuckWatch(const StuckWatch&) = delete;
  StuckWatch& operator=(const StuckWatch&) = delete;

 private:
  void watch(RunInbox& inbox, const std::string& suppressions);

  sim::Mutex mutex_;
  sim::CondVar changed_;
  bool ended_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

/// Writes the report files for all processes together, since each process knows only its own
/// findings. Returns the files that could not be written and the reasons; empty: none.
std::string write_joined(const CheckResult& result, const std::vector<std::string>& files,
                         order::Level fail_on);

/// The report in the format of the file extension.
std::string in_format_of(const std::string& file, const order::Report& report,
                         order::Level fail_on);

}  // namespace aclsim
