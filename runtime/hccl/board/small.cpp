// SPDX-License-Identifier: Apache-2.0
#include "runtime/hccl/board/small.h"

namespace hccl {
namespace {

using Takes = Small::Takes;

struct Role {
  bool brings;
  Takes takes;
};

/// The role of this rank in a collective of the kind. Nothing for kinds in which a rank has a
/// separate part for each other rank.
std::optional<Role> role_in(const Shape& shape) noexcept {
  const bool root = shape.is_root();
  switch (shape.call.kind) {
    case Kind::all_reduce:
      return Role{true, Takes::reduced};
    case Kind::reduce:
      return Role{true, root ? Takes::reduced : Takes::nothing};
    case Kind::broadcast:
      return Role{root, root ? Takes::nothing : Takes::from_root};
    case Kind::all_gather:
      return Role{true, Takes::from_all};
    case Kind::barrier:
      return Role{false, Takes::nothing};
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Small> small_of(const Shape& shape, std::size_t most) noexcept {
  const std::optional<Role> role = role_in(shape);
  if (!role || shape.bytes() > most) return std::nullopt;
  Small small;
  small.call = shape.call;
  small.code = shape.call.code();
  if (small.code == 0) return std::nullopt;
  small.element = shape.size;
  small.bytes = shape.bytes();
  small.takes = role->takes;
  if (role->brings) small.sent = small.bytes;
  if (role->takes != Takes::nothing) small.received = small.bytes;
  if (role->takes == Takes::from_all) small.received *= static_cast<std::uint64_t>(shape.ranks);
  return small;
}

std::byte* small_data(const Board& board, std::uint64_t number, std::uint64_t bytes) noexcept {
  return bytes <= Line::kDataBytes ? board.line(number).data : board.data(number);
}

}  // namespace hccl
