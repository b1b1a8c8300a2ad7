// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/read_trace.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "tools/trace/detect.h"
#include "tools/trace/folder.h"
#include "tools/trace/formats/format_table.h"
#include "tools/trace/pairing/couple.h"
#include "tools/trace/pairing/pairing.h"

namespace trace {
namespace {

namespace fs = std::filesystem;

/// The number in the last "rank<N>" or in the last ".<N>." of a path; ranks come in such names.
std::optional<std::int32_t> rank_in(const std::string& path) {
  const auto number_at = [&](std::size_t at) -> std::optional<std::int32_t> {
    std::size_t end = at;
    while (end < path.size() && std::isdigit(static_cast<unsigned char>(path[end]))) ++end;
    if (end == at || end - at > 6) return std::nullopt;
    return std::stoi(path.substr(at, end - at));
  };
  const std::size_t word = path.rfind("rank");
  if (word != std::string::npos) {
    const bool mark = word + 4 < path.size() && (path[word + 4] == '_' || path[word + 4] == '-');
    if (const auto rank = number_at(word + (mark ? 5 : 4))) return rank;
  }
  const fs::path name = fs::path(path).stem();  // "trace.3" of "trace.3.et"
  const std::string extension = name.extension().string();
  if (extension.size() > 1) {
    const std::size_t at = path.rfind(extension + ".");
    if (at != std::string::npos) return number_at(at + 1);
  }
  return std::nullopt;
}

bool same_bytes(const std::string& a, const std::string& b) {
  InputFile one(a), two(b);
  std::string left(std::size_t{1} << 16, '\0'), right = left;
  for (;;) {
    const std::size_t got = one.read(left.data(), left.size());
    if (two.read(right.data(), got == 0 ? right.size() : got) != got) return false;
    if (got == 0) return true;
    if (std::memcmp(left.data(), right.data(), got) != 0) return false;
  }
}

class Reading {
 public:
  explicit Reading(const ReadOptions& options) : options_(options), builder_(options.keep) {}

  /// Adds files, and the traces in folders.
  void add(const std::vector<std::string>& paths) {
    std::vector<std::string> files;
    for (const std::string& path : paths) {
      std::error_code error;
      if (!fs::is_directory(path, error)) {
        files.push_back(path);
        continue;
      }
      const Folder folder = traces_in(path);
      files.insert(files.end(), folder.traces.begin(), folder.traces.end());
      if (!folder.skipped.empty()) remarks_.push_back(skipped_text(folder.skipped));
    }
    for (const std::string& file : files) {
      total_ += size_of(file);
      by_size_[size_of(file)].push_back(file);
    }
    for (const std::string& file : files) add(file);
  }

  void add(const std::string& path) {
    refuse_again(path);
    InputFile file(path, watch_part(0, 1));
    add(file);
    done_ += file.size();
  }

  void add(InputFile& file) {
    const std::string& path = file.path();
    const Format* format = options_.from.empty() ? format_of(file) : find_format(options_.from);
    if (format && format->names_ranks) return format->read_file(file, {}, builder_);
    const OpIndex before = builder_.size();
    // The share of the time that reading the bytes takes, roughly; progress is shown by it.
    const double reading = file.plain() ? 0.25 : 0.5;
    file.watch(watch_part(0, reading));
    FileContext context{path, format, next_rank(path), &taken_,
                        watch_part(reading, 1 - reading, file.size())};
    if (format && format->read_file) {
      if (format->profile) refuse_copy(path);
      format->read_file(file, context, builder_);
    } else {
      const Text text = read_all(file);
      if (!format) context.format = &json_format(text.view(), path);
      if (context.format->profile) refuse_copy(path);
      context.format->read_text(text, context, builder_);
    }
    if (builder_.size() == before) {
      throw InputError(path, "holds no operations; expected work of a device");
    }
    const Trace& made = builder_.pending();
    for (; tracks_ < made.tracks().size(); ++tracks_) {
      taken_.insert(made.ranks()[made.tracks()[tracks_].rank].id);
    }
  }

  Trace finish() {
    Trace trace = builder_.finish();
    for (std::string& text : remarks_) {
      trace.add_remark({Level::warning, std::move(text), kNone, 0});
    }
    pair_notifies(trace);
    pair_sends(trace);
    if (options_.align_clocks) align_clocks(trace);
    couple_collectives(trace);
    return trace;
  }

 private:
  static std::uint64_t size_of(const std::string& path) {
    struct stat file {};
    if (::stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return 0;
    return static_cast<std::uint64_t>(file.st_size);
  }

  /// A function that reports the progress over all files. It is used for a part of the work on one
  /// file, which begins at the share `from` and has the size `part`. `size`: of the file, if the
  /// part does not count bytes of the file.
  Watch watch_part(double from, double part, std::uint64_t size = 0) {
    if (!options_.watch) return {};
    return [=, this](std::uint64_t at, std::uint64_t end) {
      const std::uint64_t bytes = size != 0 ? size : end;
      if (end == 0 || bytes == 0) return options_.watch(at, 0);
      const double share = from + part * static_cast<double>(at) / static_cast<double>(end);
      const auto now = done_ + static_cast<std::uint64_t>(share * static_cast<double>(bytes));
      told_ = std::max(told_, now);
      options_.watch(told_, std::max(total_, done_ + bytes));
    };
  }

  std::int32_t next_rank(const std::string& path) {
    std::int32_t rank = rank_in(path).value_or(0);
    while (taken_.contains(rank) || !ranks_.insert(rank).second) ++rank;
    return rank;
  }

  /// A copy of a profile with times is the same rank again. Ranks that do the same may have equal
  /// traces without times.
  void refuse_copy(const std::string& path) const {
    const auto found = by_size_.find(size_of(path));
    if (found == by_size_.end() || found->first == 0) return;
    for (const std::string& other : found->second) {
      if (other == path) return;
      if (same_bytes(other, path)) {
        throw InputError(path, "has the same content as " + other + "; expected every file once");
      }
    }
  }

  /// One file under two names would be two ranks that do the same.
  void refuse_again(const std::string& path) {
    struct stat file {};
    if (::stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return;
    if (files_.emplace(file.st_dev, file.st_ino).second) return;
    throw InputError(path, "is given twice; expected every file once");
  }

  const ReadOptions& options_;
  Builder builder_;
  std::set<std::int32_t> ranks_;  // that were proposed to readers
  std::set<std::int32_t> taken_;  // that the files have
  std::size_t tracks_ = 0;        // of the files before
  std::set<std::pair<dev_t, ino_t>> files_;
  std::vector<std::string> remarks_;
  std::map<std::uint64_t, std::vector<std::string>> by_size_;
  std::uint64_t done_ = 0, total_ = 0, told_ = 0;  // bytes of files
};

}  // namespace

Trace read_trace_bytes(const std::string& name, std::string bytes, const ReadOptions& options) {
  InputFile file(name, std::move(bytes));
  Reading reading(options);
  reading.add(file);
  return reading.finish();
}

Trace read_trace(const std::vector<std::string>& paths, const ReadOptions& options) {
  Reading reading(options);
  reading.add(paths);
  return reading.finish();
}

}  // namespace trace
