// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/files/output_file.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <filesystem>
#include <stdexcept>

#include "device_sim/base/files.h"

namespace trace {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 18;

bool written_in_place(const std::string& path) {
  struct stat status {};
  return path == "-" || (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode));
}

mode_t usual_mode() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return static_cast<mode_t>(0666 & ~mask);
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path) {
  if (path == "-") {
    fd_ = ::dup(STDOUT_FILENO);
  } else if (written_in_place(path)) {
    fd_ = sim::open_output(path, O_WRONLY);
  } else {
    open_beside();
  }
  if (fd_ < 0) fail("cannot be written");
  if (!path.ends_with(".gz")) return;
  packer_ = gzdopen(fd_, "wb");
  if (!packer_) fail("cannot be compressed");
}

void OutputFile::open_beside() {
  std::error_code error;  // a link is followed: what it points to is replaced
  const std::filesystem::path target = std::filesystem::weakly_canonical(path_, error);
  if (!error) path_ = target.string();
  beside_ = path_ + ".XXXXXX";
  fd_ = ::mkostemp(beside_.data(), O_CLOEXEC);
  if (fd_ >= 0) ::fchmod(fd_, usual_mode());
}

OutputFile::~OutputFile() {
  if (packer_) {
    gzclose_w(static_cast<gzFile>(packer_));
  } else if (fd_ >= 0) {
    ::close(fd_);
  }
  if (fd_ >= 0 && !beside_.empty()) ::unlink(beside_.c_str());
}

std::string OutputFile::error_text(const char* what) const {
  const std::string why = sim::output_error(errno);
  return fmt::format("{}: {} ({})", path_ == "-" ? "the standard output" : path_, what, why);
}

void OutputFile::fail(const char* what) const { throw std::runtime_error(error_text(what)); }

void OutputFile::fail_to_complete() const {
  throw OutputError(error_text("cannot be written to its end"));
}

void OutputFile::put(const char* bytes, std::size_t size) {
  errno = sim::write_all(fd_, {bytes, size});
  if (errno != 0) fail_to_complete();
}

void OutputFile::flush() {
  if (!packer_) {
    put(buffer_.data(), buffer_.size());
  } else if (!buffer_.empty() && gzwrite(static_cast<gzFile>(packer_), buffer_.data(),
                                         static_cast<unsigned>(buffer_.size())) == 0) {
    fail_to_complete();
  }
  buffer_.clear();
}

void OutputFile::write(std::string_view text) {
  while (!text.empty()) {
    const std::string_view part = text.substr(0, kBuffer);
    buffer_.append(part);
    if (buffer_.size() >= kBuffer) flush();
    text.remove_prefix(part.size());
  }
}

void OutputFile::close() {
  flush();
  int code = 0;
  if (packer_) {
    code = gzclose_w(static_cast<gzFile>(packer_)) == Z_OK ? 0 : -1;
    packer_ = nullptr;
  } else {
    code = ::close(fd_);
  }
  fd_ = -1;
  if (code == 0 && !beside_.empty()) code = ::rename(beside_.c_str(), path_.c_str());
  if (code == 0) return;
  const int why = errno;
  if (!beside_.empty()) ::unlink(beside_.c_str());
  errno = why;
  fail_to_complete();
}

}  // namespace trace
