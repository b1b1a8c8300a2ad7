// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/board/request.h"

#include <algorithm>
#include <vector>

namespace hccl {
namespace {

std::size_t index_of(int rank) { return static_cast<std::size_t>(rank); }

/// Divides `bytes` among the ranks in whole cache lines, so that no two ranks write the same line.
Parts shares(std::uint64_t bytes, int ranks) {
  constexpr std::uint64_t kGrain = 64;
  const std::uint64_t each = (bytes / index_of(ranks) + kGrain - 1) / kGrain * kGrain;
  Parts parts;
  for (std::uint64_t rank = 0; rank < index_of(ranks); ++rank) {
    const bool last = rank + 1 == index_of(ranks);
    const std::uint64_t begin = std::min(rank * each, bytes);
    const std::uint64_t end = last ? bytes : std::min(begin + each, bytes);
    parts.push_back({.offset = begin, .bytes = end - begin});
  }
  return parts;
}

Parts same_for_all(std::uint64_t bytes, int ranks) {
  return Parts(index_of(ranks), Part{.bytes = bytes});
}

Parts side_by_side(std::uint64_t bytes, int ranks) {
  Parts parts;
  for (std::uint64_t rank = 0; rank < index_of(ranks); ++rank) {
    parts.push_back({.offset = rank * bytes, .bytes = bytes});
  }
  return parts;
}

Parts nothing(int ranks) { return Parts(index_of(ranks)); }

std::uint64_t end_of(const Parts& parts) {
  std::uint64_t end = 0;
  for (const Part& part : parts) {
    if (part.bytes != 0) end = std::max(end, part.offset + part.bytes);
  }
  return end;
}

Request start(const Shape& shape) {
  Request request;
  request.call = shape.call;
  request.element = shape.size;
  return request;
}

Request with_copies(Request request, Parts send, Parts receive) {
  request.send_parts = std::move(send);
  request.receive_parts = std::move(receive);
  request.receive_bytes = end_of(request.receive_parts);
  return request;
}

/// The FNV-1a hash; never 0.

}  // namespace

std::uint64_t Request::send_bytes() const noexcept { return end_of(send_parts); }

bool fits_on_board(std::uint64_t bytes) noexcept { return bytes <= Board::kDataBytes; }

// Every rank reduces all of a small buffer. If the buffer is large, each rank reduces one share and
// writes the result to all ranks.
Request request_all_reduce(const Shape& shape) {
  Request request = start(shape);
  const bool small = fits_on_board(shape.bytes());
  request.send_parts =
      small ? same_for_all(shape.bytes(), shape.ranks) : shares(shape.bytes(), shape.ranks);
  request.target = small ? Target::own : Target::all;
  request.target_offset = request.send_parts[index_of(shape.me)].offset;
  request.receive_bytes = shape.bytes();
  return request;
}

Request request_reduce(const Shape& shape) {
  Request request = start(shape);
  request.target = Target::root;
  request.send_parts = shares(shape.bytes(), shape.ranks);
  if (fits_on_board(shape.bytes())) {
    request.send_parts = nothing(shape.ranks);
    request.send_parts[shape.call.root] = {.bytes = shape.bytes()};
    request.target = shape.is_root() ? Target::own : Target::none;
  }
  request.target_offset = request.send_parts[index_of(shape.me)].offset;
  request.receive_bytes = shape.is_root() ? shape.bytes() : 0;
  return request;
}

Request request_reduce_scatter(const Shape& shape) {
  Request request = start(shape);
  request.send_parts = side_by_side(shape.bytes(), shape.ranks);
  request.target = Target::own;
  request.receive_bytes = shape.bytes();
  return request;
}

Request request_broadcast(const Shape& shape) {
  Parts receive = nothing(shape.ranks);
  if (!shape.is_root()) receive[shape.call.root] = {.bytes = shape.bytes()};
  auto send = nothing(shape.ranks);
  if (shape.is_root()) {
    send = same_for_all(shape.bytes(), shape.ranks);
    send[shape.call.root] = {};
  }
  return with_copies(start(shape), std::move(send), std::move(receive));
}

Request request_scatter(const Shape& shape) {
  Parts receive = nothing(shape.ranks);
  receive[shape.call.root] = {.bytes = shape.bytes()};
  auto send = shape.is_root() ? side_by_side(shape.bytes(), shape.ranks) : nothing(shape.ranks);
  return with_copies(start(shape), std::move(send), std::move(receive));
}

Request request_all_gather(const Shape& shape) {
  return with_copies(start(shape), same_for_all(shape.bytes(), shape.ranks),
                     side_by_side(shape.bytes(), shape.ranks));
}

Request request_all_to_all(const Shape& shape) {
  return with_copies(start(shape), side_by_side(shape.bytes(), shape.ranks),
                     side_by_side(shape.bytes(), shape.ranks));
}

Request request_barrier(const Shape& shape) {
  return with_copies(start(shape), nothing(shape.ranks), nothing(shape.ranks));
}

Parts Counts::parts(int ranks, std::size_t size) const {
  Parts parts;
  std::uint64_t next = 0;
  for (std::size_t rank = 0; rank < index_of(ranks); ++rank) {
    const std::uint64_t at = displacements ? displacements[rank] : next;
    parts.push_back({.offset = at * size, .bytes = counts[rank] * size});
    next = at + counts[rank];
  }
  return parts;
}

// The counts of the ranks may differ, so `count` is not compared.
Request request_reduce_scatter_v(const Shape& shape, const Counts& send) {
  Request request = start(shape);
  request.call.count = 0;
  request.call.set_counts(send.counts, index_of(shape.ranks));
  request.send_parts = send.parts(shape.ranks, shape.size);
  request.target = Target::own;
  request.receive_bytes = shape.bytes();
  return request;
}

Request request_all_gather_v(const Shape& shape, const Counts& receive) {
  Request request = start(shape);
  request.call.count = 0;
  request.call.set_counts(receive.counts, index_of(shape.ranks));
  return with_copies(std::move(request), same_for_all(shape.bytes(), shape.ranks),
                     receive.parts(shape.ranks, shape.size));
}

Request request_all_to_all_v(const Shape& shape, const Counts& send, const Counts& receive,
                             std::size_t receive_size) {
  return with_copies(start(shape), send.parts(shape.ranks, shape.size),
                     receive.parts(shape.ranks, receive_size));
}

Request request_all_to_all_vc(const Shape& shape, const std::uint64_t* matrix,
                              std::size_t receive_size) {
  const std::size_t ranks = index_of(shape.ranks);
  std::vector<std::uint64_t> column;
  for (std::size_t from = 0; from < ranks; ++from) {
    column.push_back(matrix[from * ranks + index_of(shape.me)]);
  }
  Request request = start(shape);
  request.call.set_counts(matrix, ranks * ranks);
  const Counts send{matrix + index_of(shape.me) * ranks};
  return with_copies(std::move(request), send.parts(shape.ranks, shape.size),
                     Counts{column.data()}.parts(shape.ranks, receive_size));
}

}  // namespace hccl
