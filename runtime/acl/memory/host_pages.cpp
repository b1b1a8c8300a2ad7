// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/memory/host_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <memory>

#include "device_sim/base/uncancelled.h"

namespace acl {
namespace {

// <sys/mman.h> of Debian 12 and later; Linux 5.14.
constexpr int kPopulateRead = 22;
constexpr int kPopulateWrite = 23;
// Each page costs a walk; from here on the list of all mappings costs less (about 40 us).
constexpr std::uintptr_t kMostPages = 64;

struct CloseFile {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};

enum class Reachable { yes, no, unknown };

/// Lets the system bring the pages in, as an access would.
Reachable populate(sim::Access wanted, std::uintptr_t begin, std::uintptr_t end) noexcept {
  const int advice = wanted == sim::Access::read_write ? kPopulateWrite : kPopulateRead;
  if (madvise(reinterpret_cast<void*>(begin), end - begin, advice) == 0) return Reachable::yes;
  // EFAULT: an access would raise SIGBUS. Other refusals have reasons of their own: an older
  // system, memory of a device.
  return errno == EFAULT ? Reachable::no : Reachable::unknown;
}

std::uintptr_t page_size() noexcept {
  static const auto size = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  return size;
}

/// Reads the list of mappings: mappings that give the right must cover [begin, end). A mapping of a
/// file may extend past the end of the file, so the last page that is needed decides.
bool listed(sim::Access wanted, std::uintptr_t begin, std::uintptr_t end) noexcept {
  const sim::Uncancelled whole_list;
  const std::unique_ptr<std::FILE, CloseFile> maps(std::fopen("/proc/self/maps", "re"));
  if (!maps) return true;
  char line[512];
  while (std::fgets(line, sizeof line, maps.get())) {
    std::uintptr_t first = 0;
    std::uintptr_t last = 0;
    char rights[5] = {};
    unsigned long inode = 0;
    const bool whole = std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s %*s %*s %lu", &first, &last,
                                   rights, &inode) == 4;
    if (!whole || last <= begin) continue;  // also the rest of a long line
    if (first > begin || rights[0] != 'r') return false;
    if (wanted == sim::Access::read_write && rights[1] != 'w') return false;
    const std::uintptr_t stop = std::min(last, end);
    if (inode != 0 && populate(wanted, stop - page_size(), stop) == Reachable::no) return false;
    if (last >= end) return true;
    begin = last;
  }
  return false;
}

}  // namespace

bool host_may(sim::Access wanted, const void* address, std::size_t size) noexcept {
  if (size == 0) return true;
  const std::uintptr_t page = page_size();
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  if (first + (size - 1) < first) return false;
  const std::uintptr_t begin = first & ~(page - 1);
  const std::uintptr_t last = (first + (size - 1)) & ~(page - 1);
  if ((last - begin) / page < kMostPages) {
    const Reachable answer = populate(wanted, begin, last + page);
    if (answer != Reachable::unknown) return answer == Reachable::yes;
  }
  return listed(wanted, begin, last + page);
}

}  // namespace acl
