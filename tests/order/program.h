// SPDX-License-Identifier: Apache-2.0
// Programs of streams and host threads as plain data, for the generator, the oracle and the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ordertest {

constexpr std::size_t kBufferSize = 64;
constexpr int kBuffers = 8;
constexpr int kFreeable = 4;  // buffers 0 to 3 may be freed; no callback uses them
constexpr int kHostFrom = 6;  // buffers 6 and 7 are host memory
constexpr std::size_t kBytes = kBufferSize * kBuffers;

/// How a call accesses bytes: plainly, as a reduction (of two kinds), or as a word of 8 bytes that
/// others wait for.
enum class How : std::uint8_t { read, write, sum, max, set_word, wait_word };
constexpr std::size_t kHows = static_cast<std::size_t>(How::wait_word) + 1;
constexpr std::size_t kWordSize = 8;
constexpr bool of_a_word(How how) { return how == How::set_word || how == How::wait_word; }
const char* name(How how);

/// Bytes of the buffers that a call accesses.
struct Touch {
  std::size_t begin = 0;
  std::size_t size = 0;
  How how = How::read;
};

enum class What : std::uint8_t {
  op,
  host_access,
  record,
  wait,    // for the last record of the event before the call; none: nothing
  notify,  // its value-th record, for the value-th wait
  notify_wait,
  // Sets the word to `value`; a word is written by one stream, and grows. The bytes that it touches
  // may be absent, and hold no value.
  write_word,
  word_wait,     // until the word is at least `value`
  add,           // adds one
  counter_wait,  // until every `add` of the program has happened
  callback,      // served by the stream's own thread, which does the accesses
  sync_begin,    // of a stream, else of an event, else of all streams
  sync_end,      // of the same number
  free,
  tell,  // host thread `host` synchronises with `other`
  create,
  destroy,  // waits for the stream
};

struct Call {
  What what = What::op;
  int host = 0;
  int stream = -1;
  int object = -1;          // which event, notify, word, counter or buffer
  int other = -1;           // `tell`: the thread that is ordered after `host`
  std::uint64_t value = 0;  // see What; sync: its number
  bool blocking = false;    // callback
  std::vector<Touch> touches;
};

struct Program {
  int hosts = 1;
  int streams = 1;  // that there are at the start
  std::vector<Call> calls;
};

/// Items belong to streams; a host thread executes all other calls.
bool is_item(const Call& call);
std::string to_text(const Call& call);
std::string to_text(const Program& program);

/// The program without the call and the calls that depend on it.
Program without(const Program& program, std::size_t call);

}  // namespace ordertest
