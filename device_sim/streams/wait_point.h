// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "device_sim/base/ref.h"
#include "device_sim/base/spin_lock.h"

namespace sim {

class Stream;

/// An object on which streams park. They are released first come, first served.
class WaitPoint : public Shared {
 public:
  /// True once no stream needs to wait here any more. False where that depends on the stream.
  virtual bool done() const noexcept { return false; }
  /// The stream that will release the waiting ones; null when it is not known.
  virtual Ref<Stream> producer() const noexcept;

  /// Data of the layer above, which has its own lock for it.
  std::shared_ptr<void> attached;

  /// Takes a parked stream out again; false when it was not parked here under `serial` (0: any).
  bool unpark(Stream& stream, std::uint64_t serial) noexcept;
  /// True while the stream is parked here under `serial`.
  bool holds(const Stream& stream, std::uint64_t serial) const noexcept;
  /// True while the stream is parked here, and nothing that has happened lets it go on.
  virtual bool keeps(const Stream& stream) const noexcept;

 protected:
  /// False when the stream was abandoned: it is then not parked.
  bool add_parked(Stream& stream) noexcept REQUIRES(lock_);
  /// Takes `stream`, which follows `previous` (null: is first), out of the list. The list's
  /// reference passes to the caller.
  void unlink(Stream* previous, Stream& stream) noexcept REQUIRES(lock_);
  Stream* first_parked() const noexcept REQUIRES(lock_) { return parked_; }
  bool has(const Stream& stream) const noexcept REQUIRES(lock_);
  static Stream* next_parked(const Stream& stream) noexcept;
  /// Takes the whole list, with its references.
  Stream* take_parked() noexcept REQUIRES(lock_);

  /// Releases each stream of a list that was taken. Without the lock.
  static void set_free(Stream* list);

  mutable SpinLock lock_;

 private:
  // A list through Stream::next_parked_, with one reference to each stream.
  Stream* parked_ GUARDED_BY(lock_) = nullptr;
  Stream* parked_tail_ GUARDED_BY(lock_) = nullptr;
};

}  // namespace sim
