// SPDX-License-Identifier: Apache-2.0
#include "device_sim/sharing/mailbox.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <exception>

#include "device_sim/base/error.h"
#include "device_sim/base/files.h"

namespace sim {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

struct Header {
  char mark[Mailbox::kMark];
  std::uint32_t kind;
  std::int32_t process;
  std::uint64_t instance;
  std::uint64_t size;
};

[[noreturn]] void fail_with_errno() {
  throw MachineError(Error::out_of_memory,
                     std::string("cannot make a mailbox: ") + std::strerror(errno));
}

/// "PATH:MARK in hexadecimal". False when it is none.
bool parse(std::string_view address, std::string& path, char (&mark)[Mailbox::kMark]) {
  const std::size_t colon = address.rfind(':');
  if (colon == address.npos || address.size() - colon - 1 != 2 * Mailbox::kMark) return false;
  for (std::size_t i = 0; i < Mailbox::kMark; ++i) {
    const char* const digits = address.data() + colon + 1 + 2 * i;
    unsigned byte = 0;
    if (std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2) return false;
    mark[i] = static_cast<char>(byte);
  }
  path = address.substr(0, colon);
  return true;
}

}  // namespace

Mailbox::Mailbox() : file_(::memfd_create("aclsim-mailbox", MFD_CLOEXEC)) {
  const auto size = static_cast<ssize_t>(mark_.size());
  if (!file_ || ::getrandom(mark_.data(), mark_.size(), 0) != size) fail_with_errno();
}

std::string Mailbox::address() const {
  std::string text =
      "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(file_.get()) + ":";
  for (const char c : mark_) {
    constexpr const char* kDigits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    text.append({kDigits[byte >> 4], kDigits[byte & 15]});
  }
  return text;
}

std::uint64_t Mailbox::arrived() const {
  struct stat info {};
  return ::fstat(file_.get(), &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

void Mailbox::read_on() {
  const std::uint64_t end = arrived();
  const std::uint64_t begin = read_;
  while (read_ < end) {
    const std::size_t size = pending_.size();
    const std::size_t wanted = std::min<std::uint64_t>(end - read_, kPiece);
    pending_.resize(size + wanted);
    const ssize_t got =
        ::pread(file_.get(), pending_.data() + size, wanted, static_cast<off_t>(read_));
    pending_.resize(size + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    read_ += static_cast<std::uint64_t>(got);
  }
  // Frees the part of the file that was copied. If the system does not support this, the messages
  // stay in memory twice.
  if (read_ > begin) {
    ::fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(begin),
                static_cast<off_t>(read_ - begin));
  }
}

// A message that is shorter than its header says ends where the mark of the next one begins: its
// writer was killed meanwhile.
std::vector<Mail> Mailbox::take(bool last) {
  read_on();
  std::vector<Mail> mails;
  const std::string_view mark(mark_.data(), mark_.size());
  std::size_t done = 0;  // the bytes after it may begin a message, or even only its mark
  std::size_t at = pending_.find(mark);
  while (at != pending_.npos) {
    const std::size_t next = pending_.find(mark, at + mark.size());
    const std::size_t end = std::min(next, pending_.size());
    Header header{};
    if (end - at >= sizeof header) std::memcpy(&header, pending_.data() + at, sizeof header);
    const std::size_t size = end - at < sizeof header ? 0 : end - at - sizeof header;
    const bool whole = header.process != 0 && size >= header.size;
    if (!whole && next == pending_.npos && !last) break;
    if (header.process != 0) {
      const std::size_t length = std::min<std::uint64_t>(size, header.size);
      mails.push_back({header.kind, header.process, header.instance,
                       pending_.substr(at + sizeof header, length), whole});
      done = at + sizeof header + length;
    }
    at = next;
  }
  pending_.erase(0, done);
  return mails;
}

int send_mail(const std::string& address, std::uint32_t kind, std::uint64_t instance,
              std::string_view bytes) noexcept try {
  Header header{{}, kind, ::getpid(), instance, bytes.size()};
  std::string path;
  if (!parse(address, path, header.mark)) return EINVAL;
  const files::Closed file(open_output(path, O_WRONLY | O_APPEND));
  if (file.get() < 0) return errno;
  const iovec parts[] = {{&header, sizeof header}, {const_cast<char*>(bytes.data()), bytes.size()}};
  ssize_t written = 0;
  do {  // the file is locked for the length of the call
    written = ::writev(file.get(), parts, 2);
  } while (written < 0 && errno == EINTR);
  if (written < 0) return errno;
  return static_cast<std::size_t>(written) == sizeof header + bytes.size() ? 0 : ENOSPC;
} catch (const std::exception&) {
  return ENOMEM;
}

std::string mail_error(int error) {
  if (error == ENOENT || error == ESRCH) return "its process has ended";
  return error == EINVAL ? "it is no address of a mailbox" : output_error(error);
}

}  // namespace sim
