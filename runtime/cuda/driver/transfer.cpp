// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/driver/transfer.h"

#include <algorithm>
#include <cstring>

#include "runtime/cuda/base/error.h"

namespace cuda::transfer {
namespace {

/// A piece of the source stays in a cache of the core while all replicas are written.
constexpr std::size_t kBlock = std::size_t{128} << 10;

void append_ranges(const Side& side, bool written, std::vector<embedding::Range>& ranges) {
  for (const Extent& extent : side.extents) {
    for (const Copy& copy : extent.copies) {
      if (copy.shown) ranges.push_back({copy.shown, extent.size, !written, written});
    }
  }
}

std::size_t size_of(const Side& side) {
  std::size_t size = 0;
  for (const Extent& extent : side.extents) size += extent.size;
  return size;
}

bool overlap(const std::byte* a, std::size_t a_size, const std::byte* b, std::size_t b_size) {
  return a < b + b_size && b < a + a_size;
}

/// Calls body(from, to extents at, size) for each part that is inside one extent of both sides.
template <class Body>
void walk(const Side& from, const Side& to, Body&& body) {
  std::size_t i = 0;
  std::size_t k = 0;
  std::size_t from_at = 0;
  std::size_t to_at = 0;
  while (i < from.extents.size() && k < to.extents.size()) {
    const Extent& source = from.extents[i];
    const Extent& target = to.extents[k];
    const std::size_t size = std::min(source.size - from_at, target.size - to_at);
    body(source.copies[0].bytes + from_at, target, to_at, size);
    from_at += size;
    to_at += size;
    if (from_at == source.size) from_at = 0, ++i;
    if (to_at == target.size) to_at = 0, ++k;
  }
}

void write_block(const std::byte* from, const Extent& to, std::size_t at, std::size_t size) {
  for (const Copy& copy : to.copies) {
    if (copy.bytes + at != from) std::memcpy(copy.bytes + at, from, size);
  }
}

bool reads_what_it_writes(const Side& from, const Side& to) {
  for (const Extent& source : from.extents) {
    for (const Extent& target : to.extents) {
      for (const Copy& copy : target.copies) {
        if (overlap(source.copies[0].bytes, source.size, copy.bytes, target.size)) return true;
      }
    }
  }
  return false;
}

void copy_sides(const Side& from, const Side& to) {
  walk(from, to,
       [](const std::byte* source, const Extent& target, std::size_t at, std::size_t size) {
         for (std::size_t done = 0; done < size; done += kBlock) {
           write_block(source + done, target, at + done, std::min(kBlock, size - done));
         }
       });
}

/// The bytes of a side, in memory of its own.
Side staged(const Side& side) {
  const std::size_t size = size_of(side);
  auto bytes = std::shared_ptr<std::byte[]>(new std::byte[size]);
  Side copy;
  copy.extents.push_back({size, {{bytes.get(), nullptr, bytes}}});
  copy_sides(side, copy);
  return copy;
}

class CopyWork final : public embedding::Work {
 public:
  CopyWork(Side from, Side to)
      : from_(std::move(from)), to_(std::move(to)), staged_(reads_what_it_writes(from_, to_)) {}

  const char* name() const noexcept override {
    return to_.multicast ? "MULTICAST_COPY" : "CUDA_COPY";
  }
  std::size_t bytes() const noexcept override { return size_of(from_); }
  std::vector<embedding::Range> ranges() const override {
    std::vector<embedding::Range> ranges;
    append_ranges(from_, false, ranges);
    append_ranges(to_, true, ranges);
    return ranges;
  }
  void run() const override { copy_sides(staged_ ? staged(from_) : from_, to_); }

 private:
  const Side from_;
  const Side to_;
  const bool staged_;  // the source is read completely before anything is written
};

class FillWork final : public embedding::Work {
 public:
  FillWork(Side to, std::uint64_t value, std::size_t width)
      : to_(std::move(to)), value_(value), width_(width) {}

  const char* name() const noexcept override {
    return to_.multicast ? "MULTICAST_FILL" : "CUDA_FILL";
  }
  std::size_t bytes() const noexcept override { return size_of(to_); }
  std::vector<embedding::Range> ranges() const override {
    std::vector<embedding::Range> ranges;
    append_ranges(to_, true, ranges);
    return ranges;
  }
  void run() const override {
    for (const Extent& extent : to_.extents) {
      for (const Copy& copy : extent.copies) fill(copy.bytes, extent.size);
    }
  }

 private:
  template <class T>
  void fill_with(std::byte* bytes, std::size_t size) const {
    std::fill_n(reinterpret_cast<T*>(bytes), size / sizeof(T), static_cast<T>(value_));
  }
  // Extents end at multiples of 2 MiB or with the range, so no value is cut.
  void fill(std::byte* bytes, std::size_t size) const {
    switch (width_) {
      case 1:
        std::memset(bytes, static_cast<int>(value_ & 0xff), size);
        break;
      case 2:
        fill_with<std::uint16_t>(bytes, size);
        break;
      case 4:
        fill_with<std::uint32_t>(bytes, size);
        break;
      default:
        fill_with<std::uint64_t>(bytes, size);
        break;
    }
  }

  const Side to_;
  const std::uint64_t value_;
  const std::size_t width_;
};

void submit(Caller caller, const streams::StreamRef& stream,
            std::shared_ptr<const embedding::Work> work) {
  streams::enqueue(stream, [&](aclrtStream acl) {
    require(Machine::get().runtime().submit_work(caller, acl, std::move(work)), "the work");
  });
}

}  // namespace

void copy(Caller caller, const CopyRequest& request, const streams::StreamRef& stream, bool now) {
  if (request.size == 0) return;
  const Context& context = *stream->context;
  const InContext inside(context);
  Side from = locate(request.from, request.size, Role::read, request.from_is, context, "src");
  Side to = locate(request.to, request.size, Role::written, request.to_is, context, "dst");
  // The program may use its memory again as soon as the call has returned.
  const bool waits = now || to.pageable;
  if (from.pageable && !waits) from = staged(from);
  submit(caller, stream, std::make_shared<CopyWork>(std::move(from), std::move(to)));
  if (waits) streams::synchronize(stream);
}

void fill(Caller caller, const FillRequest& request, const streams::StreamRef& stream) {
  if (request.to % request.width != 0) {
    refuse("dst is {:#x}; expected a multiple of {} bytes, the size of the value", request.to,
           request.width);
  }
  if (request.count == 0) return;
  if (request.count > ~std::size_t{0} / request.width) refuse("count is {}", request.count);
  const InContext inside(*stream->context);
  Side to = locate(request.to, request.count * request.width, Role::written, Expected::device,
                   *stream->context, "dst");
  submit(caller, stream, std::make_shared<FillWork>(std::move(to), request.value, request.width));
}

void require_memory(CUdeviceptr address, std::size_t size, Role role, Expected expected,
                    const streams::StreamRef& stream, const char* argument) {
  const InContext inside(*stream->context);
  locate(address, size, role, expected, *stream->context, argument);
}

}  // namespace cuda::transfer
