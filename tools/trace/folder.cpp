// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "tools/trace/detect.h"

namespace trace {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kListed = 8;

struct Found {
  std::string path;
  std::string folder;
  const Format* format;
};

std::vector<std::string> files_below(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry :
       fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied)) {
    std::error_code error;
    if (entry.is_regular_file(error)) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Formats that were found, by folder.
using Present = std::set<std::pair<std::string, std::string_view>>;

/// Why a trace is not taken beside the others; nullptr: it is taken.
const char* passed_by(const Found& file, const Present& present, bool timed) {
  const bool timeline = fs::path(file.path).filename() == "trace_view.json";
  const Format& format = timeline ? *find_format("ascend-timeline") : *file.format;
  if (present.contains({file.folder, format.superseded_by})) {
    return "the database beside it is taken";
  }
  if (!file.format->timed() && timed) return "a graph without times";
  return nullptr;
}

}  // namespace

std::string skipped_text(const std::vector<std::string>& skipped) {
  std::string text = skipped.size() == 1
                         ? "1 file is no trace or not taken:"
                         : fmt::format("{} files are no traces or not taken:", skipped.size());
  for (std::size_t i = 0; i < skipped.size() && i < kListed; ++i) {
    text += fmt::format("{} {}", i == 0 ? "" : ",", skipped[i]);
  }
  if (skipped.size() > kListed) text += fmt::format(" and {} more", skipped.size() - kListed);
  return text;
}

Folder traces_in(const std::string& folder) {
  std::vector<Found> found;
  Folder result;
  Present present;
  bool timed = false;
  for (const std::string& path : files_below(folder)) {
    const Detected seen = detect(path);
    if (!seen.format) {
      result.skipped.push_back(fmt::format("{} ({})", path, seen.why));
      continue;
    }
    found.push_back({path, fs::path(path).parent_path().string(), seen.format});
    present.emplace(found.back().folder, seen.format->name);
    timed = timed || seen.format->timed();
  }
  for (const Found& file : found) {
    const char* const why = passed_by(file, present, timed);
    if (!why) result.traces.push_back(file.path);
    if (why) result.skipped.push_back(fmt::format("{} ({})", file.path, why));
  }
  if (!result.traces.empty()) return result;
  throw InputError(folder, fmt::format("is a folder without traces; {}; expected one of: {}",
                                       result.skipped.empty() ? "it holds no files"
                                                              : skipped_text(result.skipped),
                                       known_formats()));
}

}  // namespace trace
