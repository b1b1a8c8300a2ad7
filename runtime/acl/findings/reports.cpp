// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/findings/reports.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "device_sim/base/files.h"
#include "device_sim/sharing/lost_output.h"
#include "device_sim/sharing/mailbox.h"
#include "runtime/acl/base/log.h"
#include "runtime/acl/watch/places.h"
#include "runtime/order/processes/process_group.h"
#include "runtime/order/repairs/fixes.h"
#include "runtime/order/report/suppressions.h"

namespace acl {
namespace {

std::string program_name() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string line((std::istreambuf_iterator<char>(file)), {});
  while (!line.empty() && line.back() == '\0') line.pop_back();
  std::replace(line.begin(), line.end(), '\0', ' ');
  return line;
}

// A requested report could not be written. A message has been logged.
bool incomplete = false;

void suppress(order::Report& report, const std::string& file) {
  try {
    order::Suppressions suppressions;
    suppressions.add_file(file);
    suppressions.apply(report);
  } catch (const std::exception& error) {
    notice(fmt::format("no suppressions: {}", error.what()));
    incomplete = true;
  }
}

order::Report make_report(const CheckConfig& config, const std::vector<order::Finding>& findings,
                          order::KernelCounts kernels) {
  order::Report report;
  report.kernels = kernels;
  report.version = ACLSIM_VERSION;
  report.program = program_name();
  if (!findings.empty()) {
    Places places;
    for (const order::Finding& finding : findings) {
      report.findings.push_back(
          order::place(finding, [&](std::uint64_t site) { return places.of(site); }));
    }
  }
  if (!config.suppressions.empty()) suppress(report, config.suppressions);
  arrange(report);
  return report;
}

std::string in_format_of(const std::string& path, const order::Report& report) {
  if (path.ends_with(".json")) return to_json(order::with_fixes(report));
  if (path.ends_with(".sarif")) return to_sarif(order::with_fixes(report));
  if (path.ends_with(".xml")) return to_junit(report, order::Level::error);
  return to_text(report);
}

/// %p becomes the process.
std::string of_this_process(std::string path) {
  for (std::size_t at; (at = path.find("%p")) != std::string::npos;) {
    path.replace(at, 2, std::to_string(getpid()));
  }
  return path;
}

void write_file(const std::string& path, const std::string& text) {
  const int error = sim::write_file(path, text);
  if (error == 0) return;
  notice(fmt::format("{} cannot be written: {}", path, sim::output_error(error)));
  incomplete = true;
  sim::report_lost_output(fmt::format("{}: {}", path, sim::output_error(error)));
}

void say(const std::string& text) {
  std::fflush(stderr);  // where the program has given it a buffer
  const int error = sim::write_all(STDERR_FILENO, text);
  if (error == 0) return;
  incomplete = true;
  sim::report_lost_output("findings on standard error: " + sim::output_error(error));
}

}  // namespace

namespace {

void write_text(const CheckConfig& config, const order::Report& report) {
  const bool empty =
      report.findings.empty() && report.kernels.undeclared == 0 && report.facts.empty();
  if (config.quiet || empty) return;
  say(to_text(report));
}

void write_files(const CheckConfig& config, const order::Report& report) {
  for (const std::string& path : config.outputs) {
    write_file(of_this_process(path), in_format_of(path, report));
  }
}

/// That means that the process has come to its end.
void send_to_group(const CheckConfig& config, const order::Report& report) {
  if (config.group_mailbox.empty()) return;
  const int error =
      sim::send_mail(config.group_mailbox, static_cast<std::uint32_t>(order::GroupMail::report), 0,
                     to_json(report));
  if (error != 0) {
    notice(fmt::format("the findings cannot be sent to aclsim run: {}", sim::mail_error(error)));
  }
}

}  // namespace

bool write_reports(const CheckConfig& config, const std::vector<order::Finding>& findings,
                   order::KernelCounts kernels, const std::vector<order::DevicePeaks>& peaks,
                   const std::vector<std::string>& blocked) {
  order::Report report = make_report(config, findings, kernels);
  for (const std::string& line : blocked) report.facts.emplace_back(order::kBlockedFact, line);
  const auto add = [&](const order::DevicePeaks& one) {
    report.facts.emplace_back(order::name_of_fact(one), to_text(one));
  };
  for (const auto& one : peaks) {
    if (is_near_limit(one)) add(one);
  }
  write_text(config, report);
  report.facts.resize(blocked.size());
  for (const auto& one : peaks) add(one);
  write_files(config, report);
  send_to_group(config, report);
  if (!config.fail_on) return false;
  if (report.at_least(*config.fail_on) == 0) return incomplete;
  say(
      fmt::format("aclsim: check: {}; exit code 1, unless it is another one already: findings at "
                  "{} or above (ACLSIM_CHECK_FAIL_ON)\n",
                  verdict_text(report), order::name(*config.fail_on)));
  return true;
}

void report_at_once(const CheckConfig& config, const order::Finding& finding,
                    const std::vector<order::Finding>& all, order::KernelCounts kernels) {
  write_text(config, make_report(config, {finding}, {}));
  if (!config.outputs.empty()) write_files(config, make_report(config, all, kernels));
}

void report_withdrawn(const CheckConfig& config, const order::Finding& line,
                      const std::vector<order::Finding>& all, order::KernelCounts kernels) {
  if (!config.quiet) say("aclsim: check: " + in_one_line(line) + "\n");
  if (!config.outputs.empty()) write_files(config, make_report(config, all, kernels));
}

std::string in_words(const std::vector<order::Finding>& findings) {
  Places places;
  std::string text;
  for (const order::Finding& finding : findings) {
    if (!text.empty()) text += "\n";
    text += to_text(order::from_here(
        order::place(finding, [&](std::uint64_t site) { return places.of(site); })));
  }
  return text;
}

std::string in_one_line(const order::Finding& finding) {
  Places places;
  return in_one_line(finding, [&](std::uint64_t site) { return places.of(site); });
}

std::string in_one_line(const order::Finding& finding, const order::Resolve& resolve) {
  const order::PlacedFinding placed = order::from_here(order::place(finding, resolve));
  const std::string where = order::position(placed.op_info.place);
  return where.empty() ? order::message(placed) : where + ": " + order::message(placed);
}

}  // namespace acl
