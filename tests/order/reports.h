// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "runtime/order/report/report.h"

namespace ordertest {

inline order::PlacedFinding race() {
  order::PlacedFinding finding;
  finding.rule = order::Rule::race;
  finding.level = order::Level::error;
  finding.text = "{it} writes {bytes} that {other} reads; no event orders them";
  finding.op_info.what = "scale";
  finding.op_info.stream = 2;
  finding.op_info.thread = 1;
  finding.op_info.number = 4;
  finding.op_info.device = 0;
  finding.op_info.place.file = "src/main.cpp";
  finding.op_info.place.line = 88;
  finding.op_info.place.function = "step(int)";
  finding.other = finding.op_info;
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
  note.op_info = race().op_info;
  note.op_info.what = "aclrtStreamWaitEvent";
  order::Report made;
  made.version = "0.1.0";
  made.program = "./prog --fast";
  made.findings = {note, race()};
  return made;
}

}  // namespace ordertest
