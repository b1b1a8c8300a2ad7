// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "device_sim/base/ref.h"
#include "device_sim/base/spin_lock.h"

namespace sim {

class Stream;

/// Something that streams park on, in the order in which they came.
class WaitPoint : public Shared {
 public:
  /// True once nobody needs to wait here any more. False where that depends on who waits.
  virtual bool done() const noexcept { return false; }
  /// The stream that will set the waiting ones free, when there is such a one.
  virtual Ref<Stream> producer() const noexcept;

  /// What the layer above keeps with it, under a lock of its own.
  std::shared_ptr<void> attached;

  /// Takes a parked stream out again; false when it was not parked here under `serial` (0: any).
  bool unpark(Stream& stream, std::uint64_t serial) noexcept;
  /// True while the stream is parked here under `serial`.
  bool holds(const Stream& stream, std::uint64_t serial) const noexcept;

 protected:
  // All with lock_ held.
  /// False when the stream was abandoned: it is then not parked.
  bool add_parked(Stream& stream) noexcept;
  /// Takes `stream`, which stands behind `previous` (null: first), out of the list; its reference
  /// is the caller's.
  void unlink(Stream* previous, Stream& stream) noexcept;
  Stream* first_parked() const noexcept { return parked_; }
  static Stream* next_parked(const Stream& stream) noexcept;
  /// Takes the whole list, with its references.
  Stream* take_parked() noexcept;

  /// Without the lock: each stream of a list that was taken goes on.
  static void set_free(Stream* list);

  mutable SpinLock lock_;

 private:
  Stream* parked_ = nullptr;  // a list through Stream::next_parked_, one reference each
  Stream* parked_tail_ = nullptr;
};

}  // namespace sim
