// SPDX-License-Identifier: Apache-2.0
// Faults: how they are written, which one fires when.
#include "device_sim/faults/fault_plan.h"

#include "tests/support/catch.h"

using catch_compat::ContainsSubstring;
using sim::FaultKind;
using sim::FaultPlan;
using sim::FaultRule;
using sim::FaultSite;
using Point = sim::FaultSite::Point;

namespace {

FaultSite a_call(const char* name, int device = 0) {
  FaultSite site;
  site.point = Point::call;
  site.call = name;
  site.device = device;
  return site;
}

FaultSite a_task(const char* op, const char* name = "", int device = 0, int stream = 1) {
  FaultSite site;
  site.point = Point::task;
  site.op = op;
  site.name = name;
  site.device = device;
  site.stream = stream;
  return site;
}

FaultSite a_copy_between(int from, int to) {
  FaultSite site = a_task("copy", "", 7);
  if (from >= 0 && to >= 0 && from != to) site.links = {std::minmax<int>({from, to})};
  return site;
}

FaultPlan plan(const char* specs, std::uint64_t seed = 1) {
  return FaultPlan(sim::parse_faults(specs), seed);
}

/// The answers to `count` equal questions: one digit for each, the number of the rule that fired.
std::string answers(FaultPlan& faults, const FaultSite& site, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += static_cast<char>('0' + faults.decide(site).number);
  return text;
}

std::string error_of(const char* specs) {
  try {
    sim::parse_faults(specs);
  } catch (const sim::FaultSpecError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

// ---- when ----

TEST_CASE("a fault without a word about when fires at its first match, once") {
  FaultPlan faults = plan("kernel");
  CHECK(answers(faults, a_task("kernel"), 4) == "1000");
}

TEST_CASE("a fault fires at the n-th match, at every n-th, from the n-th on, at most m times") {
  struct Row {
    const char* when;
    const char* fired;
  };
  const auto row = GENERATE(
      Row{"nth=3", "0010000000"}, Row{"every=3", "0010010010"}, Row{"from=8", "0000000111"},
      Row{"times=2", "1100000000"}, Row{"from=2,every=4", "0100010001"},
      Row{"from=3,times=2", "0011000000"}, Row{"every=2,times=3", "0101010000"},
      Row{"probability=1", "1111111111"}, Row{"probability=0", "0000000000"});
  CAPTURE(row.when);
  FaultPlan faults = plan((std::string("kernel,") + row.when).c_str());
  CHECK(answers(faults, a_task("kernel"), 10) == row.fired);
}

TEST_CASE("chance depends on the seed alone, and comes out as often as asked for") {
  FaultPlan first = plan("kernel,probability=0.25,seed=7");
  FaultPlan same = plan("kernel,probability=0.25,seed=7", 99);
  FaultPlan other = plan("kernel,probability=0.25,seed=8");
  const std::string fired = answers(first, a_task("kernel"), 1000);
  CHECK(answers(same, a_task("kernel"), 1000) == fired);
  CHECK(answers(other, a_task("kernel"), 1000) != fired);
  CHECK(first.tally(0).fired > 200);
  CHECK(first.tally(0).fired < 300);
}

TEST_CASE("chance without a seed of its own follows the machine's") {
  FaultPlan one = plan("kernel,probability=0.5", 1);
  FaultPlan again = plan("kernel,probability=0.5", 1);
  FaultPlan two = plan("kernel,probability=0.5", 2);
  const std::string fired = answers(one, a_task("kernel"), 100);
  CHECK(answers(again, a_task("kernel"), 100) == fired);
  CHECK(answers(two, a_task("kernel"), 100) != fired);
}

TEST_CASE("two rules of one chance do not fire together all the time") {
  FaultPlan faults = plan("kernel,probability=0.5;task,op=kernel,code=5,probability=0.5");
  answers(faults, a_task("kernel"), 1000);
  CHECK(faults.tally(1).fired > 150);
}

TEST_CASE("the first rule that is due fires, and all that match count") {
  FaultPlan faults = plan("kernel,nth=2;kernel,every=2;kernel,from=3");
  CHECK(answers(faults, a_task("kernel"), 6) == "013232");
  CHECK(faults.tally(2).matches == 6);
  CHECK(faults.fired() == 5);
}

TEST_CASE("after a restart counting begins at the start") {
  FaultPlan faults = plan("kernel,nth=2");
  CHECK(answers(faults, a_task("kernel"), 3) == "010");
  faults.restart();
  CHECK(faults.tally(0).matches == 0);
  CHECK(answers(faults, a_task("kernel"), 3) == "010");
}

// ---- which ----

TEST_CASE("only what a rule names counts") {
  FaultPlan faults = plan("kernel,device=1,stream=4,name=add_*,from=1");
  CHECK(faults.decide(a_task("kernel", "add_one", 1, 4)).number == 1);
  CHECK(faults.decide(a_task("kernel", "add_one", 0, 4)).number == 0);
  CHECK(faults.decide(a_task("kernel", "add_one", 1, 5)).number == 0);
  CHECK(faults.decide(a_task("kernel", "madd_one", 1, 4)).number == 0);
  CHECK(faults.decide(a_task("copy", "add_one", 1, 4)).number == 0);
  CHECK(faults.decide(a_call("add_one", 1)).number == 0);
  CHECK(faults.tally(0).matches == 1);
}

TEST_CASE("a call is named, with a star for any characters") {
  FaultPlan faults = plan("call,call=aclrtMemcpy*,code=507013,from=1;call,call=aclrtMalloc,code=2");
  CHECK(faults.decide(a_call("aclrtMemcpy")).number == 1);
  CHECK(faults.decide(a_call("aclrtMemcpyAsync")).number == 1);
  CHECK(faults.decide(a_call("aclrtMallocHost")).number == 0);
  CHECK(faults.decide(a_call("aclrtMalloc")).rule->code == 2);
}

TEST_CASE("a link has two ends in either order") {
  const std::string kind = GENERATE("link-down", "link-slow");
  FaultPlan faults = plan((kind + ",device=0,peer=2,from=1;" + kind + ",device=5,from=1").c_str());
  CHECK(faults.decide(a_copy_between(0, 2)).number == 1);
  CHECK(faults.decide(a_copy_between(2, 0)).number == 1);
  CHECK(faults.decide(a_copy_between(0, 1)).number == 0);
  CHECK(faults.decide(a_copy_between(3, 5)).number == 2);
  CHECK(faults.decide(a_copy_between(5, 5)).number == 0);
  CHECK(faults.decide(a_copy_between(-1, 5)).number == 0);
}

TEST_CASE("each kind counts what it can strike") {
  struct Row {
    const char* spec;
    FaultSite struck;
    FaultSite other;
  };
  const auto at = [](Point point) {
    FaultSite site;
    site.point = point;
    return site;
  };
  FaultSite in_call = a_task("copy");
  in_call.stream = -1;
  const std::vector<Row> rows = {
      {"alloc", at(Point::memory), at(Point::event)},
      {"no-event", at(Point::event), at(Point::stream)},
      {"no-stream", at(Point::stream), at(Point::notify)},
      {"no-notify", at(Point::notify), at(Point::memory)},
      {"task,code=1", a_task("wait"), a_call("f")},
      {"slow", in_call, a_task("kernel")},
      {"stuck", a_task("copy"), in_call},
      {"stuck,op=kernel", a_task("kernel"), a_task("copy")},
      {"notify-timeout", a_task("notify-wait"), a_task("wait")},
      {"ecc", a_task("fill"), a_task("callback")},
      {"device-lost", a_task("wait"), a_call("f")},
      {"device-lost,call=f", a_call("f"), a_task("copy")},
      {"callback-dies", a_task("callback"), a_task("kernel")},
      {"process-dies,op=collective", a_task("collective"), a_task("copy")},
      {"process-dies,call=f", a_call("f"), a_task("collective")},
  };
  for (const Row& row : rows) {
    CAPTURE(row.spec);
    FaultPlan faults = plan(row.spec);
    CHECK(faults.decide(row.other).number == 0);
    CHECK(faults.decide(row.struck).number == 1);
  }
}

TEST_CASE("stars in names match any characters") {
  CHECK(sim::glob_matches("", ""));
  CHECK(sim::glob_matches("*", ""));
  CHECK(sim::glob_matches("a*c", "abbc"));
  CHECK(sim::glob_matches("a*b*c", "abxbc"));
  CHECK(sim::glob_matches("*add", "madd_add"));
  CHECK_FALSE(sim::glob_matches("", "a"));
  CHECK_FALSE(sim::glob_matches("a*c", "abcd"));
  CHECK_FALSE(sim::glob_matches("abc", "ab"));
}

// ---- how they are written ----

TEST_CASE("a spec says kind, place and time; blanks and empty entries do not count") {
  const auto rules = sim::parse_faults(" slow , delay = 1.5ms,device=2 ;; call,call=f,code=7; ");
  REQUIRE(rules.size() == 2);
  CHECK(rules[0].kind == FaultKind::slow);
  CHECK(rules[0].delay_ns == 1'500'000);
  CHECK(rules[0].device == 2);
  CHECK(rules[0].op == "copy");
  CHECK(rules[1].code == 7);
  CHECK(rules[1].text == "call,call=f,code=7");
}

TEST_CASE("what cannot be understood is named, with what is allowed") {
  struct Row {
    const char* spec;
    std::vector<const char*> named;
  };
  const std::vector<Row> rows = {
      {"kernle", {"'kernle'", "not a kind of fault", "kernel", "device-lost"}},
      {"kernel,nht=3", {"'nht'", "kernel", "nth", "name"}},
      {"kernel,nth", {"'nth'", "KEY=VALUE"}},
      {"kernel,nth=0", {"nth", "'0'", "from 1"}},
      {"kernel,nth=-1", {"nth", "'-1'"}},
      {"kernel,nth=x", {"nth", "'x'", "number"}},
      {"kernel,nth=1,nth=2", {"nth", "twice"}},
      {"kernel,nth=1,every=2", {"nth", "every"}},
      {"kernel,seed=1", {"seed", "probability"}},
      {"kernel,probability=2", {"probability", "'2'", "from 0 to 1"}},
      {"kernel,device=many", {"device", "'many'", "1023"}},
      {"kernel,delay=1ms", {"'delay'", "kernel"}},
      {"slow,delay=10", {"delay", "'10'", "20ms"}},
      {"slow,delay=0ms", {"delay", "'0ms'"}},
      {"slow,op=memcpy", {"op", "'memcpy'", "copy", "notify-wait"}},
      {"call,code=1", {"call", "call=NAME"}},
      {"call,call=f", {"code=NUMBER"}},
      {"call,call=,code=1", {"call", "name"}},
      {"call,call=f,code=0", {"code", "'0'"}},
      {"task", {"code=NUMBER"}},
      {"link-down,peer=1", {"peer", "device"}},
      {"link-slow,device=0,code=5", {"'code' is not a key of link-slow", "delay"}},
      {"link-slow,peer=1", {"peer", "device"}},
      {"link-down,device=1,peer=1", {"peer: '1'", "another device"}},
      {"device-lost,call=f,op=copy", {"cannot be combined"}},
      {"kernel;kernle", {"'kernle'"}},
  };
  for (const Row& row : rows) {
    CAPTURE(row.spec);
    const std::string error = error_of(row.spec);
    for (const char* word : row.named) CHECK_THAT(error, ContainsSubstring(word));
  }
}
