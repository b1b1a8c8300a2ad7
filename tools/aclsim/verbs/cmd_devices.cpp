// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "acl/acl_sim.h"
#include "tools/aclsim/options/common_options.h"
#include "tools/aclsim/options/environment.h"
#include "tools/aclsim/output/standard_output.h"
#include "tools/aclsim/output/text_table.h"
#include "tools/aclsim/verbs/commands.h"

namespace aclsim {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

void require(aclError code) {
  if (code == ACL_SUCCESS) return;
  const char* const text = aclGetRecentErrMsg();
  throw std::runtime_error(fmt::format("devices: {}: {}", int{code}, text ? text : "no message"));
}

struct DeviceLine {
  std::int32_t id;
  std::string name;
  std::uint64_t used_mib;
  std::uint64_t total_mib;
  std::uint32_t ai_cores;
  const char* status;
};

std::vector<DeviceLine> read_devices(const aclsimMachine& machine) {
  std::vector<DeviceLine> lines;
  for (std::uint32_t d = 0; d < machine.devices; ++d) {
    const auto id = static_cast<std::int32_t>(d);
    std::uint64_t used = 0;
    std::uint64_t total = 0;
    require(aclsimGetDeviceMemory(id, &used, &total));
    lines.push_back(
        {id, machine.socName, (used + kMiB - 1) / kMiB, total / kMiB, machine.aiCores, "OK"});
  }
  return lines;
}

std::string link_name(std::uint32_t kind) {
  switch (kind) {
    case ACL_RT_DEVS_TOPOLOGY_HCCS:
      return "HCCS";
    case ACL_RT_DEVS_TOPOLOGY_PIX:
      return "PIX";
    case ACL_RT_DEVS_TOPOLOGY_PIB:
      return "PIB";
    case ACL_RT_DEVS_TOPOLOGY_PHB:
      return "PHB";
    case ACL_RT_DEVS_TOPOLOGY_SYS:
      return "SYS";
    case ACL_RT_DEVS_TOPOLOGY_SIO:
      return "SIO";
    case ACL_RT_DEVS_TOPOLOGY_HCCS_SW:
      return "HCCS_SW";
    default:
      return "-";
  }
}

std::string link_between(std::int32_t a, std::int32_t b) {
  std::uint32_t kind = 0;
  require(aclsimGetLink(a, b, &kind));
  return link_name(kind);
}

/// The kinds of links between all devices, one row for each device; "X" is the device itself.
std::vector<TableRow> read_links(std::uint32_t devices) {
  std::vector<TableRow> rows(devices);
  for (std::uint32_t a = 0; a < devices; ++a) {
    for (std::uint32_t b = 0; b < devices; ++b) {
      rows[a].push_back(
          a == b ? "X" : link_between(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)));
    }
  }
  return rows;
}

// ---- formats ----

void print_devices(const aclsimMachine& machine, const std::vector<DeviceLine>& devices) {
  if (devices.empty()) {
    print_out("no devices: the machine has none, or ASCEND_RT_VISIBLE_DEVICES hides them\n");
    return;
  }
  std::vector<TableRow> rows{{"id", "name", "memory used/total MiB", "AI cores", "status"}};
  for (const DeviceLine& d : devices) {
    rows.push_back({std::to_string(d.id), d.name, fmt::format("{} / {}", d.used_mib, d.total_mib),
                    std::to_string(d.ai_cores), d.status});
  }
  print_table(rows, {Align::right, Align::left, Align::right, Align::right, Align::left});
  std::vector<TableRow> matrix{{""}};
  for (const DeviceLine& d : devices) matrix[0].push_back(std::to_string(d.id));
  const std::vector<TableRow> links = read_links(machine.devices);
  for (std::size_t a = 0; a < links.size(); ++a) {
    matrix.push_back({std::to_string(a)});
    matrix.back().insert(matrix.back().end(), links[a].begin(), links[a].end());
  }
  print_out("\nlinks ({}; -: no path)\n", machine.topology);
  print_table(matrix, {Align::right, Align::left});
}

void print_json(const aclsimMachine& machine, const std::vector<DeviceLine>& devices) {
  std::vector<std::string> lines;
  for (const DeviceLine& d : devices) {
    lines.push_back(fmt::format(
        "\n    {{\"id\": {}, \"name\": {}, \"memory_used_mib\": {}, \"memory_total_mib\": {}, "
        "\"ai_cores\": {}, \"status\": {}}}",
        d.id, json_string(d.name), d.used_mib, d.total_mib, d.ai_cores, json_string(d.status)));
  }
  std::vector<std::string> links;
  for (TableRow& row : read_links(machine.devices)) {
    for (std::string& cell : row) cell = json_string(cell);
    links.push_back(fmt::format("\n    [{}]", fmt::join(row, ", ")));
  }
  print_out("{{\n  \"topology\": {},\n  \"devices\": [{}],\n  \"links\": [{}]\n}}\n",
            json_string(machine.topology), fmt::join(lines, ","), fmt::join(links, ","));
}

void print_rows(const std::vector<DeviceLine>& devices) {
  std::vector<TableRow> rows;
  for (const DeviceLine& d : devices) {
    rows.push_back({std::to_string(d.id), d.name, std::to_string(d.used_mib),
                    std::to_string(d.total_mib), std::to_string(d.ai_cores), d.status});
  }
  print_tsv(rows);
}

int show_devices(const std::string& format) {
  unset_timeline();  // this process must not overwrite the timeline of an earlier run
  aclsimMachine machine{};
  machine.size = sizeof machine;
  if (aclsimGetMachine(&machine) != ACL_SUCCESS) return kUsage;  // the library printed the reason
  const std::vector<DeviceLine> devices = read_devices(machine);
  if (format == "json") print_json(machine, devices);
  if (format == "tsv") print_rows(devices);
  if (format == "table") print_devices(machine, devices);
  return kOk;
}

}  // namespace

void add_devices(CLI::App& app, Verb& chosen) {
  CLI::App* const verb =
      app.add_subcommand("devices", "Show the emulated machine that programs run on");
  verb->footer(
      "ACLSIM_CONFIG and the other ACLSIM_ variables describe the machine.\n"
      "Example:\n  ACLSIM_DEVICES=2 aclsim devices --to tsv");
  const auto format = std::make_shared<std::string>("table");
  add_format(*verb, *format, {"table", "tsv"},
             "set the output format: table (default), or tsv (id, name, memory used and total in "
             "MiB,\nAI cores, status)");
  verb->callback([=, &chosen] { chosen = [=] { return show_devices(*format); }; });
}

}  // namespace aclsim
