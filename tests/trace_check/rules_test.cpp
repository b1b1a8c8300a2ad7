// SPDX-License-Identifier: Apache-2.0
// Each rule that a trace can show: a small trace with the bug, and the same repaired.
#include <string>

#include "tests/support/catch.h"
#include "tests/trace_check/traces.h"

namespace {

using order::Level;
using tracetest::kRanks;
using tracetest::kWorld;
using tracetest::report_of;

struct Case {
  const char* says;
  const char* rule;
  Level level;
  const char* world;
  const char* bug;
  const char* repaired;
};

/// Stream 2 is graph 0.
const char* const kGraphWorld = R"({"aclt":1,"clock":"ns","ranks":[0]}
{"def":"device","id":0,"rank":0}
{"def":"graph","id":0}
{"def":"stream","id":0,"dev":0}
{"def":"stream","id":1,"dev":0}
{"def":"stream","id":2,"dev":0,"graph":0}
{"def":"buf","id":7,"dev":0,"size":4096}
)";

const Case kCases[] = {
    {"a wait on an event that nobody records orders nothing", "ACL001", Level::warning, kWorld,
     R"({"op":"kernel","st":0}
{"op":"wait","st":1,"ev":1}
)",
     R"({"op":"record","st":0,"ev":1}
{"op":"wait","st":1,"ev":1}
)"},
    {"a wait for a generation that the trace does not hold orders nothing", "ACL001",
     Level::warning, kWorld, R"({"op":"record","st":0,"ev":1,"gen":1}
{"op":"wait","st":1,"ev":1,"gen":2}
)",
     R"({"op":"record","st":0,"ev":1,"gen":1}
{"op":"wait","st":1,"ev":1,"gen":1}
)"},
    {"a thread that synchronises with an event before its record does not wait", "ACL001",
     Level::warning, kWorld, R"({"op":"hsync","h":1,"what":"event","id":1}
{"op":"record","st":0,"h":1,"ev":1}
)",
     R"({"op":"record","st":0,"h":1,"ev":1}
{"op":"hsync","h":1,"what":"event","id":1}
)"},
    {"a wait that is called before the record is lost", "ACL002", Level::warning, kWorld,
     R"({"op":"wait","st":1,"ev":1}
{"op":"record","st":0,"ev":1}
)",
     R"({"op":"record","st":0,"ev":1}
{"op":"wait","st":1,"ev":1}
)"},
    {"two streams that wait for each other's notify never go on", "ACL003", Level::error, kWorld,
     R"({"op":"nwait","st":0,"nid":1}
{"op":"notify","st":0,"nid":2}
{"op":"nwait","st":1,"nid":2}
{"op":"notify","st":1,"nid":1}
)",
     R"({"op":"nwait","st":0,"nid":1}
{"op":"notify","st":0,"nid":2}
{"op":"notify","st":1,"nid":1}
{"op":"nwait","st":1,"nid":2}
)"},
    {"a thread that waits for a stream before it calls for what the stream needs", "ACL003",
     Level::error, kWorld,
     R"({"op":"nwait","st":0,"nid":1,"h":1}
{"op":"hsync","h":1,"what":"stream","id":0}
{"op":"notify","st":1,"nid":1,"h":1}
)",
     R"({"op":"nwait","st":0,"nid":1,"h":1}
{"op":"notify","st":1,"nid":1,"h":1}
{"op":"hsync","h":1,"what":"stream","id":0}
)"},
    {"a stream that waits for what only the graph does that it launches later", "ACL003",
     Level::error, kGraphWorld,
     R"({"op":"wait","st":0,"ev":1,"gen":1}
{"op":"launch","st":0,"graph":0}
{"op":"record","st":2,"ev":1,"gen":1}
)",
     R"({"op":"launch","st":0,"graph":0}
{"op":"wait","st":0,"ev":1,"gen":1}
{"op":"record","st":2,"ev":1,"gen":1}
)"},
    {"a value wait and its write in a cycle of streams", "ACL003", Level::error, kWorld,
     R"({"op":"vwait","st":0,"addr":64,"val":1,"cmp":"geq"}
{"op":"vwrite","st":0,"addr":128,"val":1}
{"op":"vwait","st":1,"addr":128,"val":1,"cmp":"geq"}
{"op":"vwrite","st":1,"addr":64,"val":1}
)",
     R"({"op":"vwait","st":0,"addr":64,"val":1,"cmp":"geq"}
{"op":"vwrite","st":0,"addr":128,"val":1}
{"op":"vwrite","st":1,"addr":64,"val":1}
{"op":"vwait","st":1,"addr":128,"val":1,"cmp":"geq"}
)"},
    {"a notify wait that nobody ends", "ACL004", Level::error, kWorld,
     R"({"op":"nwait","st":0,"nid":1}
)",
     R"({"op":"notify","st":1,"nid":1}
{"op":"nwait","st":0,"nid":1}
)"},
    {"a notify that is left set", "ACL004", Level::warning, kWorld,
     R"({"op":"notify","st":1,"nid":1}
{"op":"notify","st":1,"nid":1}
{"op":"nwait","st":0,"nid":1}
)",
     R"({"op":"notify","st":1,"nid":1}
{"op":"notify","st":1,"nid":1}
{"op":"nwait","st":0,"nid":1,"count":2}
)"},
    {"an event recorded on another stream under a stream that waits for it", "ACL005",
     Level::warning, kWorld,
     R"({"op":"record","st":0,"ev":1}
{"op":"wait","st":1,"ev":1}
{"op":"record","st":2,"ev":1}
{"op":"wait","st":3,"ev":1}
)",
     R"({"op":"record","st":0,"ev":1}
{"op":"wait","st":1,"ev":1}
{"op":"record","st":1,"ev":2}
{"op":"wait","st":2,"ev":2}
{"op":"record","st":2,"ev":1}
{"op":"wait","st":3,"ev":1}
)"},
    {"a buffer freed while a stream may use it", "ACL006", Level::error, kWorld,
     R"({"op":"kernel","st":0,"h":1,"wr":[[7,0,64]]}
{"op":"free","h":1,"buf":7,"size":4096}
)",
     R"({"op":"kernel","st":0,"h":1,"wr":[[7,0,64]]}
{"op":"hsync","h":1,"what":"stream","id":0}
{"op":"free","h":1,"buf":7,"size":4096}
)"},
    {"a buffer freed in the order of one stream while another uses it", "ACL006", Level::error,
     kWorld,
     R"({"op":"free","st":0,"buf":7,"size":4096,"ordered":true}
{"op":"kernel","st":1,"rd":[[7,0,64]]}
)",
     R"({"op":"kernel","st":1,"rd":[[7,0,64]]}
{"op":"record","st":1,"ev":1}
{"op":"wait","st":0,"ev":1}
{"op":"free","st":0,"buf":7,"size":4096,"ordered":true}
)"},
    {"a write and a read of the same bytes on two streams", "ACL007", Level::error, kWorld,
     R"({"op":"kernel","st":0,"wr":[[7,0,64]]}
{"op":"kernel","st":1,"rd":[[7,32,64]]}
)",
     R"({"op":"kernel","st":0,"wr":[[7,0,64]]}
{"op":"record","st":0,"ev":1}
{"op":"wait","st":1,"ev":1}
{"op":"kernel","st":1,"rd":[[7,32,64]]}
)"},
    {"neighbouring bytes are not the same bytes", "ACL007", Level::error, kWorld,
     R"({"op":"kernel","st":0,"wr":[[7,0,64]]}
{"op":"kernel","st":1,"wr":[[7,63,64]]}
)",
     R"({"op":"kernel","st":0,"wr":[[7,0,64]]}
{"op":"kernel","st":1,"wr":[[7,64,64]]}
)"},
    {"a wait without record leaves a race", "ACL007", Level::error, kWorld,
     R"({"op":"kernel","st":0,"wr":[[7,0,64]]}
{"op":"wait","st":1,"ev":1}
{"op":"record","st":0,"ev":1}
{"op":"kernel","st":1,"rd":[[7,0,64]]}
)",
     R"({"op":"kernel","st":0,"wr":[[7,0,64]]}
{"op":"record","st":0,"ev":1}
{"op":"wait","st":1,"ev":1}
{"op":"kernel","st":1,"rd":[[7,0,64]]}
)"},
    {"a graph is ordered after its launch, and what follows after its end", "ACL007", Level::error,
     kGraphWorld,
     R"({"op":"kernel","st":2,"wr":[[7,0,64]]}
{"op":"launch","st":0,"graph":0}
{"op":"kernel","st":1,"rd":[[7,0,64]]}
)",
     R"({"op":"kernel","st":2,"wr":[[7,0,64]]}
{"op":"launch","st":0,"graph":0}
{"op":"kernel","st":0,"rd":[[7,0,64]]}
{"op":"launch","st":0,"graph":0}
)"},
    {"the host changes a buffer that a copy reads", "ACL008", Level::error, kWorld,
     R"({"op":"memcpy","st":0,"h":1,"src":-1,"dst":0,"bytes":64,"rd":[[8,0,64]],"wr":[[7,0,64]]}
{"op":"api","h":1,"n":"memset","wr":[[8,0,64]]}
)",
     R"({"op":"memcpy","st":0,"h":1,"src":-1,"dst":0,"bytes":64,"rd":[[8,0,64]],"wr":[[7,0,64]]}
{"op":"hsync","h":1,"what":"device","id":0}
{"op":"api","h":1,"n":"memset","wr":[[8,0,64]]}
)"},
    {"ranks that come to the collectives of a group in different order", "ACL009", Level::error,
     kRanks,
     R"({"op":"coll","st":0,"kind":"all_reduce","group":0,"seq":1}
{"op":"coll","st":0,"kind":"all_gather","group":0,"seq":2}
{"op":"coll","st":1,"kind":"all_gather","group":0,"seq":2}
{"op":"coll","st":1,"kind":"all_reduce","group":0,"seq":1}
)",
     R"({"op":"coll","st":0,"kind":"all_reduce","group":0,"seq":1}
{"op":"coll","st":0,"kind":"all_gather","group":0,"seq":2}
{"op":"coll","st":1,"kind":"all_reduce","group":0,"seq":1}
{"op":"coll","st":1,"kind":"all_gather","group":0,"seq":2}
)"},
    {"a rank that never comes to a collective", "ACL009", Level::error, kRanks,
     R"({"op":"coll","st":0,"kind":"all_reduce","group":0,"seq":1}
{"op":"coll","st":1,"kind":"all_reduce","group":0,"seq":1}
{"op":"coll","st":0,"kind":"all_reduce","group":0,"seq":2}
)",
     R"({"op":"coll","st":0,"kind":"all_reduce","group":0,"seq":1}
{"op":"coll","st":1,"kind":"all_reduce","group":0,"seq":1}
)"},
    {"a rank that comes to no collective of its group", "ACL009", Level::error, kRanks,
     R"({"op":"coll","st":0,"kind":"all_reduce","group":0,"seq":1}
{"op":"kernel","st":1}
)",
     R"({"op":"coll","st":0,"kind":"all_reduce","group":0,"seq":1}
{"op":"coll","st":1,"kind":"all_reduce","group":0,"seq":1}
)"},
    {"a wait for what the stream knows already", "ACL010", Level::note, kWorld,
     R"({"op":"record","st":0,"ev":1}
{"op":"wait","st":1,"ev":1}
{"op":"wait","st":1,"ev":1}
)",
     R"({"op":"record","st":0,"ev":1}
{"op":"wait","st":1,"ev":1}
)"},
    {"a synchronise for what the thread knows already", "ACL010", Level::note, kWorld,
     R"({"op":"kernel","st":0,"h":1}
{"op":"hsync","h":1,"what":"stream","id":0}
{"op":"hsync","h":1,"what":"stream","id":0}
)",
     R"({"op":"kernel","st":0,"h":1}
{"op":"hsync","h":1,"what":"stream","id":0}
{"op":"kernel","st":0,"h":1}
{"op":"hsync","h":1,"what":"stream","id":0}
)"},
    {"a wait that ends before the other device's notify begins", "ACL012", Level::warning, kWorld,
     R"({"op":"notify","st":0,"nid":1,"t":100000,"d":20}
{"op":"nwait","st":2,"nid":1,"t":1000,"d":2000}
)",
     R"({"op":"notify","st":0,"nid":1,"t":100000,"d":20}
{"op":"nwait","st":2,"nid":1,"t":1000,"d":99500}
)"},
    {"a stream that no synchronise waits for", "ACL013", Level::note, kWorld,
     R"({"op":"kernel","st":0,"h":1}
{"op":"kernel","st":1,"h":1}
{"op":"hsync","h":1,"what":"stream","id":0}
)",
     R"({"op":"kernel","st":0,"h":1}
{"op":"kernel","st":1,"h":1}
{"op":"hsync","h":1,"what":"device","id":0}
)"},
    {"a receive without its send", "ACL014", Level::warning, kRanks,
     R"({"op":"recv","st":0,"peer":1,"tag":0,"bytes":64}
{"op":"kernel","st":1}
)",
     R"({"op":"recv","st":0,"peer":1,"tag":0,"bytes":64}
{"op":"send","st":1,"peer":0,"tag":0,"bytes":64}
)"},
    {"a value that nobody writes", "ACL014", Level::warning, kWorld,
     R"({"op":"vwait","st":0,"addr":64,"val":2,"cmp":"geq"}
{"op":"vwrite","st":1,"addr":64,"val":1}
)",
     R"({"op":"vwait","st":0,"addr":64,"val":2,"cmp":"geq"}
{"op":"vwrite","st":1,"addr":64,"val":2}
)"},
    {"a wait that ends before its record on the same device begins", "ACL015", Level::warning,
     kWorld,
     R"({"op":"record","st":0,"ev":1,"t":90000,"d":20}
{"op":"wait","st":1,"ev":1,"t":100,"d":20}
)",
     R"({"op":"record","st":0,"ev":1,"t":90000,"d":20}
{"op":"wait","st":1,"ev":1,"t":100,"d":90400}
)"},
    {"ops of one stream that run at the same time", "ACL016", Level::note, kWorld,
     R"({"op":"kernel","st":0,"t":100,"d":100}
{"op":"kernel","st":0,"t":150,"d":100}
)",
     R"({"op":"kernel","st":0,"t":100,"d":100}
{"op":"kernel","st":0,"t":200,"d":100}
)"},
    {"reductions of two kinds at the same time", "ACL007", Level::error, kWorld,
     R"({"op":"reduce","st":0,"kind":"sum:int32","rd":[[9,0,64],[7,0,64]],"wr":[[7,0,64]]}
{"op":"reduce","st":1,"kind":"max:int32","rd":[[9,0,64],[7,0,64]],"wr":[[7,0,64]]}
)",
     R"({"op":"reduce","st":0,"kind":"sum:int32","rd":[[9,0,64],[7,0,64]],"wr":[[7,0,64]]}
{"op":"reduce","st":1,"kind":"sum:int32","rd":[[9,0,64],[7,0,64]],"wr":[[7,0,64]]}
)"},
    {"a fill under the reduction of another stream", "ACL007", Level::error, kWorld,
     R"({"op":"memset","st":0,"wr":[[7,0,64]]}
{"op":"record","st":0,"ev":1}
{"op":"reduce","st":0,"rd":[[9,0,64],[7,0,64]],"wr":[[7,0,64]]}
{"op":"reduce","st":1,"rd":[[9,0,64],[7,0,64]],"wr":[[7,0,64]]}
)",
     R"({"op":"memset","st":0,"wr":[[7,0,64]]}
{"op":"record","st":0,"ev":1}
{"op":"reduce","st":0,"rd":[[9,0,64],[7,0,64]],"wr":[[7,0,64]]}
{"op":"wait","st":1,"ev":1}
{"op":"reduce","st":1,"rd":[[9,0,64],[7,0,64]],"wr":[[7,0,64]]}
)"},
    {"a read of the source of an unordered reduction onto itself", "ACL007", Level::error, kWorld,
     R"({"op":"reduce","st":0,"rd":[[7,0,64],[7,0,64]],"wr":[[7,0,64]]}
{"op":"reduce","st":1,"rd":[[9,0,64],[7,0,64]],"wr":[[7,0,64]]}
)",
     R"({"op":"reduce","st":0,"rd":[[7,64,64],[7,0,64]],"wr":[[7,0,64]]}
{"op":"reduce","st":1,"rd":[[9,0,64],[7,0,64]],"wr":[[7,0,64]]}
)"},
    {"a fill under the value of a word", "ACL007", Level::error, kWorld,
     R"({"op":"memset","st":0,"wr":[[7,0,64]]}
{"op":"record","st":0,"ev":1}
{"op":"vwrite","st":0,"addr":64,"val":1,"wr":[[7,0,8]]}
{"op":"memcpy","st":1,"src":0,"dst":1,"bytes":8,"rd":[[7,0,8]],"wr":[[9,0,8]]}
)",
     R"({"op":"memset","st":0,"wr":[[7,0,64]]}
{"op":"record","st":0,"ev":1}
{"op":"vwrite","st":0,"addr":64,"val":1,"wr":[[7,0,8]]}
{"op":"wait","st":1,"ev":1}
{"op":"memcpy","st":1,"src":0,"dst":1,"bytes":8,"rd":[[7,0,8]],"wr":[[9,0,8]]}
)"},
    {"an inferred edge that could be another", "ACL018", Level::warning, kWorld,
     R"({"op":"record","st":0,"ev":1}
{"op":"wait","st":1,"ev":1,"inf":"time:2"}
)",
     R"({"op":"record","st":0,"ev":1}
{"op":"wait","st":1,"ev":1,"inf":"time:1"}
)"},
    {"what another thread has waited for is ordered outside of the trace", "ACL019", Level::note,
     kWorld,
     R"({"op":"kernel","st":0,"h":1,"wr":[[7,0,64]]}
{"op":"hsync","h":1,"what":"stream","id":0}
{"op":"kernel","st":1,"h":2,"wr":[[7,0,64]]}
)",
     R"({"op":"kernel","st":0,"h":1,"wr":[[7,0,64]]}
{"op":"hsync","h":1,"what":"stream","id":0}
{"op":"kernel","st":1,"h":1,"wr":[[7,0,64]]}
)"},
    {"a buffer used after its end", "ACL020", Level::error, kWorld,
     R"({"op":"free","st":0,"buf":7,"size":4096,"ordered":true}
{"op":"kernel","st":0,"rd":[[7,0,64]]}
)",
     R"({"op":"free","st":0,"buf":7,"size":4096,"ordered":true}
{"op":"alloc","st":0,"buf":7,"size":4096,"ordered":true}
{"op":"kernel","st":0,"wr":[[7,0,64]]}
)"},
    {"a buffer freed twice", "ACL020", Level::error, kWorld,
     R"({"op":"free","h":1,"buf":7,"size":4096}
{"op":"free","h":1,"buf":7,"size":4096}
)",
     R"({"op":"free","h":1,"buf":7,"size":4096}
{"op":"free","h":1,"buf":9,"size":4096}
)"},
    {"a copy from fresh memory that nothing has written", "ACL021", Level::warning, kWorld,
     R"({"op":"alloc","h":1,"buf":7,"size":4096}
{"op":"memcpy","st":0,"h":1,"src":0,"dst":1,"bytes":64,"rd":[[7,0,64]],"wr":[[9,0,64]]}
)",
     R"({"op":"alloc","h":1,"buf":7,"size":4096}
{"op":"memset","st":0,"h":1,"bytes":64,"wr":[[7,0,64]]}
{"op":"memcpy","st":0,"h":1,"src":0,"dst":1,"bytes":64,"rd":[[7,0,64]],"wr":[[9,0,64]]}
)"},
    {"a reduction onto fresh memory that nothing has written", "ACL021", Level::warning, kWorld,
     R"({"op":"alloc","h":1,"buf":7,"size":4096}
{"op":"reduce","st":0,"h":1,"src":1,"dst":0,"bytes":64,"rd":[[9,0,64]],"wr":[[7,0,64]]}
)",
     R"({"op":"alloc","h":1,"buf":7,"size":4096}
{"op":"memset","st":0,"h":1,"bytes":64,"wr":[[7,0,64]]}
{"op":"reduce","st":0,"h":1,"src":1,"dst":0,"bytes":64,"rd":[[9,0,64]],"wr":[[7,0,64]]}
)"},
    {"a kernel that is told at its end and adds to what another reads", "ACL007", Level::error,
     kWorld,
     R"({"op":"kernel","st":0,"may":[7],"red":[[7,0,64]]}
{"op":"kernel","st":1,"may":[7],"rd":[[7,0,64]]}
)",
     R"({"op":"kernel","st":0,"may":[7],"red":[[7,0,64]]}
{"op":"kernel","st":1,"may":[7],"red":[[7,0,64]]}
{"op":"kernel","st":1,"may":[7],"rd":[[7,64,64]]}
)"},
    {"a kernel that reads fresh memory which nothing has written", "ACL021", Level::warning, kWorld,
     R"({"op":"alloc","h":1,"buf":7,"size":4096}
{"op":"kernel","st":0,"h":1,"may":[9],"wr":[[9,0,64]]}
{"op":"kernel","st":0,"h":1,"may":[7],"rd":[[7,0,64]]}
)",
     R"({"op":"alloc","h":1,"buf":7,"size":4096}
{"op":"kernel","st":0,"h":1,"may":[7,9],"wr":[[9,0,64]]}
{"op":"kernel","st":0,"h":1,"may":[7],"rd":[[7,0,64]]}
)"},
    {"a kernel that reads fresh memory beside what it writes", "ACL021", Level::warning, kWorld,
     R"({"op":"alloc","h":1,"buf":7,"size":4096}
{"op":"kernel","st":0,"h":1,"may":[7],"rd":[[7,0,64]],"wr":[[7,64,64]]}
)",
     R"({"op":"alloc","h":1,"buf":7,"size":4096}
{"op":"kernel","st":0,"h":1,"may":[7],"rd":[[7,0,64]],"wr":[[7,32,64]]}
)"},
    {"an access beyond its buffer", "ACL022", Level::error, kWorld,
     R"({"op":"kernel","st":0,"rd":[[7,4000,97]]}
)",
     R"({"op":"kernel","st":0,"rd":[[7,4000,96]]}
)"},
    {"a copy that is called another than its buffers are", "ACL023", Level::warning, kWorld,
     R"({"op":"memcpy","st":0,"src":0,"dst":-1,"bytes":64,"rd":[[8,0,64]],"wr":[[7,0,64]]}
)",
     R"({"op":"memcpy","st":0,"src":-1,"dst":0,"bytes":64,"rd":[[8,0,64]],"wr":[[7,0,64]]}
)"},
    {"an asynchronous copy of pageable memory", "ACL024", Level::note, kWorld,
     R"({"op":"memcpy","st":0,"src":-1,"dst":0,"bytes":64,"pageable":true}
)",
     R"({"op":"memcpy","st":0,"src":-1,"dst":0,"bytes":64,"pageable":true,"sync":true}
)"},
};

}  // namespace

TEST_CASE("a trace with a bug has the finding of its rule, the repaired one has not") {
  for (const Case& one : kCases) {
    INFO(one.says);
    const order::Report bad = report_of(one.world, one.bug);
    const order::PlacedFinding* const found = tracetest::find(bad, one.rule);
    CAPTURE(to_text(bad));
    REQUIRE(found);
    CHECK(found->level == one.level);
    const order::Report good = report_of(one.world, one.repaired);
    CAPTURE(to_text(good));
    CHECK_FALSE(tracetest::find(good, one.rule));
    // The repaired trace has no other finding above a note.
    if (one.level != Level::note) CHECK(good.at_least(Level::warning) == 0);
  }
}

TEST_CASE(
    "kernels of a trace that may have written anywhere leave no memory of which it is known that "
    "nothing wrote it") {
  const auto after = [](const std::string& kernel) {
    return tracetest::find(report_of(R"({"op":"alloc","h":1,"buf":7,"size":4096}
{"op":"alloc","h":1,"buf":9,"size":4096}
{"op":"memset","st":0,"h":1,"wr":[[9,0,4096]]}
)" + kernel + R"(
{"op":"kernel","st":0,"h":1,"may":[7],"rd":[[7,0,64]]}
)"),
                           "ACL021") != nullptr;
  };
  CHECK(after(R"({"op":"kernel","st":0,"h":1,"may":[9],"rd":[[9,0,64]]})"));
  CHECK(after(
      R"({"op":"kernel","st":0,"h":1,"may":[9],"wr":[[8,0,64]]})"));  // the program's own memory
  CHECK_FALSE(after(R"({"op":"kernel","st":0,"h":1,"may":[],"rd":[[9,0,64]]})"));
  CHECK_FALSE(after(R"({"op":"kernel","st":0,"h":1,"may":[8],"rd":[[9,0,64]]})"));
  CHECK_FALSE(after(R"({"op":"kernel","st":0,"h":1})"));
}

TEST_CASE(
    "bytes of a trace that are not written yet because of a race are told once, as the race") {
  const std::string fresh = R"({"op":"alloc","h":1,"buf":7,"size":4096}
)";
  const auto read = [](int stream) {
    return R"({"op":"memcpy","h":1,"src":0,"dst":1,"rd":[[7,0,64]],"wr":[[9,0,64]],"st":)" +
           std::to_string(stream) + "}\n";
  };
  const auto write = [](int stream, int offset = 0) {
    return R"({"op":"memset","h":1,"wr":[[7,)" + std::to_string(offset) + R"(,64]],"st":)" +
           std::to_string(stream) + "}\n";
  };
  for (const int stream : {0, 1}) {  // whichever the checker comes to first
    for (const std::string& ops :
         {read(stream) + write(1 - stream), write(1 - stream) + read(stream)}) {
      const order::Report report = report_of(fresh + ops);
      CAPTURE(to_text(report));
      CHECK(tracetest::find(report, "ACL007"));
      CHECK_FALSE(tracetest::find(report, "ACL021"));
    }
    CHECK(tracetest::find(report_of(fresh + read(stream) + write(1 - stream, 64)), "ACL021"));
  }
}

TEST_CASE("a recording makes a note of an early wait after which nothing races") {
  const std::string recorded =
      std::string(kWorld).replace(std::string(kWorld).find("a test"), 6, "aclsim run --record");
  const auto level_of = [&](const std::string& ops, const char* rule) {
    const order::Report report = report_of(recorded, ops);
    const order::PlacedFinding* const found = tracetest::find(report, rule);
    CAPTURE(to_text(report));
    REQUIRE(found);
    return found->level;
  };
  const std::string early = R"({"op":"wait","st":1,"h":1,"ev":1}
)";
  const std::string record = R"({"op":"record","st":0,"h":1,"ev":1}
)";
  const auto write = [](const char* stream, const char* buffer) {
    return std::string(R"({"op":"memset","h":1,"st":)") + stream + R"(,"wr":[[)" + buffer +
           ",0,64]]}\n";
  };
  CHECK(level_of(early + write("1", "7") + record, "ACL002") == Level::note);
  CHECK(level_of(write("0", "7") + early + write("1", "7") + record, "ACL002") == Level::warning);
  CHECK(level_of(early + record + write("0", "7") + write("1", "7"), "ACL002") == Level::warning);
  CHECK(level_of(write("0", "7") + write("1", "7") + early + record, "ACL002") == Level::note);
  CHECK(level_of(early, "ACL001") == Level::warning);
  CHECK(level_of(R"({"op":"hsync","h":1,"what":"event","id":1}
)" + record,
                 "ACL001") == Level::note);
}
