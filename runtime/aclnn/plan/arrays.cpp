// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/plan/arrays.h"

#include <cstdint>
#include <cstring>

namespace aclnn {
namespace {

std::int64_t packed_bytes(const View& view) {
  const auto [begin, end] = extent_of(view);
  return end - begin;
}

void widen(const std::byte* from, std::byte* to) {  // bf16 is the upper half of f32
  to[0] = to[1] = std::byte{0};
  std::memcpy(to + 2, from, 2);
}

}  // namespace

acl::embedding::Kernel::Array array_of(const Operand& operand) {
  acl::embedding::Kernel::Array array;
  array.read = operand.role != Role::out;
  array.written = operand.role != Role::in;
  const View& view = operand.view;
  if (bits_of(view.type) < 8) {
    array.type = ACL_UINT8;
    array.shape = {static_cast<std::uint64_t>(packed_bytes(view))};
    return array;
  }
  array.type = view.type == ACL_BF16 ? ACL_FLOAT : view.type;
  for (int d = 0; d < view.rank(); ++d) {
    array.shape.push_back(static_cast<std::uint64_t>(view.size(d)));
  }
  return array;
}

std::vector<std::byte> elements_of(const Operand& operand, const std::byte* base) {
  const View& view = operand.view;
  if (view.count() == 0) return {};
  if (bits_of(view.type) < 8) {
    const auto [begin, end] = extent_of(view);
    return {base + begin, base + end};
  }
  const std::size_t size = size_of(view.type);
  const bool wide = view.type == ACL_BF16;
  std::vector<std::byte> elements(static_cast<std::size_t>(view.count()) * (wide ? 4 : size));
  std::byte* to = elements.data();
  Walk walk(bind(view, const_cast<std::byte*>(base)));
  for (std::int64_t left = view.count(); left > 0;) {
    const Walk::Segment piece = walk.next(left);
    for (std::int64_t i = 0; i < piece.count; ++i) {
      const std::byte* const from = piece.at + i * piece.step;
      if (wide) {
        widen(from, to);
      } else {
        std::memcpy(to, from, size);
      }
      to += wide ? 4 : size;
    }
    left -= piece.count;
  }
  return elements;
}

}  // namespace aclnn
