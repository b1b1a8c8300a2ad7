// SPDX-License-Identifier: Apache-2.0
#include "tools/trace/files/input_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "device_sim/base/files.h"

namespace trace {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr std::size_t kLongestLine = std::size_t{64} << 20;

constexpr int kWriterPatience_ms = 5000;
constexpr int kWriterPause_ms = 10;

/// Whether a named pipe, in non-blocking mode, has bytes or is open for writing.
bool has_writer(int fd) {
  int copy[2];
  if (::pipe2(copy, O_CLOEXEC) != 0) throw sim::FileError(std::strerror(errno));
  const sim::files::Closed out(copy[0]);
  const sim::files::Closed in(copy[1]);
  const ssize_t there = ::tee(fd, in.get(), 1, SPLICE_F_NONBLOCK);
  return there > 0 || (there < 0 && errno == EAGAIN);
}

void await_writer(int fd) {
  for (int waited = 0; !has_writer(fd); waited += kWriterPause_ms) {
    if (waited >= kWriterPatience_ms) throw sim::FileError("nobody writes to the pipe");
    ::poll(nullptr, 0, kWriterPause_ms);
  }
}

/// Throws FileError.
int open_file(const std::string& path) {
  if (path == "-") {
    if (::isatty(STDIN_FILENO) == 0) sim::files::require_input(STDIN_FILENO, sim::Pipes::allowed);
    return ::dup(STDIN_FILENO);
  }
  sim::files::Closed file(sim::open_input(path, sim::Pipes::allowed));
  struct stat status {};
  if (::fstat(file.get(), &status) == 0 && S_ISFIFO(status.st_mode)) await_writer(file.get());
  ::fcntl(file.get(), F_SETFL, ::fcntl(file.get(), F_GETFL) & ~O_NONBLOCK);
  return file.give_away();
}

}  // namespace

std::string shown(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, 60)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return text.size() > 60 ? out + "..." : out;
}

InputFile::InputFile(const std::string& path, Watch watch, std::size_t most_of_pipe)
    : path_(path), watch_(std::move(watch)), most_of_pipe_(most_of_pipe) {
  int fd = -1;
  try {
    fd = open_file(path);
  } catch (const sim::FileError& error) {
    throw InputError(path, fmt::format("cannot be read ({}); expected a file", error.what()));
  }
  struct stat status {};
  regular_ = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  if (regular_) size_ = static_cast<std::uint64_t>(status.st_size);
  file_ = gzdopen(fd, "rb");
  if (!file_) {
    ::close(fd);
    throw InputError(path, "cannot be read (out of memory)");
  }
  gzbuffer(static_cast<gzFile>(file_), 1U << 18);
}

InputFile::~InputFile() {
  if (file_) gzclose_r(static_cast<gzFile>(file_));
}

bool InputFile::plain() const {
  return regular_ && path_ != "-" && gzdirect(static_cast<gzFile>(file_)) != 0;
}

std::size_t InputFile::inflate(char* to, std::size_t size) {
  if (!file_) return 0;
  const auto file = static_cast<gzFile>(file_);
  const int got = gzread(file, to, static_cast<unsigned>(std::min(size, kChunk)));
  int code = Z_OK;
  const char* const text = gzerror(file, &code);
  if (got < 0 || (got == 0 && code == Z_BUF_ERROR)) {
    if (code == Z_BUF_ERROR) {
      throw InputError(path_,
                       "is truncated (unexpected end of what is packed); expected the whole "
                       "file");
    }
    std::string_view why = code == Z_ERRNO ? std::strerror(errno) : text;
    if (why.starts_with("<fd:")) why.remove_prefix(std::min(why.size(), why.find(": ") + 2));
    throw InputError(path_, fmt::format("cannot be read to its end ({})", why));
  }
  inflated_ += static_cast<std::size_t>(got);
  if (!regular_ && inflated_ > most_of_pipe_) {
    throw InputError(path_, fmt::format("more than {} MB from a pipe; expected less: write them to "
                                        "a file first",
                                        most_of_pipe_ >> 20));
  }
  if (watch_) watch_(static_cast<std::uint64_t>(std::max<z_off_t>(0, gzoffset(file))), size_);
  return static_cast<std::size_t>(got);
}

std::size_t InputFile::read(char* to, std::size_t size) {
  if (ahead_.empty()) return inflate(to, size);
  const std::size_t count = std::min(size, ahead_.size());
  std::memcpy(to, ahead_.data(), count);
  ahead_.erase(0, count);
  return count;
}

std::string_view InputFile::peek(std::size_t size) {
  while (ahead_.size() < size) {
    const std::size_t had = ahead_.size();
    ahead_.resize(size);
    const std::size_t got = inflate(ahead_.data() + had, size - had);
    ahead_.resize(had + got);
    if (got == 0) break;
  }
  return std::string_view(ahead_).substr(0, size);
}

Text read_all(InputFile& file, std::size_t limit) {
  Text text;
  text.bytes.resize(std::min(file.size(), limit) + 2 * kChunk + kPadding);  // seldom too small
  for (;;) {
    if (text.bytes.size() < text.size + kChunk + kPadding) {
      text.bytes.resize(text.bytes.size() * 2 + kChunk + kPadding);
    }
    const std::size_t got = file.read(text.bytes.data() + text.size, kChunk);
    if (got == 0) break;
    text.size += got;
    if (text.size > limit) {
      throw InputError(file.path(), fmt::format("more than {} MB in one JSON text; expected less: "
                                                "cut it to a window of time",
                                                limit >> 20));
    }
  }
  std::memset(text.bytes.data() + text.size, 0, kPadding);
  return text;
}

bool LineReader::refill() {
  if (eof_) return false;
  if (begin_ != 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= std::exchange(begin_, 0);
  }
  if (end_ > kLongestLine) {
    throw InputError(file_.path(), number_ + 1, "a line of more than 64 MB; expected JSON Lines");
  }
  if (buffer_.size() < end_ + kChunk + kPadding) {
    buffer_.resize(buffer_.size() * 2 + kChunk + kPadding);
  }
  const std::size_t got = file_.read(buffer_.data() + end_, kChunk);
  end_ += got;
  eof_ = got == 0;
  return !eof_;
}

std::optional<std::string_view> LineReader::next() {
  std::size_t searched = 0;
  for (;;) {
    char* const from = buffer_.data() + begin_;
    const std::size_t size = end_ - begin_;
    if (size > searched) {
      void* const mark = std::memchr(from + searched, '\n', size - searched);
      if (mark) {
        *static_cast<char*>(mark) = '\0';
        const auto length = static_cast<std::size_t>(static_cast<char*>(mark) - from);
        begin_ += length + 1;
        ++number_;
        return std::string_view(from, length);
      }
    }
    searched = size;
    if (refill()) continue;
    if (size == 0) return std::nullopt;
    const std::string_view last(buffer_.data() + begin_, size);  // refill() may have moved it
    buffer_[end_] = '\0';
    begin_ = end_;
    ++number_;
    ended_ = false;
    return last;
  }
}

}  // namespace trace
