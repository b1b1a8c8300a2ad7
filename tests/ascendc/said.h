// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdio>
#include <string>

/// What is written to stderr and stdout while it lives.
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
  std::string text() {
    stop();
    std::string all;
    std::rewind(file_);
    for (int c = std::fgetc(file_); c != EOF; c = std::fgetc(file_)) all += static_cast<char>(c);
    return all;
  }

 private:
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
