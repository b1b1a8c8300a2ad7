// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <cstdint>

#include "runtime/hccl/board/board.h"

namespace hccl {

/// Parts by rank. Most jobs have few ranks, whose parts need no allocation.
using Parts = boost::container::small_vector<Part, 4>;

/// The ranks whose receive buffers get the result of a reduction.
enum class Target : std::uint8_t { none, own, root, all };

/// One collective from the view of one rank. All collectives have the same steps: each rank
/// publishes which part of its send buffer is for which rank (`send_parts`). When all have done so,
/// a rank fetches the parts for itself, and either copies them to `receive_parts` or reduces the
/// parts of all ranks into `target`.
struct Request {
  Call call{};
  std::size_t element = 1;  // bytes of an element
  Parts send_parts{};
  Parts receive_parts{};  // empty: the rank reduces, or receives nothing
  Target target = Target::none;
  std::uint64_t target_offset = 0;

  /// The bytes of the send buffer that are used, and the bytes of the receive buffer that any rank
  /// writes.
  std::uint64_t send_bytes() const noexcept;
  std::uint64_t receive_bytes = 0;
};

/// Small messages travel on the board. Then no rank has to wait for the others at the end.
bool fits_on_board(std::uint64_t bytes) noexcept;

/// `count`: as passed by the program. `size`: the bytes of an element.
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

/// Counts and displacements of a program, in elements, by rank.
struct Counts {
  const std::uint64_t* counts = nullptr;
  const std::uint64_t* displacements = nullptr;  // null: the parts are adjacent

  Parts parts(int ranks, std::size_t size) const;
};
Request request_reduce_scatter_v(const Shape& shape, const Counts& send);
Request request_all_gather_v(const Shape& shape, const Counts& receive);
/// The types may differ in size; `shape.size` is the size of the sent type.
Request request_all_to_all_v(const Shape& shape, const Counts& send, const Counts& receive,
                             std::size_t receive_size);
/// `matrix`: element i * ranks + j is the count that rank i sends to rank j.
Request request_all_to_all_vc(const Shape& shape, const std::uint64_t* matrix,
                              std::size_t receive_size);

}  // namespace hccl
