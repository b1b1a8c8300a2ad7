// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/base/config.h"

#include <fmt/format.h>
#include <unistd.h>
#include <atomic>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <utility>

#include "device_sim/base/files.h"
#include "device_sim/base/nearest_word.h"
#include "runtime/acl/base/config_tables.h"
#include "runtime/acl/base/fault_config.h"
#include "runtime/acl/base/log.h"
#include "toml_mistake.h"

namespace acl {
namespace {

struct OldName {
  const char* old;
  const char* now;
};
constexpr OldName kOldKeys[] = {{"run.trace", "run.timeline"},
                                {"check.family", "check.process_group"}};
constexpr OldName kOldVariables[] = {{"ACLSIM_TRACE", "ACLSIM_TIMELINE"},
                                     {"ACLSIM_CHECK_FAMILY", "ACLSIM_CHECK_PROCESS_GROUP"}};

constexpr const char* kConfigFile = "ACLSIM_CONFIG";
constexpr const char* kSectionsExpected =
    "; expected a section [machine], [limits], [link], [run] or [check], or [[fault]]";

const settings::Table& all_settings() {
  static const auto* const all = [] {
    auto* const rows = new settings::Table;
    for (const auto table : {settings::machine_table, settings::limits_table, settings::link_table,
                             settings::run_table, settings::check_table}) {
      for (settings::Setting& row : table()) rows->push_back(std::move(row));
    }
    return rows;
  }();
  return *all;
}

const settings::Setting* find_setting(const std::string& key) {
  for (const settings::Setting& row : all_settings()) {
    if (row.key == key) return &row;
  }
  return nullptr;
}

void say_new_name(const std::string& old, const std::string& now) {
  notice(fmt::format("{} is now named {}; the old name still works", old, now));
}

/// Refuses a key: the text names the most similar key, or else all keys of its section.
[[noreturn]] void refuse_key(const std::string& key, const std::string& where) {
  std::vector<std::string> keys{"fault"};
  std::vector<std::string> section;
  for (const settings::Setting& row : all_settings()) {
    keys.push_back(row.key);
    if (row.key.starts_with(key.substr(0, key.find('.')) + ".")) section.push_back(row.key);
  }
  std::string hint = sim::did_you_mean(key, keys);
  if (hint.empty() && section.empty()) {
    hint = kSectionsExpected;
  } else if (hint.empty()) {
    hint = fmt::format("; expected one of: {}", fmt::join(section, ", "));
  }
  throw ConfigError(fmt::format("{}: there is no such setting{}", where, hint));
}

/// "machine", "link", "link.hccs", ...: the parts of the keys before a dot.
std::vector<std::string> section_names() {
  std::vector<std::string> names{"fault"};
  for (const settings::Setting& row : all_settings()) {
    const std::string key = row.key;
    for (auto dot = key.find('.'); dot != std::string::npos; dot = key.find('.', dot + 1)) {
      const std::string name = key.substr(0, dot);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

/// Refuses an unknown section even if it is empty, because its author expects an effect.
void require_section(const std::string& name, const std::string& file, const toml::table& table) {
  const std::vector<std::string> names = section_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const std::string nearest = sim::nearest_word(name, names);
  std::string hint = kSectionsExpected;
  if (nearest == "fault")
    hint = "; did you mean [[fault]]?";
  else if (!nearest.empty())
    hint = fmt::format("; did you mean [{}]?", nearest);
  throw ConfigError(fmt::format("{}:{}: [{}]: there is no such section{}", file,
                                table.source().begin.line, name, hint));
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
  settings::add_faults(config, where, [&] {
    try {
      return std::vector{read_fault(kind, words)};
    } catch (const sim::FaultSpecError& error) {
      const toml::node* const wrong = table.get(error.key());
      if (!wrong) throw;
      throw ConfigError(
          fmt::format("{}:{}: fault: {}", file, wrong->source().begin.line, error.what()));
    }
  });
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
    const std::string key =
        prefix.empty() ? std::string(name.str()) : prefix + "." + std::string(name.str());
    const std::string where = fmt::format("{}:{}: {}", file, node.source().begin.line, key);
    if (key == "fault") {
      apply_faults(config, node, file);
    } else if (const auto* inner = node.as_table(); inner && !find_setting(key)) {
      require_section(key, file, *inner);
      apply_table(config, *inner, key, file);
    } else if (const auto text = text_of_node(node)) {
      apply_setting(config, key, *text, where);
    } else if (find_setting(key)) {
      throw ConfigError(where + ": expected a text, a number or true or false");
    } else {
      refuse_key(key, where);
    }
  }
}

void apply_file(Config& config, const std::string& path) {
  std::string text;
  try {
    text = sim::read_file(path);
  } catch (const sim::FileError& error) {
    throw ConfigError(fmt::format("{}: '{}' cannot be read ({}); expected the path of a TOML file",
                                  kConfigFile, path, error.what()));
  }
  try {
    apply_table(config, toml::parse(text, path), "", path);
  } catch (const toml::parse_error& error) {
    throw ConfigError(toml_mistake::text(path, error));
  }
}

/// Empty ones do not count as set.
const char* variable(const char* name) {
  const char* const value = std::getenv(name);
  return value && *value ? value : nullptr;
}

void apply_variables(Config& config) {
  for (const settings::Setting& row : all_settings()) {
    if (!row.variable) continue;
    for (const auto& [old, now] : kOldVariables) {
      if (std::string_view(row.variable) != now || !variable(old)) continue;
      say_new_name(old, now);
      if (!variable(now)) row.set(config, variable(old), old);
    }
    if (const char* const value = variable(row.variable)) row.set(config, value, row.variable);
  }
}

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

std::atomic<bool> kernels_expected{false};

/// ACLSIM_TEST_... are the project's own tests'.
void tell_unknown_variables() {
  const std::string prefix = "ACLSIM_";
  // The variables of other libraries, of the tool and of the scripts.
  std::vector<std::string> known{kConfigFile,
                                 "ACLSIM_TOOL",
                                 "ACLSIM_SKIP_PACKAGES",
                                 "ACLSIM_JOBS",
                                 "ACLSIM_JOB_SECRET",
                                 "ACLSIM_EXPLORE_MARK",
                                 "ACLSIM_RUN_MARK",
                                 "ACLSIM_RUN_RANK",
                                 "ACLSIM_HCCL_CONNECT_TIMEOUT_MS",
                                 "ACLSIM_CUDA_MULTICAST",
                                 "ACLSIM_CUDA_FABRIC",
                                 "ACLSIM_CUDA_UNBOUND",
                                 "ACLSIM_CUDA_MULTICAST_READS",
                                 "ACLSIM_CUDA_GRANULARITY_MB",
                                 "ACLSIM_CUDA_MULTICAST_OBJECTS",
                                 "ACLSIM_CUDA_JOIN_REPORT_MS",
                                 "ACLSIM_CUDA_FAULTS",
                                 "ACLSIM_KERNEL_CHECKS",
                                 "ACLSIM_KERNEL_BLOCKS",
                                 "ACLSIM_KERNEL_PREFIX"};
  for (const settings::Setting& row : all_settings()) {
    if (row.variable) known.emplace_back(row.variable);
  }
  std::vector<std::string> names;
  for (const std::string& name : known) names.push_back(name.substr(prefix.size()));
  for (const auto& [old, now] : kOldVariables) known.emplace_back(old);
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    const std::string name(text.substr(0, text.find('=')));
    if (!name.starts_with(prefix) || name.starts_with("ACLSIM_TEST_")) continue;
    if (!variable(name.c_str())) continue;
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string nearest = sim::nearest_word(name.substr(prefix.size()), names);
    notice(fmt::format("warning: {}: there is no such variable and it has no effect{}", name,
                       nearest.empty() ? "; docs/configuration.md lists all that there are"
                                       : fmt::format("; did you mean '{}{}'?", prefix, nearest)));
  }
}

}  // namespace

void apply_setting(Config& config, const std::string& key, const std::string& value,
                   const std::string& where) {
  for (const auto& [old, now] : kOldKeys) {
    if (key != old) continue;
    say_new_name(where, now);
    return apply_setting(config, now, value, where);
  }
  const settings::Setting* const setting = find_setting(key);
  if (!setting) refuse_key(key, where);
  setting->set(config, value, where);
}

namespace {

/// Variables that the library of kernels reads by itself: what is wrong in them is a mistake as in
/// any other.
void check_kernel_variables() {
  for (const char* const name : {"ACLSIM_KERNEL_CHECKS", "ACLSIM_KERNEL_PREFIX"}) {
    const char* const value = variable(name);
    const std::string_view words[] = {"on", "1", "true", "off", "0", "false"};
    if (!value || std::find(std::begin(words), std::end(words), value) != std::end(words)) continue;
    throw ConfigError(fmt::format("{} is '{}'; expected on or off", name, value));
  }
  const char* const blocks = variable("ACLSIM_KERNEL_BLOCKS");
  std::size_t digits = 0;
  for (const char* at = blocks; at; ++at) {
    if (*at >= '0' && *at <= '9' && digits < 5) {
      ++digits;
      continue;
    }
    if (digits == 0 || (*at != ',' && *at != '\0')) {
      throw ConfigError(
          fmt::format("ACLSIM_KERNEL_BLOCKS is '{}'; expected numbers of blocks with commas "
                      "between, such as 7,0,1",
                      blocks));
    }
    if (*at == '\0') break;
    digits = 0;
  }
}

}  // namespace

void expect_kernels() noexcept { kernels_expected.store(true); }

Config load_config() {
  Config config;
  const char* const checks = variable("ACLSIM_KERNEL_CHECKS");
  const std::string_view asked = checks ? checks : "";  // for kernels that are loaded later
  config.system.closes_free =
      kernels_expected.load() || asked == "on" || asked == "1" || asked == "true";
  if (const char* const file = variable(kConfigFile)) apply_file(config, file);
  apply_variables(config);
  check_kernel_variables();
  tell_unknown_variables();
  config.visible = visible_devices(config.system.devices);
  return config;
}

}  // namespace acl
