// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <initializer_list>
#include <nlohmann/json.hpp>

#include "tools/replay/results/report.h"
#include "tools/trace/files/cut_off.h"

namespace replay {
namespace {

using Json = nlohmann::ordered_json;

/// 146 years in ns: more than a trace can last, and differences stay whole numbers.
constexpr std::int64_t kLongest = std::int64_t{1} << 62;

enum class Is { time, device, number, text, texts };
struct Key {
  const char* name;
  Is is;
};

bool within(const Json& value, std::int64_t low, std::int64_t high) {
  if (!value.is_number_integer()) return false;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{INT64_MAX})
    return false;
  const auto number = value.get<std::int64_t>();
  return number >= low && number <= high;
}

/// A description of the expected value; null: the value is as expected.
const char* wanted(const Json& value, Is is) {
  switch (is) {
    case Is::time:
      return within(value, 0, kLongest) ? nullptr : "a whole number of ns, from 0 to 2^62";
    case Is::device:
      return within(value, INT32_MIN, INT32_MAX) ? nullptr : "the number of a device";
    case Is::number:
      return value.is_number_unsigned() ? nullptr : "a whole number from 0 on";
    case Is::text:
      return value.is_string() ? nullptr : "a text";
    case Is::texts:
      break;
  }
  if (!value.is_array()) return "a list of texts";
  for (const Json& one : value) {
    if (!one.is_string()) return "a list of texts";
  }
  return nullptr;
}

class ReportReader {
 public:
  explicit ReportReader(const std::string& where) : where_(where) {}

  void run(const Json& run, const std::string& path) const {
    keys(run, path,
         {{"makespan_ns", Is::time},
          {"files", Is::texts},
          {"mode", Is::text},
          {"status", Is::text},
          {"seed", Is::number}});
    if (!run.contains("makespan_ns")) refuse(path + ".makespan_ns", "a whole number of ns");
    rows(run, path, "per_stream",
         {{"rank", Is::device},
          {"device", Is::device},
          {"stream", Is::number},
          {"name", Is::text},
          {"busy_ns", Is::time},
          {"wait_ns", Is::time}});
    rows(run, path, "links", {{"from", Is::device}, {"to", Is::device}, {"busy_ns", Is::time}});
  }

 private:
  [[noreturn]] void refuse(const std::string& key, const char* what) const {
    throw ReportError(fmt::format("{}: {}: expected {}", where_, key, what));
  }

  /// Checks the values of the known keys that are present.
  void keys(const Json& in, const std::string& path, std::initializer_list<Key> known) const {
    if (!in.is_object()) refuse(path, "an object");
    for (const Key& key : known) {
      const auto found = in.find(key.name);
      if (found == in.end()) continue;
      if (const char* const what = wanted(*found, key.is)) {
        refuse(fmt::format("{}.{}", path, key.name), what);
      }
    }
  }

  void rows(const Json& run, const std::string& path, const char* name,
            std::initializer_list<Key> known) const {
    const auto found = run.find(name);
    if (found == run.end()) return;
    if (!found->is_array()) refuse(fmt::format("{}.{}", path, name), "a list");
    for (std::size_t i = 0; i < found->size(); ++i) {
      keys((*found)[i], fmt::format("{}.{}[{}]", path, name, i), known);
    }
  }

  const std::string& where_;
};

}  // namespace

std::vector<Json> runs_of(const std::string& text, const std::string& where) {
  const Json json = Json::parse(text, nullptr, false);
  const bool ours = json.is_object() && json.contains("aclsim_report") && json.contains("runs") &&
                    json["runs"].is_array();
  if (json.is_discarded() && trace::cut_off(text)) {
    throw ReportError(fmt::format("{}: is truncated; expected the whole report", where));
  }
  if (!ours) {
    throw ReportError(
        fmt::format("{}: no report; expected what aclsim replay --report writes", where));
  }
  if (json["aclsim_report"] != kReportVersion) {
    const auto found = json["aclsim_report"].dump(-1, ' ', false, Json::error_handler_t::replace);
    throw ReportError(
        fmt::format("{}: a report of version {}; expected {}", where, found, kReportVersion));
  }
  const ReportReader reader(where);
  const Json& runs = json["runs"];
  for (std::size_t i = 0; i < runs.size(); ++i) reader.run(runs[i], fmt::format("runs[{}]", i));
  return runs.get<std::vector<Json>>();
}

}  // namespace replay
