// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/order/report.h"

namespace ordertest {

inline order::PlacedFinding race() {
  order::PlacedFinding finding;
  finding.rule = order::Rule::race;
  finding.level = order::Level::error;
  finding.text = "{it} writes {bytes} that {other} reads; no event orders them";
  finding.deed.what = "scale";
  finding.deed.stream = 2;
  finding.deed.thread = 1;
  finding.deed.number = 4;
  finding.deed.device = 0;
  finding.deed.place.file = "src/main.cpp";
  finding.deed.place.line = 88;
  finding.deed.place.function = "step(int)";
  finding.other = finding.deed;
  finding.other->what = "copy";
  finding.other->stream = 1;
  finding.other->number = 7;
  finding.other->on_default_stream = true;
  finding.other->place = {};
  finding.other->place.module = "/opt/user/libuser.so";
  finding.other->place.offset = 0x1f0;
  finding.where = {0x1000, 0x400, true, false};
  finding.memory = "an allocation of 4096 bytes on device 0";
  finding.offset = 256;
  finding.allocated.file = "src/main.cpp";
  finding.allocated.line = 20;
  finding.times = 3;
  return finding;
}

/// A note, then an error.
inline order::Report report() {
  order::PlacedFinding note;
  note.rule = order::Rule::redundant_wait;
  note.level = order::Level::note;
  note.text = "{it} adds no order; {other} already happens before it";
  note.deed = race().deed;
  note.deed.what = "aclrtStreamWaitEvent";
  order::Report made;
  made.version = "0.1.0";
  made.program = "./prog --fast";
  made.findings = {note, race()};
  return made;
}

}  // namespace ordertest
