// SPDX-License-Identifier: Apache-2.0
// Memory for the nodes of a container that makes and drops many.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <vector>

namespace ascendc {

/// Memory for nodes of one size. The node that was freed last is allocated first.
class NodePool {
 public:
  void* take(std::size_t bytes) {
    if (!free_) add_places(bytes);
    FreeNode* const place = free_;
    free_ = place->next;
    return place;
  }
  void give(void* at) noexcept { free_ = new (at) FreeNode{free_}; }
  /// Nothing is in use any more: all goes back to the system.
  void release() noexcept {
    free_ = nullptr;
    blocks_.clear();
  }

 private:
  struct FreeNode {
    FreeNode* next;
  };
  static constexpr std::size_t kPlaces = 64;  // of a block

  void add_places(std::size_t bytes) {
    std::byte* const block = blocks_.emplace_back(new std::byte[bytes * kPlaces]).get();
    for (std::size_t i = kPlaces; i-- > 0;) give(block + i * bytes);
  }

  FreeNode* free_ = nullptr;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

/// For std::map and its like, which ask for one node at a time. Maps with the same pool have the
/// same nodes.
template <class Node>
class NodeAllocator {
 public:
  using value_type = Node;
  explicit NodeAllocator(NodePool& pool) noexcept : pool_(&pool) {}
  template <class Other>
  NodeAllocator(const NodeAllocator<Other>& other) noexcept : pool_(other.pool()) {}

  Node* allocate(std::size_t count) {
    return static_cast<Node*>(pool_->take(count * sizeof(Node)));
  }
  void deallocate(Node* node, std::size_t) noexcept { pool_->give(node); }
  NodePool* pool() const noexcept { return pool_; }
  friend bool operator==(const NodeAllocator& a, const NodeAllocator& b) noexcept {
    return a.pool_ == b.pool_;
  }

 private:
  NodePool* pool_;
};

}  // namespace ascendc
