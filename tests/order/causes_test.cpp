// SPDX-License-Identifier: Apache-2.0
// Which finding explains another, and repairs that fit ranks.
#include "runtime/order/report/report.h"
#include "tests/order/reports.h"
#include "tests/support/catch.h"

namespace {

using order::Level;
using order::PlacedFinding;
using order::Report;
using order::Rule;

/// A finding of the rule at a wait in the stream of the race's later operation.
PlacedFinding at_wait(Rule rule) {
  PlacedFinding made;
  made.rule = rule;
  made.level = Level::warning;
  made.op_info = ordertest::race().op_info;
  made.op_info.what = "wait";
  made.op_info.place.line = 80;
  return made;
}

std::size_t cause_of(const Report& report, std::size_t index) {
  const auto& cause = report.findings[index].cause;
  return cause ? cause->number : 0;
}

}  // namespace

TEST_CASE("a race in the stream of a wait that orders nothing is a consequence of it",
          "[report][causes]") {
  for (const Rule rule :
       {Rule::wait_never_recorded, Rule::wait_before_record, Rule::flag_not_reset}) {
    Report report;
    report.findings = {at_wait(rule), ordertest::race()};
    arrange(report);
    CHECK(cause_of(report, 1) == 1);
    report.findings = {at_wait(rule), ordertest::race()};
    report.findings[0].op_info.stream = 9;
    arrange(report);
    CHECK(cause_of(report, 1) == 0);
    report.findings = {at_wait(rule), ordertest::race()};
    report.findings[0].level = Level::note;
    arrange(report);
    CHECK_FALSE(report.findings[0].cause);
    CHECK_FALSE(report.findings[1].cause);
  }
}

TEST_CASE("a notify that is recorded too often comes before the races that follow from it",
          "[report][causes]") {
  PlacedFinding notify = at_wait(Rule::notify_unpaired);
  notify.other = notify.op_info;
  notify.op_info.stream = 7;
  Report report;
  PlacedFinding elsewhere = ordertest::race();
  elsewhere.op_info.stream = elsewhere.other->stream = 5;
  report.findings = {elsewhere, ordertest::race(), notify};
  arrange(report);
  REQUIRE(report.findings.size() == 3);
  CHECK(report.findings[1].rule == Rule::notify_unpaired);
  CHECK(cause_of(report, 0) == 0);
  CHECK(cause_of(report, 1) == 0);
  CHECK(cause_of(report, 2) == 2);
}

TEST_CASE("calls that fail after a capture was broken are consequences", "[report][causes]") {
  PlacedFinding broken = at_wait(Rule::capture_broken);
  broken.op_info.what = "aclrtSynchronizeStream";
  PlacedFinding end = at_wait(Rule::failed_call);
  end.op_info.what = "aclmdlRICaptureEnd";
  PlacedFinding copy = at_wait(Rule::failed_call);
  copy.op_info.what = "aclrtMemcpy";
  Report report;
  report.findings = {broken, end, copy};
  arrange(report);
  CHECK(cause_of(report, 1) == 1);
  CHECK(cause_of(report, 2) == 0);
}

TEST_CASE("ranks that both send first receive first, or send and receive in one call",
          "[report][causes]") {
  PlacedFinding deadlock = at_wait(Rule::deadlock);
  deadlock.other = deadlock.op_info;
  deadlock.other->what = "HcclSend";
  deadlock.behind = {*deadlock.other};
  CHECK(repair(deadlock) ==
        "let one of the ranks call HcclRecv before HcclSend, or let each rank make both calls one "
        "with HcclBatchSendRecv");
  PlacedFinding ranks = at_wait(Rule::collective_order);
  ranks.text =
      "ranks wait for each other: rank 0 called HcclSend(count 1) and waits for rank 1, but rank 1 "
      "called HcclSend(count 1) and waits for rank 0";
  CHECK(repair(ranks) == repair(deadlock));
  ranks.text.replace(ranks.text.rfind("HcclSend"), 8, "HcclRecv");
  CHECK(repair(ranks) == info(Rule::collective_order).repair);
  deadlock.behind[0].what = "HcclRecv";
  CHECK(repair(deadlock).starts_with("break the cycle: "));
}

TEST_CASE("ranks of SHMEM meet at a barrier or a signal, not at an event", "[report][causes]") {
  PlacedFinding race = ordertest::race();
  race.op_info.process = "rank 1";
  race.other->process = "rank 0";
  race.other->what = "aclshmem_putmem";
  CHECK(repair(race).starts_with("call aclshmem_barrier_all in every rank between "));
  CHECK(repair(race).find("let rank 0 set a signal") != std::string::npos);
  CHECK(repair(race).find("ACL_EVENT_IPC") == std::string::npos);
}

TEST_CASE("a race that was found in both directions gets two events", "[report][causes]") {
  PlacedFinding race = ordertest::race();
  const std::string one = repair(race);
  race.both_ways = true;
  CHECK(repair(race).starts_with(one + "; for the next round, call aclrtRecordEvent "));
}
