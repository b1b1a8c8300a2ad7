// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/report_file.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tools/aclsim/commands.h"
#include "tools/aclsim/trace_verb.h"
#include "tools/replay/report.h"

namespace aclsim {

std::vector<nlohmann::ordered_json> read_runs(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  if (!file || !(text << file.rdbuf())) {
    throw replay::ReportError(fmt::format("{}: cannot be read; expected a report", path));
  }
  return replay::runs_of(text.str(), path);
}

bool is_report(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string head(256, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
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
