// SPDX-License-Identifier: Apache-2.0
// One parsed line of the native format: its keys and their values.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace trace {

/// The keys of the native format; other keys are skipped.
enum class AcltKey : std::uint8_t {
  aclt,
  addr,
  algo,
  args,
  base_ns,
  blocks,
  buf,
  bytes,
  clock,
  clock_bound_ns,
  clock_offset_ns,
  clock_pairs,
  cmp,
  count,
  d,
  def,
  dep,
  dev,
  dst,
  ev,
  gen,
  graph,
  group,
  h,
  i,
  id,
  inf,
  iss,
  kind,
  may,
  mode,
  n,
  name,
  nid,
  num,
  op,
  opt,
  ordered,
  pageable,
  peer,
  plane_of,
  prio,
  rank,
  ranks,
  rd,
  red,
  s,
  saw,
  seq,
  site,
  size,
  source,
  src,
  st,
  sync,
  t,
  tag,
  text,
  upto,
  val,
  what,
  wr,
};
inline constexpr std::size_t kAcltKeys = static_cast<std::size_t>(AcltKey::wr) + 1;

/// The key as it is written.
const char* word(AcltKey key);

/// [buffer, offset, bytes] of `rd`, `wr` and `red`.
struct AcltRange {
  std::uint64_t buffer;
  std::uint64_t offset;
  std::uint64_t bytes;
  AcltKey key;
};

/// An element of `dep`: an op's number, or [number, "how"].
struct AcltDep {
  std::uint64_t op;
  std::string_view how;
};

/// `source` of the header.
struct AcltSource {
  std::string_view tool;
  std::string_view file;
};

class AcltLine {
 public:
  bool has(AcltKey key) const { return (seen_ >> static_cast<int>(key)) & 1; }
  /// Signed keys (t, iss, d, prio, src, dst, dev, clock_offset_ns) as they are; 0: absent.
  std::int64_t integer(AcltKey key) const { return static_cast<std::int64_t>(at(key)); }
  std::uint64_t number(AcltKey key) const { return at(key); }
  bool flag(AcltKey key) const { return at(key) != 0; }
  /// "": absent. Texts stay valid until the next line is parsed.
  std::string_view text(AcltKey key) const { return texts_[static_cast<std::size_t>(key)]; }
  /// A key that takes both (`n`: text or number of a definition) was given as a text.
  bool is_text(AcltKey key) const { return text(key).data() != nullptr; }

  std::vector<std::uint64_t> ranks;  // of the header or of a group
  std::vector<AcltRange> ranges;     // rd, wr, red
  std::vector<std::uint64_t> may;    // buffers
  std::vector<AcltDep> deps;
  AcltSource source;
  std::string_view args;  // JSON

 private:
  friend class AcltParser;
  void clear();
  std::uint64_t at(AcltKey key) const { return numbers_[static_cast<std::size_t>(key)]; }

  std::uint64_t seen_ = 0;
  std::array<std::uint64_t, kAcltKeys> numbers_{};
  std::array<std::string_view, kAcltKeys> texts_{};
};
static_assert(kAcltKeys <= 64);

/// Parses lines. For one thread at a time.
class AcltParser {
 public:
  AcltParser();
  ~AcltParser();
  AcltParser(const AcltParser&) = delete;
  AcltParser& operator=(const AcltParser&) = delete;

  /// False if the line is not a JSON object with the types of the format; error() returns the
  /// reason. A zero must follow the line, and 8 bytes that can be read.
  bool parse(std::string_view line);
  const AcltLine& line() const { return line_; }
  const std::string& error() const { return error_; }

 private:
  struct Json;
  friend struct Json;
  Json* json_;
  AcltLine line_;
  std::string error_;
};

}  // namespace trace
