// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "device_sim/base/system_config.h"
#include "device_sim/streams/driver.h"

namespace sim {

/// Real concurrency: one pool of workers for all devices, at most `workers_per_device` of them on
/// one device at a time, and the host threads that synchronise help.
///
/// The pool sleeps while nothing is ready. The first op after a quiet time arms a timer (this costs
/// the caller a microsecond or two); from then on a worker looks for work every 100 us for as long
/// as there is activity, so that later ops cost nothing. A stream that was idle before a submit
/// waits for that look, so that a batch can gather. A stream that was released from a wait, has
/// work left, or is waited for by a host thread runs as soon as a worker can take it. Long kernels
/// do not block other streams: when ready streams find no free worker for some milliseconds, one
/// more thread joins the pool.
std::unique_ptr<Driver> make_thread_driver(const SystemConfig& config, Memory& memory,
                                           const Clock& clock);

}  // namespace sim
