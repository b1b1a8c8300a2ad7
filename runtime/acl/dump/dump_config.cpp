// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/dump/dump_config.h"

#include <map>
#include <nlohmann/json.hpp>

#include "runtime/acl/base/error.h"
#include "runtime/acl/base/init_config.h"
#include "runtime/acl/base/result_folder.h"

namespace acl {
namespace {

using nlohmann::json;

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) {
  throw AclError(ACL_ERROR_INVALID_DUMP_CONFIG, fmt::format(format, std::forward<Args>(args)...));
}

json read(const char* path, const char* argument) {
  json parsed = json::parse(read_config_file(path, argument), nullptr, false);
  if (!parsed.is_object()) {
    fail(ACL_ERROR_PARSE_FILE, "{} is '{}', which is not a JSON object", argument, path);
  }
  return parsed;
}

std::string text_of(const json& dump, const char* key, const char* otherwise) {
  const auto found = dump.find(key);
  if (found == dump.end()) return otherwise;
  if (!found->is_string()) refuse("\"{}\" of the dump configuration is not a text", key);
  return found->get<std::string>();
}

template <class T>
T choice(const json& dump, const char* key, const char* otherwise,
         const std::map<std::string, T>& choices) {
  const std::string value = text_of(dump, key, otherwise);
  const auto found = choices.find(value);
  if (found != choices.end()) return found->second;
  std::string names;
  for (const auto& [name, result] : choices) names += fmt::format(" \"{}\"", name);
  refuse("\"{}\" of the dump configuration is \"{}\"; expected one of{}", key, value, names);
}

bool is_on(const json& dump, const char* key) {
  return choice<bool>(dump, key, "off", {{"on", true}, {"off", false}});
}

/// Entries without "layer" mean a whole model, hence every operator.
bool add_listed(const json& dump, std::set<std::string>& names) {
  const auto list = dump.find("dump_list");
  if (list == dump.end()) return false;
  if (!list->is_array()) refuse("\"dump_list\" of the dump configuration is not a list");
  bool all = false;
  for (const json& entry : *list) {
    if (!entry.is_object()) refuse("\"dump_list\" holds something that is not an object");
    const auto layers = entry.find("layer");
    if (layers == entry.end()) {
      all = true;
      continue;
    }
    if (!layers->is_array()) refuse("\"layer\" in \"dump_list\" is not a list");
    for (const json& layer : *layers) {
      if (!layer.is_string()) refuse("\"layer\" in \"dump_list\" holds something that is no text");
      names.insert(layer.get<std::string>());
    }
  }
  if (all) names.clear();
  return all || !names.empty();
}

}  // namespace

DumpConfig load_dump_config(const char* path, const char* argument) {
  const json file = read(path, argument);
  const auto found = file.find("dump");
  if (found == file.end() || !found->is_object()) {
    refuse("{} is '{}', which holds no object \"dump\"", argument, path);
  }
  const json& dump = *found;
  DumpConfig config;
  const bool listed = add_listed(dump, config.only);
  const bool all = is_on(dump, "dump_op_switch");
  if (all) config.only.clear();
  enum { kIn = 1, kOut = 2 };
  const int mode = choice<int>(dump, "dump_mode", "output",
                               {{"input", kIn}, {"output", kOut}, {"all", kIn | kOut}});
  config.inputs = (listed || all) && (mode & kIn) != 0;
  config.outputs = (listed || all) && (mode & kOut) != 0;
  config.overflow = is_on(dump, "dump_debug");
  config.exceptions =
      choice<std::optional<acldumpType>>(dump, "dump_scene", "",
                                         {{"", std::nullopt},
                                          {"lite_exception", AIC_ERR_BRIEF_DUMP},
                                          {"aic_err_brief_dump", AIC_ERR_BRIEF_DUMP},
                                          {"aic_err_norm_dump", AIC_ERR_NORM_DUMP},
                                          {"aic_err_detail_dump", AIC_ERR_DETAIL_DUMP}});
  const std::string folder = text_of(dump, "dump_path", "");
  if (folder.empty()) refuse("the dump configuration names no \"dump_path\"");
  config.path = make_folder(folder, "\"dump_path\"", ACL_ERROR_INVALID_DUMP_CONFIG).string();
  return config;
}

}  // namespace acl
