// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/dump/dump_output.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <vector>

#include "device_sim/base/files.h"
#include "device_sim/base/mutex.h"
#include "device_sim/base/owned_fd.h"
#include "runtime/acl/base/result_folder.h"

namespace acl {
namespace {

constexpr std::size_t kChunk = std::size_t{1} << 20;
constexpr std::size_t kLongestPart = 100;

/// Cuts a file into chunks for a function.
class Chunks {
 public:
  Chunks(DumpOutput::Callback callback, std::int32_t flag, const std::string& path)
      : callback_(callback), flag_(flag), path_(path) {}

  void send(const void* data, std::size_t size, bool last) {
    buffer_.resize(sizeof(acldumpChunk) + size);
    auto* const chunk = reinterpret_cast<acldumpChunk*>(buffer_.data());
    *chunk = {};
    path_.copy(chunk->fileName, sizeof chunk->fileName - 1);
    chunk->bufLen = static_cast<std::uint32_t>(size);
    chunk->isLastChunk = last ? 1 : 0;
    chunk->offset = offset_;
    chunk->flag = flag_;
    if (size != 0) std::memcpy(buffer_.data() + offsetof(acldumpChunk, dataBuf), data, size);
    offset_ += static_cast<std::int64_t>(size);
    const std::int32_t answer = callback_(chunk, static_cast<std::int32_t>(buffer_.size()));
    if (answer != 0) {
      fail(ACL_ERROR_INTERNAL_ERROR, "the function that takes dumped data returned {} for {}",
           answer, path_);
    }
  }

 private:
  const DumpOutput::Callback callback_;
  const std::int32_t flag_;
  const std::string& path_;
  std::int64_t offset_ = 0;
  std::vector<unsigned char> buffer_;
};

/// Half an array is none.
void remove_part(const std::string& path, int file) noexcept {
  struct stat info {};
  if (::fstat(file, &info) == 0 && S_ISREG(info.st_mode)) ::unlink(path.c_str());
}

void write_to_file(const std::string& path, const std::string& head, const void* data,
                   std::size_t size) {
  make_folder(std::filesystem::path(path).parent_path(), "the folder of a dump",
              ACL_ERROR_INVALID_FILE);
  const sim::OwnedFd file(sim::open_output(path, O_WRONLY | O_CREAT | O_TRUNC));
  int error = file ? sim::write_all(file.get(), head) : errno;
  if (error == 0) error = sim::write_all(file.get(), {static_cast<const char*>(data), size});
  if (error != 0) {
    if (file) remove_part(path, file.get());
    fail(ACL_ERROR_INVALID_FILE, "the file {} cannot be written ({})", path,
         sim::output_error(error));
  }
}

}  // namespace

void DumpOutput::set_callback(Callback callback, std::int32_t flag) {
  const sim::LockGuard guard(mutex_);
  callback_ = callback;
  flag_ = flag;
}

void DumpOutput::write(const std::string& path, const std::string& head, const void* data,
                       std::size_t size) {
  Callback callback = nullptr;
  std::int32_t flag = 0;
  {
    const sim::LockGuard guard(mutex_);
    callback = callback_;
    flag = flag_;
  }
  if (!callback) return write_to_file(path, head, data, size);
  Chunks chunks(callback, flag, path);
  chunks.send(head.data(), head.size(), size == 0);
  for (std::size_t at = 0; at < size; at += kChunk) {
    const std::size_t part = std::min(kChunk, size - at);
    chunks.send(static_cast<const char*>(data) + at, part, at + part == size);
  }
}

std::string file_name_part(const std::string& text) {
  std::string part = text.substr(0, kLongestPart);
  for (char& c : part) {
    const bool usual =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
    if (!usual) c = '_';
  }
  return part.empty() ? "_" : part;
}

}  // namespace acl
