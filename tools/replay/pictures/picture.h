// SPDX-License-Identifier: Apache-2.0
// The picture of a timeline: rows, slices, arrows.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tools/replay/results/summary.h"

namespace replay {

struct Slice {
  Nanoseconds start = 0;
  Nanoseconds length = 0;
  std::uint32_t name = 0;  // index into Picture::names
  Share share = Share::kernels;
  bool wait = false;  // the track only waits
  bool critical = false;
  std::uint32_t ops = 1;     // more: several short ones, drawn as one
  std::uint32_t number = 0;  // of the (first) op in its file
};

struct PictureRow {
  std::string group;  // "rank 0 device 0", "rank 0 host"
  std::string title;
  std::vector<Slice> slices;  // by start
};

struct Arrow {
  std::uint32_t from_row = 0;
  std::uint32_t to_row = 0;
  Nanoseconds from = 0;
  Nanoseconds to = 0;
  bool inferred = false;
  bool critical = false;
  bool finding = false;  // between two unordered accesses
};

/// Two ops.
using OpPairs = std::vector<std::pair<OpIndex, OpIndex>>;

struct Picture {
  Nanoseconds begin = 0;
  Nanoseconds end = 0;
  std::vector<std::string> names;
  std::vector<PictureRow> rows;
  std::vector<Arrow> arrows;
  std::vector<std::string> facts;  // lines for the head
  std::string summary;             // of where the time goes, as text; empty: none
  std::uint64_t merged = 0;        // ops that are drawn together with others
};

struct PictureLimits {
  std::size_t slices = 200'000;
  std::size_t arrows = 50'000;
};

/// A page draws together by itself what lies closer than it can show.
inline constexpr std::size_t kSlicesOfPage = 1'000'000;

/// As it ran in virtual time. `findings` become arrows.
Picture draw_run(const trace::Trace& trace, const Execution& run, const Summary& summary,
                 const PictureLimits& limits = {}, const OpPairs& findings = {});
/// As it was recorded, with the critical path of `run`. Ops without a start are left out.
Picture draw_recording(const trace::Trace& trace, const Execution& run, const Summary& summary,
                       const PictureLimits& limits = {}, const OpPairs& findings = {});
/// Keeps only the bars between two moments.
void cut(Picture& picture, Nanoseconds begin, Nanoseconds end);

}  // namespace replay
