// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/order/engine/finding.h"
#include "runtime/order/engine/op_info.h"
#include "runtime/order/engine/vector_clock.h"

namespace order {

/// The engine calls it for each access that it takes in, with the clock of the operations
/// that happen before it.
class EngineObserver {
 public:
  virtual ~EngineObserver() = default;
  virtual void accessed(Epoch when, const VectorClock& known, const OpInfo& op_info,
                        const Access& access) = 0;
  /// The clock of a host thread advanced.
  virtual void advanced(Epoch when, const VectorClock& known) = 0;
  /// A finding says that `earlier` does not happen before `when`. True: another process may order
  /// the two, so the engine drops the finding and the observer decides about it.
  virtual bool doubts(Epoch earlier, Epoch when, const VectorClock& known,
                      const Finding& finding) = 0;
};

}  // namespace order
