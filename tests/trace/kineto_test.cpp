// SPDX-License-Identifier: Apache-2.0
// Profiles of PyTorch: waits, synchronisations, and the names that versions gave to things.
#include <string>

#include "tests/support/catch.h"
#include "tests/trace/kineto_text.h"
#include "tools/trace/pairing/event_inference.h"
#include "tools/trace/read_trace.h"
#include "tools/trace/summary.h"

namespace {

using lookalike::KinetoText;
using trace::OpKind;

/// Stream 7 works until 110, records; works until 400, records. Stream 20 waits and goes on at 200.
KinetoText two_records() {
  KinetoText text;
  text.call("cudaLaunchKernel", 0, 1, 1).kernel("short", 7, 10, 100, 1);
  text.call("cudaEventRecord", 2, 1, 2);
  text.call("cudaLaunchKernel", 4, 1, 3).kernel("long", 7, 110, 290, 3);
  text.call("cudaEventRecord", 6, 1, 4);
  text.call("cudaStreamWaitEvent", 8, 1, 5);
  text.call("cudaLaunchKernel", 10, 1, 6).kernel("behind", 20, 200, 50, 6);
  return text;
}

std::string wait_mark(int record, int wait) {
  return fmt::format(
      R"({{"ph":"X","cat":"cuda_sync","name":"Stream Wait Event","pid":0,"tid":20,"ts":9,"dur":1,)"
      R"("args":{{"cuda_sync_kind":"Stream Wait Event","wait_on_stream":7,)"
      R"("wait_on_cuda_event_record_corr_id":{},"stream":20,"correlation":{},"device":0}}}})",
      record, wait);
}

trace::OpIndex sole_wait(const trace::Trace& it) {
  for (trace::OpIndex op = 0; op < it.size(); ++op) {
    if (it[op].kind == OpKind::wait) return op;
  }
  FAIL("no wait");
  return 0;
}

}  // namespace

TEST_CASE("a record that recorded times rule out is not accepted, an earlier one is", "[import]") {
  const bool marked = GENERATE(false, true);
  KinetoText text = two_records();
  if (marked) text.raw(wait_mark(4, 5));  // the file names the wrong one
  const trace::Trace it = trace::read_trace_bytes("k.json", text.text());
  const trace::OpIndex record = it.sync(sole_wait(it)).partner;
  REQUIRE(record != trace::kNone);
  CHECK(it.name(record - 1) == "short");
  CHECK(trace::summarise(it).evidence.pairs == 1);
  CHECK(trace::summarise(it).evidence.contradicted == 0);
}

TEST_CASE("a named record that times agree with stays exact", "[import]") {
  const trace::Trace it =
      trace::read_trace_bytes("k.json", two_records().raw(wait_mark(2, 5)).text());
  CHECK(trace::summarise(it).waits_exact == 1);
}

TEST_CASE("the share of pairs that recorded times contradict is computed", "[import]") {
  // Two waits on stream 2: one ends behind its record, one 50 us before it.
  const std::string native = R"({"aclt":1}
{"def":"device","id":0}
{"def":"stream","id":1,"dev":0}
{"def":"stream","id":2,"dev":0}
{"op":"record","st":1,"ev":1,"t":1000,"d":20}
{"op":"record","st":1,"ev":2,"t":100000,"d":20}
{"op":"wait","st":2,"ev":1,"t":500,"d":900}
{"op":"wait","st":2,"ev":2,"t":2000,"d":48000}
)";
  const trace::Summary sum = trace::summarise(trace::read_trace_bytes("a.aclt.jsonl", native));
  CHECK(sum.evidence.pairs == 2);
  CHECK(sum.evidence.contradicted == 1);
}

TEST_CASE("a wait that nobody recorded for is left alone rather than paired with a later record",
          "[import]") {
  // The only record on another stream ended 5 us after the wait was over.
  const std::vector<trace::EventPoint> records{{1, 10'000, 10'020, 100, 1}};
  const std::vector<trace::EventPoint> waits{{2, 4'980, 5'000, 200, 1}};
  CHECK(trace::infer_records(records, waits)[0].record == trace::kNone);
}

TEST_CASE("profiles of older versions of PyTorch are read, whatever the case of their categories",
          "[import]") {
  KinetoText text;
  text.call("cudaMemcpyAsync", 0, 1, 1, 9, "Runtime");
  text.slice("Memcpy", "Memcpy HtoD (Pinned -> Device)", 7, 5, 10, 1, R"("bytes":64)");
  text.call("cudaLaunchKernel", 2, 1, 2, 9, "Runtime");
  text.slice("Kernel", "gemm", 7, 15, 20, 2, R"("External id":3)");
  text.slice("Memset", "Memset (Device)", 7, 40, 2, 0);
  text.add("Operator", "aten::mm", 9, 9, 0, 5, R"("External id":3)");
  const trace::Trace it = trace::read_trace_bytes("k.json", text.bare());
  CHECK(it.text(it.sources()[0].format) == "kineto");
  const trace::Summary sum = trace::summarise(it);
  CHECK(it.size() == 3);
  CHECK(sum.of(OpKind::kernel) == 1);
  CHECK(sum.of(OpKind::copy) == 1);
  CHECK(sum.of(OpKind::fill) == 1);
  CHECK(it.issue(1) != trace::kNoTime);
}

TEST_CASE("calls that synchronise are waits of the host for what had to end by then", "[import]") {
  // Stream 7 until 110, stream 8 until 310. The first call returns behind the one, the second
  // behind the other; the third finds nothing left to wait for.
  const std::string call =
      GENERATE("cudaStreamSynchronize", "cudaEventSynchronize", "hipStreamSynchronize");
  KinetoText text;
  text.call("cudaLaunchKernel", 0, 1, 1).kernel("a", 7, 10, 100, 1);
  text.call("cudaLaunchKernel", 2, 1, 2).kernel("b", 8, 10, 300, 2);
  text.call(call, 20, 95, 3);
  text.call("cudaDeviceSynchronize", 120, 195, 4);
  text.call(call, 320, 2, 5);
  const trace::Trace it = trace::read_trace_bytes("k.json", text.text());
  std::vector<trace::OpIndex> syncs;
  for (trace::OpIndex op = 0; op < it.size(); ++op) {
    if (it[op].kind == OpKind::sync) syncs.push_back(op);
  }
  REQUIRE(syncs.size() == 3);
  CHECK(it.host(syncs[0]).target == trace::Target::stream);
  CHECK(it.name(it.host(syncs[0]).partner) == "a");
  CHECK(it.name(syncs[0]) == call);
  CHECK(it.host(syncs[1]).target == trace::Target::device);
  CHECK(it.name(it.host(syncs[2]).partner) == "b");
}

TEST_CASE("what was called for knows the innermost operator of the framework that called",
          "[import]") {
  KinetoText text;
  text.add("cpu_op", "aten::linear", 9, 9, 0, 50, "").add("cpu_op", "aten::addmm", 9, 9, 5, 20, "");
  text.add("cpu_op", "aten::relu", 9, 9, 60, 10, "").add("cpu_op", "aten::add", 8, 8, 0, 90, "");
  text.call("cudaLaunchKernel", 10, 1, 1).kernel("gemm", 7, 20, 10, 1);    // in addmm
  text.call("cudaLaunchKernel", 30, 1, 2).kernel("bias", 7, 30, 10, 2);    // after it, in linear
  text.call("cudaLaunchKernel", 55, 1, 3).kernel("lonely", 7, 60, 10, 3);  // in none
  const trace::Trace it = trace::read_trace_bytes("k.json", text.text());
  for (trace::OpIndex op = 0; op < it.size(); ++op) {
    if (it.name(op) == "gemm") CHECK(it.site(op) == "aten::addmm");
    if (it.name(op) == "bias") CHECK(it.site(op) == "aten::linear");
    if (it.name(op) == "lonely") CHECK(it.site(op).empty());
  }
}

TEST_CASE("collectives of a profile have their bytes and the size of their group", "[import]") {
  KinetoText text;
  const auto args = [](const char* name, const char* more) {
    return fmt::format(R"("Collective name":"{}","In msg nelems":1000,"Out msg nelems":4000,)"
                       R"("Group size":4,"Process Group Name":"0"{})",
                       name, more);
  };
  text.kernel("nccl_a", 20, 0, 10, 1, args("allreduce", R"(,"dtype":"Float")"));
  text.kernel("nccl_b", 20, 20, 10, 2, args("_allgather_base", R"(,"dtype":"BFloat16")"));
  text.kernel("nccl_c", 20, 40, 10, 3, args("broadcast", R"(,"dtype":"Odd")"));
  const trace::Trace it = trace::read_trace_bytes("k.json", text.text());
  REQUIRE(it.size() == 3);
  CHECK(it.comm(0).bytes == 4000);
  CHECK(it.comm(1).bytes == 8000);
  CHECK(it.comm(2).bytes == trace::kUnknownBytes);
  REQUIRE(it.groups().size() == 1);
  CHECK(it.groups()[0].size == 4);
}

TEST_CASE("a synchronisation that the file marks is read once, of an event by its stream",
          "[import]") {
  KinetoText text;
  text.call("cudaLaunchKernel", 0, 1, 1).kernel("a", 7, 10, 100, 1);
  text.call("cudaEventRecord", 2, 1, 2);
  text.call("cudaLaunchKernel", 4, 1, 3).kernel("b", 7, 110, 100, 3);
  text.call("cudaEventSynchronize", 6, 106, 4);
  text.raw(R"({"ph":"X","cat":"cuda_sync","name":"Event Sync","pid":0,"tid":7,"ts":6,"dur":105,)"
           R"("args":{"cuda_sync_kind":"Event Sync","stream":4294967295,"wait_on_stream":7,)"
           R"("wait_on_cuda_event_record_corr_id":2,"correlation":4,"device":0}})");
  const trace::Trace it = trace::read_trace_bytes("k.json", text.text());
  CHECK(trace::summarise(it).of(OpKind::sync) == 1);
  for (trace::OpIndex op = 0; op < it.size(); ++op) {
    if (it[op].kind != OpKind::sync) continue;
    const trace::OpIndex partner = it.host(op).partner;
    REQUIRE(partner != trace::kNone);
    CHECK(it.name(partner) == "a");  // recorded before b was launched
  }
}
