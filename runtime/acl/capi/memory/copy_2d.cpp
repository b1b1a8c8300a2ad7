// SPDX-License-Identifier: Apache-2.0
// Copies of a rectangle: rows of `width` bytes, a pitch apart.
#include <cstring>
#include <vector>

#include "device_sim/streams/driver.h"
#include "device_sim/streams/task.h"
#include "runtime/acl/capi/core/lookup.h"
#include "runtime/acl/memory/transfer.h"
#include "runtime/acl/watch/registry.h"

using namespace acl;

namespace {

constexpr std::size_t kMostBytes = 5'000'000;  // of a row
constexpr std::size_t kMostRows = 5'242'880;

struct Rectangle {
  void* dst;
  std::size_t dst_pitch;
  const void* src;
  std::size_t src_pitch;
  std::size_t width;
  std::size_t height;

  /// From the first byte to the last.
  std::size_t dst_span() const { return (height - 1) * dst_pitch + width; }
  std::size_t src_span() const { return (height - 1) * src_pitch + width; }

  /// One range for each row, so that the bytes between the rows count as untouched; with very many
  /// rows one range for all.
  std::vector<sim::MemoryRange> ranges() const {
    constexpr std::size_t kMostRanges = 4096;
    if (height > kMostRanges) return {{src, src_span(), false}, {dst, dst_span(), true}};
    std::vector<sim::MemoryRange> rows;
    append_rows(rows, src, src_pitch, false);
    append_rows(rows, dst, dst_pitch, true);
    return rows;
  }
  void append_rows(std::vector<sim::MemoryRange>& rows, const void* first, std::size_t pitch,
                   bool written) const {
    if (pitch == width) return rows.push_back({first, width * height, written});
    for (std::size_t row = 0; row < height; ++row) {
      rows.push_back({static_cast<const std::byte*>(first) + row * pitch, width, written});
    }
  }

  void copy(sim::Memory& memory) const {
    auto* to = static_cast<std::byte*>(memory.engine(dst));
    const auto* from = static_cast<const std::byte*>(memory.engine(src));
    for (std::size_t row = 0; row < height; ++row, to += dst_pitch, from += src_pitch) {
      std::memmove(to, from, width);
    }
  }
};

void check_numbers(const Rectangle& area, aclrtMemcpyKind kind) {
  require_input(area.dst, "dst");
  require_input(area.src, "src");
  if (kind < ACL_MEMCPY_HOST_TO_DEVICE || kind > ACL_MEMCPY_DEFAULT) {
    fail(ACL_ERROR_INVALID_PARAM, "kind is {}; expected 1 to 4", static_cast<int>(kind));
  }
  if (area.width > area.dst_pitch || area.width > area.src_pitch) {
    fail(ACL_ERROR_INVALID_PARAM, "width is {}, dpitch {} and spitch {}; expected width <= pitch",
         area.width, area.dst_pitch, area.src_pitch);
  }
  if (area.width == 0 || area.width > kMostBytes || area.height == 0 || area.height > kMostRows) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "width is {} and height {}; expected 1 to {} and 1 to {}",
         area.width, area.height, kMostBytes, kMostRows);
  }
  if (std::max(area.dst_pitch, area.src_pitch) > SIZE_MAX / kMostRows - kMostBytes) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "dpitch is {} and spitch {}: no memory is that large",
         area.dst_pitch, area.src_pitch);
  }
}

struct Ends {
  MemoryLocation to;
  MemoryLocation from;
};

Ends locate_ends(Runtime& runtime, const Rectangle& area) {
  Ends ends{locate(runtime, area.dst, area.dst_span(), "dst", sim::Access::read_write),
            locate(runtime, area.src, area.src_span(), "src")};
  require_access(runtime, ends.to, ends.from);
  return ends;
}

void report_rows(const Rectangle& area) {
  if (auto* const listener = watch::listener()) listener->host_copied(area.ranges());
}

}  // namespace

extern "C" {

aclError aclrtMemcpy2d(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                       size_t height, aclrtMemcpyKind kind) {
  return guarded(__func__, [&](Runtime& runtime) {
    const Rectangle area{dst, dpitch, src, spitch, width, height};
    check_numbers(area, kind);
    require_immediate_work(runtime);
    const Ends ends = locate_ends(runtime, area);
    if (ends.to.on_device() == ends.from.on_device() && !ends.to.managed() &&
        !ends.from.managed()) {
      fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
           "dst and src are both {} memory; expected a copy between host and device, or "
           "aclrtMemcpy2dAsync",
           ends.to.on_device() ? "device" : "host");
    }
    report_rows(area);
    area.copy(runtime.memory());
  });
}

aclError aclrtMemcpy2dAsync(void* dst, size_t dpitch, const void* src, size_t spitch, size_t width,
                            size_t height, aclrtMemcpyKind kind, aclrtStream stream) {
  return guarded(__func__, [&](Runtime& runtime) {
    const Rectangle area{dst, dpitch, src, spitch, width, height};
    check_numbers(area, kind);
    Stream* const found = own_stream(runtime, stream);
    const Ends ends = locate_ends(runtime, area);
    check_direction(kind, ends.to, ends.from);
    if (happens_in_call(*found, ends.to, ends.from)) {
      finish_stream(*found);
      report_rows(area);
      area.copy(runtime.memory());
      return;
    }
    if (auto* const listener = watch::listener(); listener && !ends.to.on_device()) {
      if (!found->redirected()) listener->copying_to_host(*found, area.ranges());
    }
    found->submit(sim::make_task(sim::make_simple_task("MEMCPY_2D", width * height, area.ranges(),
                                                       [area](sim::Stream& on) -> sim::Failure {
                                                         area.copy(on.driver().memory());
                                                         return {};
                                                       })));
  });
}

}  // extern "C"
