// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/temp_dir.h"

namespace support {

/// Paths that do not name regular files: to open or read them may block without end.
class OddFiles {
 public:
  OddFiles() {
    if (mkfifo(path("pipe.json").c_str(), 0600) != 0) throw std::runtime_error("mkfifo");
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    std::strncpy(at.sun_path, path("socket").c_str(), sizeof at.sun_path - 1);
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    const bool bound = bind(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0;
    close(fd);
    if (!bound || symlink("pipe.json", path("link").c_str()) != 0) throw std::runtime_error("bind");
  }

  /// A pipe without writer and reader.
  std::string pipe() const { return path("pipe.json"); }
  std::vector<std::string> all() const {
    return {pipe(),
            path("link"),
            path("socket"),
            "/dev/zero",
            "/dev/urandom",
            folder_.path().string(),
            "/proc/self/maps",
            "/proc/version",
            "/sys/kernel/notes"};
  }

 private:
  std::string path(const char* name) const { return (folder_.path() / name).string(); }
  TempDir folder_;
};

}  // namespace support
