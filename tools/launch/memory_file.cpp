// SPDX-License-Identifier: Apache-2.0
#include "tools/launch/memory_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace launch {

MemoryFile::MemoryFile(const char* name, std::string_view content)
    : fd_(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  const auto fail = [&] {
    throw std::system_error(errno, std::generic_category(), fmt::format("a file for {}", name));
  };
  if (fd_ < 0) fail();
  while (!content.empty()) {
    const ssize_t size = ::write(fd_, content.data(), content.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) {
      ::close(fd_);
      fail();
    }
    content.remove_prefix(static_cast<std::size_t>(size));
  }
  ::fcntl(fd_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL);
}

MemoryFile::~MemoryFile() { ::close(fd_); }

std::string MemoryFile::path() const { return fmt::format("/proc/{}/fd/{}", ::getpid(), fd_); }

}  // namespace launch
