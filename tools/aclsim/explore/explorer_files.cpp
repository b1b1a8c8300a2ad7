// SPDX-License-Identifier: Apache-2.0
// The report files of an exploration, in the formats of `run`.
#include <fmt/format.h>
#include <stdlib.h>

#include <cctype>
#include <filesystem>
#include <string>
#include <utility>

#include "device_sim/base/files.h"
#include "device_sim/sharing/lost_output.h"
#include "tools/aclsim/explore/explorer.h"
#include "tools/aclsim/run/check_run.h"
#include "tools/aclsim/run/findings_file.h"
#include "tools/aclsim/verbs/commands.h"

namespace aclsim {
namespace {

constexpr const char* kReportVariable = "ACLSIM_CHECK_REPORT";

std::string actor_of(const std::string& word) {
  const bool stream = !word.empty() && std::isdigit(static_cast<unsigned char>(word[0]));
  return stream ? "stream " + word : "the host";
}

/// Sets the variable for its own lifetime.
class WithReport {
 public:
  explicit WithReport(const std::string& file) {
    if (const char* const before = ::getenv(kReportVariable)) before_ = before;
    ::setenv(kReportVariable, file.c_str(), 1);
  }
  ~WithReport() {
    if (before_.empty()) {
      ::unsetenv(kReportVariable);
    } else {
      ::setenv(kReportVariable, before_.c_str(), 1);
    }
  }
  WithReport(const WithReport&) = delete;
  WithReport& operator=(const WithReport&) = delete;

 private:
  std::string before_;
};

}  // namespace

// "17=5  # copy (app.cpp:90) instead of host"
std::string in_words(const std::string& departure) {
  const std::size_t equals = departure.find('='), blank = departure.find(' ');
  const std::size_t hash = departure.find("# "), instead = departure.rfind("instead of ");
  if (equals == std::string::npos || hash == std::string::npos || instead == std::string::npos) {
    return departure;
  }
  const std::string chosen = actor_of(departure.substr(equals + 1, blank - equals - 1));
  const std::string step = departure.substr(hash + 2, instead - hash - 2);  // "copy "; the host: ""
  const std::string next = actor_of(departure.substr(instead + 11));
  return fmt::format("decision {}: {} {} instead of {}", departure.substr(0, equals), chosen,
                     step.empty() ? "went on" : "ran its " + step.substr(0, step.size() - 1), next);
}

/// Repeats the failed trial to get the findings of the checker.
order::Report Explorer::findings() {
  if (options_.run_options.empty() || is_hang()) return {};
  std::string folder = (std::filesystem::temp_directory_path() / "aclsim-XXXXXX").string();
  if (!::mkdtemp(folder.data())) return {};
  const std::string file = folder + "/findings.json";
  order::Report report;
  try {
    const WithReport variable(file);
    Trial trial = finding_->trial;
    trial.fresh = true;
    trial.record.clear();
    runner_.run(trial);
    report = read_findings(sim::read_file(file));
  } catch (const std::exception&) {  // without a report, the exit code is reported as failure
  }
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  arrange(report);
  return report;
}

void Explorer::write_reports() {
  if (options_.reports.empty()) return;
  order::Report report;
  if (finding_) {
    report = findings();
    report.facts.emplace_back("seed", finding_->trial.seed);
    report.facts.emplace_back("strategy", finding_->trial.strategy);
    for (const std::string& line : departures_)
      report.facts.emplace_back("schedule", in_words(line));
    report.facts.emplace_back("reproduce", command_of(finding_->trial));
    if (report.at_least(options_.fail_on) == 0) {
      report.failure = fmt::format("run {} failed: {}", finding_->run, finding_->what);
    }
  }
  report.facts.emplace_back("runs", std::to_string(done_));
  report.version = ACLSIM_VERSION;
  report.program = fmt::format("{}", fmt::join(options_.program, " "));
  for (const std::string& file : options_.reports) {
    const int error = sim::write_file(file, in_format_of(file, report, options_.fail_on));
    if (error != 0) {
      complain(fmt::format("explore: --report: {} cannot be written: {}", file,
                           sim::output_error(error)));
      reports_lost_ = true;
    }
  }
}

}  // namespace aclsim
