// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/check_run.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "runtime/order/family.h"
#include "runtime/order/suppressions.h"
#include "tools/aclsim/findings_file.h"

namespace aclsim {

namespace fs = std::filesystem;

namespace {

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string in_format_of(const fs::path& path, const order::Report& report, order::Level fail_on) {
  const std::string ending = path.extension().string();
  if (ending == ".json") return to_json(report);
  if (ending == ".sarif") return to_sarif(report);
  if (ending == ".xml") return to_junit(report, fail_on);
  return to_text(report);
}

}  // namespace

CheckFolder::CheckFolder() {
  std::string name = (fs::temp_directory_path() / "aclsim-check.XXXXXX").string();
  if (!::mkdtemp(name.data())) {
    throw fs::filesystem_error("no folder can be made", name,
                               std::error_code(errno, std::generic_category()));
  }
  path_ = name;
}

CheckFolder::~CheckFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::vector<fs::path> CheckFolder::files(const std::string& extension) const {
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(path_)) {
    if (entry.path().extension() == extension) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

order::Report CheckFolder::between(const std::string& suppressions) const {
  std::vector<order::ProcessLog> logs;
  for (const fs::path& path : files(".shared")) logs.push_back(order::read_log(content_of(path)));
  order::Report report;
  report.findings = order::check_between(logs);
  if (!suppressions.empty()) {
    order::Suppressions lines;
    lines.add_file(suppressions);
    lines.apply(report);
  }
  return report;
}

CheckResult CheckFolder::result(const std::string& suppressions) const {
  CheckResult result;
  std::vector<order::Report> reports;
  for (const fs::path& path : files(".json")) {
    reports.push_back(read_findings(path));
    const std::string process = path.stem().string();
    for (auto& finding : reports.back().findings) finding.process = process;
  }
  result.processes = reports.size();
  if (reports.size() == 1) {
    for (auto& finding : reports.back().findings) finding.process.clear();
  }
  result.between = between(suppressions);
  if (result.processes != 0) reports.push_back(result.between);
  result.all = join(std::move(reports));
  return result;
}

std::string write_joined(const CheckResult& result, const std::vector<std::string>& files,
                         order::Level fail_on) {
  std::string wrong;
  for (const std::string& name : files) {
    std::string path = name;
    const std::size_t at = path.find("%p");
    const bool own = at != std::string::npos;  // each process has written its own
    if (own && result.between.findings.empty()) continue;
    if (own) path.replace(at, 2, "between");
    std::error_code error;
    if (!own && fs::exists(path, error) && !fs::is_regular_file(path, error)) continue;
    std::ofstream file(path, std::ios::binary);
    file << in_format_of(path, own ? result.between : result.all, fail_on);
    if (file.flush()) continue;
    wrong += fmt::format("{}{} cannot be written", wrong.empty() ? "" : ", ", path);
  }
  return wrong;
}

}  // namespace aclsim
