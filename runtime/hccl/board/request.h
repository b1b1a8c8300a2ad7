// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>

#include "runtime/hccl/board/board.h"

namespace hccl {

/// By rank. Jobs are mostly small, and an operation of theirs takes no memory for these.
using Parts = boost::container::small_vector<Part, 4>;

/// Which ranks' receive buffers the rank writes that reduces a part.
enum class Target : std::uint8_t { none, own, root, all };

/// One collective as one rank takes part in it. Every collective is the same walk: each rank says
/// which part of its send buffer is for whom (`send_parts`); once all have, a rank fetches what is
/// for it. It copies that to `receive_parts`, or reduces the parts of all ranks into `target`.
struct Request {
  Call call{};
  std::size_t element = 1;  // bytes
  Parts send_parts{};
  Parts receive_parts{};  // empty: it reduces, or nothing
  Target target = Target::none;
  std::uint64_t target_offset = 0;

  /// So far the send buffer is used, and the receive buffer is written by anybody.
  std::uint64_t send_bytes() const noexcept;
  std::uint64_t receive_bytes = 0;
};

/// Small messages travel on the board: then nobody waits for the others at the end.
bool fits_on_board(std::uint64_t bytes) noexcept;

/// `count`: as the program gave it; `size`: bytes of an element.
struct Shape {
  Call call{};
  std::size_t size = 1;
  int ranks = 1;
  int me = 0;

  std::uint64_t bytes() const noexcept { return call.count * size; }
  bool is_root() const noexcept { return static_cast<std::uint32_t>(me) == call.root; }
};

Request request_all_reduce(const Shape& shape);
Request request_reduce(const Shape& shape);
Request request_reduce_scatter(const Shape& shape);
Request request_broadcast(const Shape& shape);
Request request_scatter(const Shape& shape);
Request request_all_gather(const Shape& shape);
Request request_all_to_all(const Shape& shape);
Request request_barrier(const Shape& shape);

/// Counts and displacements of a program, in elements; by rank.
struct Counts {
  const std::uint64_t* counts = nullptr;
  const std::uint64_t* displacements = nullptr;  // null: one behind the other

  Parts parts(int ranks, std::size_t size) const;
};
Request request_reduce_scatter_v(const Shape& shape, const Counts& send);
Request request_all_gather_v(const Shape& shape, const Counts& receive);
/// The types may differ in size; `shape.size` is that of what is sent.
Request request_all_to_all_v(const Shape& shape, const Counts& send, const Counts& receive,
                             std::size_t receive_size);
/// `matrix`: what rank i sends to rank j stands at i * ranks + j.
Request request_all_to_all_vc(const Shape& shape, const std::uint64_t* matrix,
                              std::size_t receive_size);

}  // namespace hccl
