// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/ipc/shared_page.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <new>
#include <vector>

#include "device_sim/base/mutex.h"
#include "device_sim/memory/pages.h"
#include "runtime/acl/base/error.h"

namespace acl {

std::uint64_t file_number(const sim::OwnedFd& file) noexcept {
  struct stat status {};
  return fstat(file.get(), &status) == 0 ? status.st_ino : 0;
}

namespace {

static_assert(SharedPage::Number::is_always_lock_free, "processes share it");

void* map_page(int file, std::size_t bytes, std::uint64_t offset) {
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file,
                        static_cast<off_t>(offset));
  if (at == MAP_FAILED) {
    throw sim::MachineError(sim::Error::out_of_memory, "pages to share cannot be mapped");
  }
  madvise(at, bytes, MADV_DONTFORK);
  return at;
}

/// The process's own pages. Pages that other processes received are not reused.
class Pages {
 public:
  static constexpr std::size_t kMost = std::size_t{1} << 18;

  Pages()
      : file_(sim::make_memory_file("acl-shared", kMost * sim::kPage)),
        base_(static_cast<std::byte*>(map_page(file_.get(), kMost * sim::kPage, 0))),
        file_number_(acl::file_number(file_)) {}

  std::uint64_t take() {
    const sim::LockGuard guard(mutex_);
    if (!free_.empty()) {
      const std::uint64_t offset = free_.back();
      free_.pop_back();
      return offset;
    }
    if (used_ == kMost) {
      throw sim::MachineError(sim::Error::out_of_memory, "there are no more pages to share");
    }
    // give() must not need memory.
    if (free_.capacity() <= used_) free_.reserve(2 * (used_ + 1));
    return used_++ * sim::kPage;
  }
  void give(std::uint64_t offset) noexcept {
    madvise(base_ + offset, sim::kPage, MADV_REMOVE);  // zeros again
    const sim::LockGuard guard(mutex_);
    free_.push_back(offset);
  }
  SharedPage::Number* at(std::uint64_t offset) const {
    return reinterpret_cast<SharedPage::Number*>(base_ + offset);
  }
  const sim::OwnedFd& file() const { return file_; }
  std::uint64_t file_number() const { return file_number_; }

  static Pages& mine() {
    static Pages* const pages = new Pages;  // as old as the runtime
    return *pages;
  }

 private:
  const sim::OwnedFd file_;
  std::byte* const base_;
  const std::uint64_t file_number_;
  sim::Mutex mutex_;
  std::size_t used_ GUARDED_BY(mutex_) = 0;
  std::vector<std::uint64_t> free_ GUARDED_BY(mutex_);
};

}  // namespace

sim::Ref<SharedPage> SharedPage::create() {
  Pages& pages = Pages::mine();
  const std::uint64_t offset = pages.take();
  return sim::Ref<SharedPage>::adopt(
      new SharedPage(pages.at(offset), pages.file_number(), offset, true));
}

sim::Ref<SharedPage> SharedPage::adopt(const sim::OwnedFd& file, std::uint64_t offset) {
  struct stat status {};
  // Behind the end of the file every look would end in SIGBUS.
  if (offset % sim::kPage != 0 || fstat(file.get(), &status) != 0 ||
      static_cast<std::uint64_t>(status.st_size) < offset + sim::kPage) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "key names byte {} of a file that does not reach there",
         offset);
  }
  void* const page = map_page(file.get(), sim::kPage, offset);
  return sim::Ref<SharedPage>::adopt(
      new SharedPage(static_cast<Number*>(page), status.st_ino, offset, false));
}

SharedPage::~SharedPage() {
  if (!own_) {
    munmap(numbers_, sim::kPage);
  } else if (!shared_.load(std::memory_order_acquire)) {
    Pages::mine().give(offset_);
  }
}

const sim::OwnedFd& SharedPage::share() noexcept {
  shared_.store(true, std::memory_order_release);
  return Pages::mine().file();
}

}  // namespace acl
