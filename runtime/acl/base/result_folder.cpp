// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/base/result_folder.h"

#include <unistd.h>

#include <chrono>
#include <ctime>
#include <system_error>

#include "device_sim/base/files.h"
#include "runtime/acl/base/error.h"

namespace acl {

std::string time_digits() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
  const std::time_t seconds = ms / 1000;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y%m%d%H%M%S", &parts);
  return fmt::format("{}{:03}", text, ms % 1000);
}

std::filesystem::path make_folder(const std::filesystem::path& path, const char* argument,
                                  aclError code) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::absolute(path, error);
  if (!error) std::filesystem::create_directories(folder, error);
  if (error) fail(code, "{} is '{}': {}", argument, path.string(), error.message());
  if (access(folder.c_str(), W_OK | X_OK) != 0) {
    fail(code, "{} is '{}', which this process may not write to", argument, folder.string());
  }
  return folder;
}

void write_file(const std::filesystem::path& path, std::string_view content, aclError code) {
  if (const int error = sim::write_file(path.string(), content)) {
    fail(code, "the file {} cannot be written ({})", path.string(), sim::output_error(error));
  }
}

}  // namespace acl
