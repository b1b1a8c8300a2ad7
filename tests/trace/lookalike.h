// SPDX-License-Identifier: Apache-2.0
// Files in the formats of profilers, made up here, about one small job whose events are known:
// two ranks compute on stream 2, pass on to stream 3 and back by events, and notify each other.
#pragma once

#include <cstdint>
#include <string>

namespace lookalike {

/// How far the clock of rank 1 is ahead.
inline constexpr std::int64_t kClockAhead = 15'000;
/// From a notify's start to the end of its wait, both ways.
inline constexpr std::int64_t kNotifyDelay = 1'100;

/// Each rank: 3 streams, 12 tasks (one a collective's whole, with 4 parts), 3 records, 2 waits of
/// which one blocked, 1 notify and 1 wait for the other rank's. The timeline lacks the whole.
std::string ascend_timeline(int rank);
/// The same, with `count` elements of FP32 as the size of the collective.
std::string ascend_timeline_of(const std::string& name, std::int64_t count);
#if ACLSIM_HAVE_SQLITE
/// The database of the same, written to `path`.
void write_msprof_db(const std::string& path, int rank);
/// Adds a call of the host to it, with times as in the job.
void add_call(const std::string& path, const std::string& name, std::int64_t start,
              std::int64_t end, int thread);
/// Says of the collective that it has so many elements of FP32.
void add_collective(const std::string& path, const std::string& name, std::int64_t count);
/// Makes a database one of the lowest level.
void forget_planes(const std::string& path);
/// The job of level0_timeline() as a database; `whole`: the collective is a task with parts.
void write_level0_db(const std::string& path, bool whole);
#endif

/// The output of profilers at their lowest level: neither planes nor notifies. A kernel on stream 2
/// (0 .. 50 us); on stream 4 a collective from 60 to 200 us whose parts run on three planes at a
/// time, and a kernel after it until 240 us.
std::string level0_timeline();
inline constexpr std::int64_t kLevel0Span = 240'000;

/// Two streams; event 7 recorded on the first and waited for on the second; event 9 never recorded;
/// a notify that counts 2.
std::string graph_debug();

/// Streams 7 and 20: a wait whose record is named, and one whose record is of the future (->
/// inferred).
std::string kineto();

/// Two tracks with an arrow, and a slice inside another one.
std::string chrome();

/// Native: three streams, a record and a wait, and a range.
std::string aclt();

}  // namespace lookalike
