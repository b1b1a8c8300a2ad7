// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/output/report_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "device_sim/base/files.h"
#include "tools/aclsim/verbs/commands.h"
#include "tools/aclsim/verbs/trace_verb.h"
#include "tools/replay/results/report.h"

namespace aclsim {

std::vector<nlohmann::ordered_json> read_runs(const std::string& path) {
  std::string text;
  try {
    text = sim::read_file(path);
  } catch (const sim::FileError& error) {
    throw replay::ReportError(
        fmt::format("{}: cannot be read ({}); expected a report", path, error.what()));
  }
  return replay::runs_of(text, path);
}

bool is_report(const std::string& path) {
  std::string head(256, '\0');
  try {  // open_input() refuses pipes, since reading would remove the bytes: reports are files
    const sim::files::Closed file(sim::open_input(path));
    const ssize_t got = ::read(file.get(), head.data(), head.size());
    head.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  } catch (const sim::FileError&) {
    return false;
  }
  return head.find("\"aclsim_report\"") != std::string::npos;
}

int with_reports(const char* verb, const std::function<int()>& run) {
  try {
    return with_traces(verb, run);
  } catch (const replay::ReportError& error) {
    complain(fmt::format("{}: {}", verb, error.what()));
  } catch (const replay::TopologyError& error) {
    complain(fmt::format("{}: --topo: {}", verb, error.what()));
  }
  return kUsage;
}

}  // namespace aclsim
