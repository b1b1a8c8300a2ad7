// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/base/init_config.h"

#include <nlohmann/json.hpp>

#include "acl/acl_prof.h"
#include "device_sim/base/files.h"
#include "runtime/acl/base/error.h"

namespace acl {
namespace {

using nlohmann::json;

// Programs write {"defaultDevice": {"default_device": "0"}} or a bare number.
int default_device(const json& config, const char* path) {
  const auto outer = config.find("defaultDevice");
  if (outer == config.end()) return -1;
  json value = *outer;
  if (value.is_object()) value = value.value("default_device", json());
  if (value.is_string()) value = json::parse(value.get<std::string>(), nullptr, false);
  if (!value.is_number_integer()) {
    fail(ACL_ERROR_INVALID_FILE, "defaultDevice in '{}' is not a device id", path);
  }
  return value.get<int>();
}

/// A number, or the text of one.
bool all_messages(const json& config, const char* path) {
  const auto mode = config.find("err_msg_mode");
  if (mode == config.end()) return false;
  const std::string text = mode->is_string() ? mode->get<std::string>() : mode->dump();
  if (text != "0" && text != "1") {
    fail(ACL_ERROR_INVALID_PARAM,
         "err_msg_mode in '{}' is {}; expected \"0\" (texts of the process) or \"1\" (of the "
         "thread)",
         path, mode->dump());
  }
  return text == "0";
}

bool is_on(const json& profiler, const char* key, bool otherwise) {
  const auto found = profiler.find(key);
  if (found == profiler.end()) return otherwise;
  if (*found == "on") return true;
  if (*found == "off") return false;
  fail(ACL_ERROR_INVALID_PROFILING_CONFIG,
       "\"{}\" of the profiler is {}; expected \"on\" or \"off\"", key, found->dump());
}

std::optional<InitConfig::Profiler> profiler(const json& config) {
  const auto found = config.find("profiler");
  if (found == config.end()) return {};
  if (!found->is_object()) {
    fail(ACL_ERROR_INVALID_PROFILING_CONFIG, "profiler is {}; expected an object", found->dump());
  }
  InitConfig::Profiler asked;
  if (is_on(*found, "task_time", true)) asked.data |= ACL_PROF_TASK_TIME;
  if (is_on(*found, "ascendcl", true)) asked.data |= ACL_PROF_ACL_API;
  if (is_on(*found, "runtime_api", false)) asked.data |= ACL_PROF_RUNTIME_API;
  if (is_on(*found, "msproftx", false)) asked.data |= ACL_PROF_MSPROFTX;
  const auto output = found->find("output");
  if (output != found->end() && !output->is_string()) {
    fail(ACL_ERROR_INVALID_PROFILING_CONFIG, "\"output\" of the profiler is {}; expected a folder",
         output->dump());
  }
  asked.output = output == found->end() ? "." : output->get<std::string>();
  if (!is_on(*found, "switch", false)) return {};
  return asked;
}

}  // namespace

std::string read_config_file(const char* path, const char* argument) {
  try {
    return sim::read_file(path);
  } catch (const sim::FileError& error) {
    fail(ACL_ERROR_INVALID_FILE, "{} is '{}', which cannot be read ({}); expected a JSON file",
         argument, path, error.what());
  }
}

InitConfig parse_init_config(const std::string& text, const char* path) {
  if (text.empty()) return {};
  const json config = json::parse(text, nullptr, false);
  if (!config.is_object()) {
    fail(ACL_ERROR_PARSE_FILE, "configPath is '{}', which is not a JSON object", path);
  }
  const auto dump = config.find("dump");
  InitConfig parsed;
  parsed.default_device = default_device(config, path);
  parsed.all_messages = all_messages(config, path);
  parsed.dump = dump != config.end() && *dump != json::object();
  parsed.profiler = profiler(config);
  return parsed;
}

}  // namespace acl
