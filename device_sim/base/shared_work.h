// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace sim {

/// Work in pieces, of which idle threads may take some.
class SharedWork {
 public:
  /// `piece` is called once with each number below `pieces`, by any thread; it must not throw.
  SharedWork(std::size_t pieces, std::function<void(std::size_t)> piece)
      : pieces_(pieces), piece_(std::move(piece)) {}

  /// Does pieces until every piece has been begun. Any thread may call it, also late.
  void help() noexcept;
  /// The same, and returns when all is done. A later help() finds nothing to do.
  void finish() noexcept;

 private:
  const std::size_t pieces_;
  const std::function<void(std::size_t)> piece_;
  std::atomic<std::size_t> begun_{0};
  std::atomic<std::size_t> done_{0};
};

}  // namespace sim
