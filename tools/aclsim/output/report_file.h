// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace aclsim {

/// The runs of a report. Throws replay::ReportError with the name of the file.
std::vector<nlohmann::ordered_json> read_runs(const std::string& path);

/// Whether the file is a report, judging by its first bytes.
bool is_report(const std::string& path);

/// Like with_traces(), and also handles errors of reports and topologies.
int with_reports(const char* verb, const std::function<int()>& run);

}  // namespace aclsim
