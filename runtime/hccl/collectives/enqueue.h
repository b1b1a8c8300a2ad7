// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/hccl/board/request.h"
#include "runtime/hccl/collectives/arguments.h"
#include "runtime/hccl/collectives/collective.h"
#include "runtime/hccl/collectives/small_collective.h"

namespace hccl {

/// The data of a call after its arguments were checked.
struct Entered {
  embedded::Caller caller;
  std::shared_ptr<Communicator> communicator;
  aclrtStream stream = nullptr;

  Shape shape(Kind kind, std::uint64_t count, HcclDataType type) const {
    Shape shape;
    shape.call.kind = kind;
    shape.call.type = static_cast<std::uint32_t>(type);
    shape.call.count = count;
    shape.size = size_of(type);
    shape.ranks = static_cast<int>(communicator->size());
    shape.me = static_cast<int>(communicator->rank());
    return shape;
  }
  Shape reduction(Kind kind, std::uint64_t count, HcclDataType type, HcclReduceOp op) const {
    Shape made = shape(kind, count, type);
    made.call.op = static_cast<std::uint32_t>(op);
    return made;
  }
  Shape rooted(Kind kind, std::uint64_t count, HcclDataType type, std::uint32_t root) const {
    Shape made = shape(kind, count, type);
    made.call.root = root;
    return made;
  }

  /// Enqueues a small collective if the call is small, otherwise the collective that `request`
  /// describes.
  void enqueue(const Shape& shape, Request (*request)(const Shape&), const void* send,
               const void* receive) const {
    const auto small = small_of(shape, communicator->links()->mine().data_bytes());
    if (!small) return enqueue(request(shape), send, receive);
    submit(caller, stream,
           std::allocate_shared<SmallCollective>(sim::RecyclingAllocator<SmallCollective>(),
                                                 *communicator, caller, *small, send, receive));
  }

  /// Appends the collective to the stream. A buffer that the request does not use may be null.
  void enqueue(Request request, const void* send, const void* receive) const {
    const std::uint64_t sent = request.send_bytes();
    const std::uint64_t received = request.receive_bytes;
    Buffer from(*communicator, caller, send, sent, "sendBuf", false);
    Buffer to(*communicator, caller, receive, received, "recvBuf", true);
    // std::make_shared would bypass the allocator of the class.
    submit(caller, stream,
           std::shared_ptr<Collective>(new Collective(*communicator, caller, std::move(request),
                                                      std::move(from), std::move(to))));
  }
};

}  // namespace hccl
