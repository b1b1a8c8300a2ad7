// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>

/// Captures stderr and stdout during its lifetime.
class Said {
 public:
  explicit Said(int fd = STDERR_FILENO) : fd_(fd) {
    std::fflush(nullptr);
    kept_ = dup(fd_);
    dup2(fileno(file_), fd_);
  }
  ~Said() { stop(); }
  Said(const Said&) = delete;
  Said& operator=(const Said&) = delete;
  /// Without the messages of a seeded schedule about a slow machine.
  std::string text() {
    stop();
    std::string all, line;
    std::rewind(file_);
    for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_)) {
      line += static_cast<char>(c);
      if (c == '\n') add(all, line);
    }
    add(all, line);
    return all;
  }

 private:
  static void add(std::string& all, std::string& line) {
    if (!line.starts_with("aclsim: from here on the seed alone no longer decides")) all += line;
    line.clear();
  }
  void stop() {
    if (kept_ < 0) return;
    std::fflush(nullptr);
    dup2(kept_, fd_);
    close(kept_);
    kept_ = -1;
  }
  const int fd_;
  int kept_ = -1;
  std::FILE* file_ = std::tmpfile();
};

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
