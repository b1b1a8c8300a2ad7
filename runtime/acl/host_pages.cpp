// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/host_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <memory>

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

/// Walks the list of mappings: [begin, end) must be covered by such that give the right.
bool listed(sim::Access wanted, std::uintptr_t begin, std::uintptr_t end) noexcept {
  const std::unique_ptr<std::FILE, CloseFile> maps(std::fopen("/proc/self/maps", "re"));
  if (!maps) return true;
  char line[512];
  while (std::fgets(line, sizeof line, maps.get())) {
    std::uintptr_t first = 0;
    std::uintptr_t last = 0;
    char rights[5] = {};
    const bool whole =
        std::sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", &first, &last, rights) == 3;
    if (!whole || last <= begin) continue;  // also the rest of a long line
    if (first > begin || rights[0] != 'r') return false;
    if (wanted == sim::Access::read_write && rights[1] != 'w') return false;
    if (last >= end) return true;
    begin = last;
  }
  return false;
}

}  // namespace

bool host_may(sim::Access wanted, const void* address, std::size_t size) noexcept {
  if (size == 0) return true;
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  if (first + (size - 1) < first) return false;
  const std::uintptr_t begin = first & ~(page - 1);
  const std::uintptr_t last = (first + (size - 1)) & ~(page - 1);
  if ((last - begin) / page < kMostPages) {
    const int advice = wanted == sim::Access::read_write ? kPopulateWrite : kPopulateRead;
    if (madvise(reinterpret_cast<void*>(begin), last - begin + page, advice) == 0) return true;
  }
  // A refusal has other reasons too: an older system, memory of a device.
  return listed(wanted, begin, last + page);
}

}  // namespace acl
