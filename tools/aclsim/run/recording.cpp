// SPDX-License-Identifier: Apache-2.0
#include "tools/aclsim/run/recording.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <utility>

#include "device_sim/base/files.h"
#include "tools/trace/files/output_file.h"

namespace aclsim {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPacked = ".gz";
constexpr std::string_view kNative = ".aclt.jsonl";

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// "run.aclt.jsonl" -> "run.", ".aclt.jsonl"; for "run.%p.x" the parts before and after %p.
std::pair<std::string, std::string> around_process(const std::string& name) {
  if (const std::size_t at = name.find("%p"); at != std::string::npos) {
    return {name.substr(0, at), name.substr(at + 2)};
  }
  const std::string end =
      name.ends_with(kNative) ? std::string(kNative) : fs::path(name).extension().string();
  return {name.substr(0, name.size() - end.size()) + ".", end};
}

/// The reason why the file cannot be written; empty if it can.
std::string try_file(const std::string& path) {
  const int error = sim::clear_output(path);
  if (error == 0) return {};
  return fmt::format("'{}' cannot be written ({}); expected the path of a file", path,
                     sim::output_error(error));
}

std::size_t count_ops(const std::string& path) {
  std::size_t ops = 0;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) ops += line.starts_with(R"({"i":)");
  return ops;
}

void pack(const std::string& plain, const std::string& packed) {
  trace::OutputFile out(packed);
  std::ifstream in(plain, std::ios::binary);
  std::array<char, 1 << 16> piece;
  while (in.read(piece.data(), piece.size()), in.gcount() > 0) {
    out.write({piece.data(), static_cast<std::size_t>(in.gcount())});
  }
  out.close();
  fs::remove(plain);
}

}  // namespace

std::string nothing_written(const char* what, bool killed) {
  return fmt::format("no {}: the program made no ACL call{}", what,
                     killed ? ", or was killed before it was written" : "");
}

Recording::Recording(std::string path) : path_(std::move(path)), plain_(path_) {
  if (!plain_.ends_with(kPacked)) return;
  plain_.resize(plain_.size() - kPacked.size());
  const fs::path named(plain_);
  hidden_ = fmt::format(".aclsim-{}-", ::getpid());
  plain_ = (named.parent_path() / (hidden_ + named.filename().string())).string();
}

// A process id in the name keeps its position.
std::string Recording::packed_name(const std::string& plain) const {
  const fs::path path(plain);
  return (path.parent_path() / path.filename().string().substr(hidden_.size())).string() +
         std::string(kPacked);
}

std::string Recording::prepare() {
  std::string probe = plain_;
  if (const std::size_t at = probe.find("%p"); at != std::string::npos) probe.replace(at, 2, "0");
  std::string wrong = try_file(probe);
  if (wrong.empty() && !hidden_.empty()) wrong = try_file(path_);
  if (!wrong.empty()) return wrong;
  std::error_code error;
  if (fs::is_regular_file(probe, error)) {
    began_ = fs::last_write_time(probe, error);
    fs::remove(probe, error);
  }
  if (!hidden_.empty()) fs::remove(path_, error);
  return {};
}

/// The files of all processes: the name itself, and names that contain a process id.
std::vector<std::string> Recording::files() const {
  const fs::path path(plain_);
  const auto [head, tail] = around_process(path.filename().string());
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(path.parent_path(), error)) {
    const std::string name = entry.path().filename().string();
    const bool around =
        name.size() > head.size() + tail.size() && name.starts_with(head) && name.ends_with(tail);
    const bool of_process = around && is_number(std::string_view(name).substr(
                                          head.size(), name.size() - head.size() - tail.size()));
    if ((name != path.filename() && !of_process) || !entry.is_regular_file(error)) continue;
    if (entry.last_write_time(error) >= began_) found.push_back(entry.path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

Recording::End Recording::finish(bool killed) {
  std::string text;
  for (const std::string& file : files()) {
    const std::size_t ops = count_ops(file);
    std::string name = file;
    if (!hidden_.empty()) {
      name = packed_name(file);
      try {
        pack(file, name);
      } catch (const std::exception& error) {
        return {fmt::format("recording {}: not compressed: {}", file, error.what()), false, false};
      }
    }
    text += fmt::format("{}{}: {} op{}", text.empty() ? "recording " : ", ", name, ops,
                        ops == 1 ? "" : "s");
  }
  std::error_code error;
  const bool kept = !fs::exists(plain_, error) || fs::is_regular_file(plain_, error);
  if (text.empty() && !kept) return {fmt::format("recording {}", plain_), true, true};
  if (text.empty()) return {nothing_written("recording", killed), true, true};
  return {std::move(text), true, false};
}

}  // namespace aclsim
