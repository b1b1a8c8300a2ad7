// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/base/config.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>
#include <functional>
#include <optional>

#include "runtime/acl/base/fault_config.h"
#include "toml_parser.h"

namespace acl {
namespace {

using Setter = std::function<void(Config&, const std::string& value, const std::string& where)>;

[[noreturn]] void refuse(const std::string& where, const std::string& value,
                         const std::string& expected) {
  throw ConfigError(fmt::format("{}: '{}' is not valid; expected {}", where, value, expected));
}

template <class T>
T number(const std::string& value, const std::string& where, T low, T high, const char* unit = "") {
  T parsed{};
  const char* const end = value.data() + value.size();
  const auto [at, error] = std::from_chars(value.data(), end, parsed);
  if (error != std::errc() || at != end || parsed < low || parsed > high) {
    refuse(where, value, fmt::format("a number from {} to {}{}", low, high, unit));
  }
  return parsed;
}

std::size_t bytes(const std::string& value, const std::string& where) {
  static constexpr const char* kExpected =
      "a size such as 1073741824, \"512MiB\" or \"32GiB\" (at least 1MiB, at most 1TiB)";
  std::size_t count = 0;
  const char* const end = value.data() + value.size();
  const auto [at, error] = std::from_chars(value.data(), end, count);
  if (error != std::errc()) refuse(where, value, kExpected);
  const std::string unit(at, end);
  int shift = -1;
  if (unit.empty() || unit == "B") shift = 0;
  if (unit == "KiB") shift = 10;
  if (unit == "MiB") shift = 20;
  if (unit == "GiB") shift = 30;
  if (unit == "TiB") shift = 40;
  constexpr std::size_t kMost = std::size_t{1} << 40;
  if (shift < 0 || count > (kMost >> shift) || (count << shift) < (std::size_t{1} << 20)) {
    refuse(where, value, kExpected);
  }
  return count << shift;
}

bool flag(const std::string& value, const std::string& where) {
  if (value == "1" || value == "true" || value == "on") return true;
  if (value == "0" || value == "false" || value == "off" || value.empty()) return false;
  refuse(where, value, "1, true, on, 0, false or off");
}

template <class T>
T choice(const std::string& value, const std::string& where,
         std::initializer_list<std::pair<const char*, T>> choices) {
  std::string names;
  for (const auto& [name, result] : choices) {
    if (value == name) return result;
    names += names.empty() ? name : fmt::format(" or {}", name);
  }
  refuse(where, value, names);
}

template <class T>
Setter integer(T sim::SystemConfig::*field, T low, T high) {
  return [=](Config& config, const std::string& value, const std::string& where) {
    config.system.*field = number<T>(value, where, low, high);
  };
}

/// Names with commas between; the ending says what is written.
std::vector<std::string> files(const std::string& value, const std::string& where) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= value.size();) {
    const std::size_t end = std::min(value.find(',', at), value.size());
    const std::string name = value.substr(at, end - at);
    const auto ends = [&](const char* with) { return name.ends_with(with); };
    if (!name.empty() && !ends(".json") && !ends(".sarif") && !ends(".xml") && !ends(".txt")) {
      refuse(where, name, "a file that ends in .json, .sarif, .xml (JUnit) or .txt");
    }
    if (!name.empty()) names.push_back(name);
    at = end + 1;
  }
  return names;
}

Setter device_limit(std::uint32_t Config::DeviceLimits::*field) {
  return [=](Config& config, const std::string& value, const std::string& where) {
    config.device_limits.*field =
        number<std::uint32_t>(value, where, 0, UINT32_MAX, " (bytes)");
  };
}

void add_link(std::vector<std::pair<std::string, Setter>>& settings, const std::string& name,
              sim::LinkCost sim::SystemConfig::*link) {
  settings.emplace_back("link." + name + ".latency_ns",
                        [=](Config& c, const std::string& value, const std::string& where) {
                          (c.system.*link).latency_ns =
                              number<std::uint64_t>(value, where, 0, 1'000'000'000);
                        });
  settings.emplace_back("link." + name + ".bandwidth",
                        [=](Config& c, const std::string& value, const std::string& where) {
                          (c.system.*link).bytes_per_second =
                              number<double>(value, where, 1.0, 1e15, " (bytes per second)");
                        });
}

constexpr std::size_t kMostFaults = 1000;

/// Faults add up, wherever they are asked for.
template <class Parse>
void add_faults(Config& config, const std::string& where, Parse parse) {
  try {
    for (sim::FaultRule& rule : parse()) config.faults.push_back(std::move(rule));
  } catch (const sim::FaultSpecError& error) {
    throw ConfigError(where + ": " + error.what());
  }
  if (config.faults.size() > kMostFaults) {
    throw ConfigError(fmt::format("{}: there are {} faults; expected {} or less", where,
                                  config.faults.size(), kMostFaults));
  }
}

const std::vector<std::pair<std::string, Setter>>& settings() {
  using S = sim::SystemConfig;
  static const auto* const table = [] {
    auto* const rows = new std::vector<std::pair<std::string, Setter>>{
        {"machine.devices", integer<int>(&S::devices, 0, 1024)},
        {"machine.memory",
         [](Config& c, const std::string& v, const std::string& w) {
           c.system.memory_bytes = bytes(v, w);
         }},
        {"machine.pinned_memory",
         [](Config& c, const std::string& v, const std::string& w) {
           c.system.pinned_bytes = bytes(v, w);
         }},
        {"machine.memory_budget",
         [](Config& c, const std::string& v, const std::string& w) {
           c.system.memory_budget_bytes = bytes(v, w);
         }},
        {"machine.workers", integer<int>(&S::workers_per_device, 1, 64)},
        {"machine.pool_threads", integer<int>(&S::pool_threads, 0, 1024)},
        {"machine.schedule",
         [](Config& c, const std::string& v, const std::string& w) {
           c.system.schedule = choice<sim::Schedule>(
               v, w, {{"threads", sim::Schedule::threads}, {"seeded", sim::Schedule::seeded}});
         }},
        {"machine.seed", integer<std::uint64_t>(&S::seed, 0, UINT64_MAX)},
        {"machine.strategy",
         [](Config& c, const std::string& v, const std::string& w) {
           try {
             c.system.strategy = sim::parse_strategy(v);
           } catch (const std::invalid_argument& wrong) {
             refuse(w, v, wrong.what());
           }
         }},
        {"machine.host_access",
         [](Config& c, const std::string& v, const std::string& w) {
           c.system.host_access = choice<sim::HostAccess>(
               v, w, {{"open", sim::HostAccess::open}, {"guard", sim::HostAccess::guard}});
         }},
        {"machine.topology",
         [](Config& c, const std::string& v, const std::string& w) {
           c.system.topology = choice<sim::Topology>(v, w,
                                                     {{"all-to-all", sim::Topology::all_to_all},
                                                      {"two-groups", sim::Topology::two_groups}});
         }},
        {"machine.soc",
         [](Config& c, const std::string& v, const std::string& w) {
           if (v.empty() || v.size() > 31) refuse(w, v, "a name of 1 to 31 characters");
           c.system.soc_name = v;
         }},
        {"machine.ai_cores", integer<int>(&S::ai_cores, 1, 1024)},
        {"machine.vector_cores", integer<int>(&S::vector_cores, 1, 1024)},
        {"limits.streams", integer<int>(&S::streams_per_device, 1, 1 << 20)},
        {"limits.events", integer<int>(&S::events_per_device, 1, 1 << 20)},
        {"limits.notifies", integer<int>(&S::notifies_per_device, 1, 1 << 20)},
        {"limits.peers", integer<int>(&S::peer_limit, 0, 1024)},
        {"limits.kernel_timeout_interval",
         [](Config& c, const std::string& v, const std::string& w) {
           c.kernel_timeout_interval_us =
               number<std::uint32_t>(v, w, 1, 16'000'000, " (microseconds)");
         }},
        {"limits.simt_stack", device_limit(&Config::DeviceLimits::simt_stack)},
        {"limits.simt_warp_stack", device_limit(&Config::DeviceLimits::simt_warp_stack)},
        {"limits.simd_stack", device_limit(&Config::DeviceLimits::simd_stack)},
        {"limits.simd_printf", device_limit(&Config::DeviceLimits::simd_printf)},
        {"limits.simt_printf", device_limit(&Config::DeviceLimits::simt_printf)},
        {"run.lenient",
         [](Config& c, const std::string& v, const std::string& w) { c.lenient = flag(v, w); }},
        {"run.watchdog",
         [](Config& c, const std::string& v, const std::string& w) {
           c.watchdog_s = number<unsigned>(v, w, 0, 86'400, " (seconds)");
         }},
        {"run.faults",
         [](Config& c, const std::string& v, const std::string& w) {
           add_faults(c, w, [&] { return read_faults(v); });
         }},
        {"run.decisions",
         [](Config& c, const std::string& v, const std::string&) {
           c.system.decisions_path = v;
         }},
        {"check.on",
         [](Config& c, const std::string& v, const std::string& w) { c.check.on = flag(v, w); }},
        {"check.report",
         [](Config& c, const std::string& v, const std::string& w) {
           c.check.outputs = files(v, w);
         }},
        {"check.suppressions",
         [](Config& c, const std::string& v, const std::string&) { c.check.suppressions = v; }},
        {"check.level",
         [](Config& c, const std::string& v, const std::string& w) {
           const auto level = order::level_of(v);
           if (!level) refuse(w, v, "note, warning or error");
           c.check.report_from = *level;
         }},
        {"check.family",
         [](Config& c, const std::string& v, const std::string&) { c.check.family = v; }},
        {"check.quiet",
         [](Config& c, const std::string& v, const std::string& w) {
           c.check.quiet = flag(v, w);
         }},
        {"run.record",
         [](Config& c, const std::string& v, const std::string& w) {
           if (v.ends_with(".gz")) {
             refuse(w, v, "a name that does not end in .gz; aclsim run --record compresses");
           }
           c.record_path = v;
         }},
        {"run.trace",
         [](Config& c, const std::string& v, const std::string&) { c.trace_path = v; }},
    };
    add_link(*rows, "hccs", &S::hccs);
    add_link(*rows, "pix", &S::pix);
    add_link(*rows, "on_chip", &S::on_chip);
    add_link(*rows, "host", &S::host);
    return rows;
  }();
  return *table;
}

std::string all_keys() {
  std::string keys;
  for (const auto& [key, setter] : settings()) keys += keys.empty() ? key : ", " + key;
  return keys;
}

/// A TOML value as the text that a setting takes; nullopt for tables, arrays and dates.
std::optional<std::string> text_of_node(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return std::to_string(integer->get());
  if (const auto* real = node.as_floating_point()) return fmt::format("{}", real->get());
  if (const auto* boolean = node.as_boolean()) return boolean->get() ? "true" : "false";
  return std::nullopt;
}

/// One [[fault]] table: its kind, and the words of a fault as keys.
void apply_fault(Config& config, const toml::table& table, const std::string& file) {
  const std::string where = fmt::format("{}:{}: fault", file, table.source().begin.line);
  std::string kind;
  sim::FaultWords words;
  for (const auto& [name, node] : table) {
    const auto text = text_of_node(node);
    if (!text) {
      throw ConfigError(fmt::format("{}:{}: fault.{}: expected a text or a number", file,
                                    node.source().begin.line, name.str()));
    }
    if (name == "kind") {
      kind = *text;
    } else {
      words.emplace_back(name.str(), *text);
    }
  }
  add_faults(config, where, [&] { return std::vector{read_fault(kind, words)}; });
}

void apply_faults(Config& config, const toml::node& node, const std::string& file) {
  const toml::array* const faults = node.as_array();
  if (!faults || !faults->is_array_of_tables()) {
    throw ConfigError(fmt::format("{}:{}: fault: expected tables, each begun by [[fault]]", file,
                                  node.source().begin.line));
  }
  for (const toml::node& fault : *faults) apply_fault(config, *fault.as_table(), file);
}

void apply_table(Config& config, const toml::table& table, const std::string& prefix,
                 const std::string& file) {
  for (const auto& [name, node] : table) {
    const std::string key = prefix.empty() ? std::string(name.str())
                                           : prefix + "." + std::string(name.str());
    const std::string where = fmt::format("{}:{}: {}", file, node.source().begin.line, key);
    if (key == "fault") {
      apply_faults(config, node, file);
    } else if (const auto* inner = node.as_table()) {
      apply_table(config, *inner, key, file);
    } else if (const auto text = text_of_node(node)) {
      apply_setting(config, key, *text, where);
    } else {
      throw ConfigError(where + ": expected a text, a number or true or false");
    }
  }
}

void apply_file(Config& config, const std::string& path) {
  try {
    apply_table(config, toml::parse_file(path), "", path);
  } catch (const toml::parse_error& error) {
    throw ConfigError(fmt::format("{}:{}: {}", path, error.source().begin.line,
                                  error.description()));
  }
}

constexpr std::pair<const char*, const char*> kVariables[] = {
    {"ACLSIM_DEVICES", "machine.devices"},     {"ACLSIM_MEMORY", "machine.memory"},
    {"ACLSIM_WORKERS", "machine.workers"},     {"ACLSIM_SCHEDULE", "machine.schedule"},
    {"ACLSIM_SEED", "machine.seed"},           {"ACLSIM_HOST_ACCESS", "machine.host_access"},
    {"ACLSIM_TOPOLOGY", "machine.topology"},   {"ACLSIM_SOC", "machine.soc"},
    {"ACLSIM_LENIENT", "run.lenient"},         {"ACLSIM_WATCHDOG", "run.watchdog"},
    {"ACLSIM_TRACE", "run.trace"},             {"ACLSIM_FAULTS", "run.faults"},
    {"ACLSIM_RECORD", "run.record"},
    {"ACLSIM_STRATEGY", "machine.strategy"},   {"ACLSIM_DECISIONS", "run.decisions"},
    {"ACLSIM_CHECK", "check.on"},              {"ACLSIM_CHECK_REPORT", "check.report"},
    {"ACLSIM_CHECK_FAMILY", "check.family"},
    {"ACLSIM_CHECK_LEVEL", "check.level"},     {"ACLSIM_CHECK_QUIET", "check.quiet"},
    {"ACLSIM_CHECK_SUPPRESSIONS", "check.suppressions"},
};

/// ASCEND_RT_VISIBLE_DEVICES: ascending ids, separated by commas. Anything else: no devices.
std::vector<int> visible_devices(int devices) {
  std::vector<int> ids;
  const char* const list = std::getenv("ASCEND_RT_VISIBLE_DEVICES");
  if (!list) {
    for (int d = 0; d < devices; ++d) ids.push_back(d);
    return ids;
  }
  const std::string text(list);
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    int id = -1;
    const auto [next, error] = std::from_chars(at, end, id);
    const bool ascending = ids.empty() || id > ids.back();
    const bool ended = next == end || (*next == ',' && next + 1 != end);
    if (error != std::errc() || id < 0 || id >= devices || !ascending || !ended) return {};
    ids.push_back(id);
    at = next == end ? end : next + 1;
  }
  return ids;
}

}  // namespace

void apply_setting(Config& config, const std::string& key, const std::string& value,
                   const std::string& where) {
  for (const auto& [name, setter] : settings()) {
    if (name == key) return setter(config, value, where);
  }
  throw ConfigError(fmt::format("{}: there is no such setting; expected one of {}", where,
                                all_keys()));
}

Config load_config() {
  Config config;
  if (const char* file = std::getenv("ACLSIM_CONFIG"); file && *file) apply_file(config, file);
  for (const auto& [variable, key] : kVariables) {
    const char* const value = std::getenv(variable);
    if (value && *value) apply_setting(config, key, value, variable);
  }
  config.visible = visible_devices(config.system.devices);
  return config;
}

}  // namespace acl
