// SPDX-License-Identifier: Apache-2.0
#include "runtime/fabric/ranks/doorbell.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "runtime/fabric/base/error.h"

namespace fabric {

ProcessPage::ProcessPage() : file_(sim::make_memory_file("aclsim.process", kBytes)) { map(); }

ProcessPage::ProcessPage(sim::OwnedFd file) : file_(std::move(file)) {
  struct stat about {};
  if (fstat(file_.get(), &about) != 0 || about.st_size != static_cast<off_t>(kBytes)) {
    throw FabricError(Status::broken, "another process shares a page that is none");
  }
  map();
}

ProcessPage::~ProcessPage() { munmap(words_, kBytes); }

void ProcessPage::map() {
  void* const at = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
  if (at == MAP_FAILED) throw FabricError(Status::broken, "cannot map a page of a process");
  words_ = static_cast<std::atomic<std::uint64_t>*>(at);
}

void Doorbell::ring() noexcept {
  // Pairs with `arm`: either a process that arms after this fence sees the data written before it,
  // or this thread sees that the bell is armed.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (page_->armed().load() == 0 || page_->armed().exchange(0) == 0) return;
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(event_.get(), &one, sizeof one);
}

}  // namespace fabric
