// SPDX-License-Identifier: Apache-2.0
// Collectives of several ranks that only their names identify, and Chakra traces of profiles.
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"
#include "tests/trace/kineto_text.h"
#include "tools/trace/formats/collective_names.h"
#include "tools/trace/formats/readers.h"
#include "tools/trace/read_trace.h"
#include "tools/trace/summary.h"

namespace {

using catch_compat::ContainsSubstring;
using lookalike::KinetoText;
using trace::Collective;
using trace::OpKind;

constexpr const char* kReduce = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)";
constexpr const char* kGather = "ncclKernel_AllGather_RING_LL_Sum_int8_t";

/// Two collectives on a stream of their own; `late`: when they begin.
std::string rank_text(int rank, int stream, double late, const char* first, const char* second) {
  KinetoText text;
  text.kernel("gemm", 7, 0, 50, 1);
  text.kernel(first, stream, 60 + late, 100 - late, 2).kernel(second, stream, 200, 50, 3);
  return text.text(rank);
}

trace::Trace read_two(const std::string& a, const std::string& b) {
  const support::TempDir dir;
  return trace::read_trace({dir.write("a.json", a), dir.write("b.json", b)});
}

std::vector<trace::OpIndex> collectives(const trace::Trace& it) {
  std::vector<trace::OpIndex> ops;
  for (trace::OpIndex op = 0; op < it.size(); ++op) {
    if (it[op].kind == OpKind::collective) ops.push_back(op);
  }
  return ops;
}

std::string remarks(const trace::Trace& it) {
  std::string text;
  for (const trace::Remark& remark : it.remarks()) text += remark.text + "\n";
  return text;
}

// ---- Chakra, by hand: (length, message) pairs of fields ----

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
std::string number(int field, std::uint64_t value) {
  return varint(static_cast<std::uint64_t>(field) << 3) + varint(value);
}
std::string bytes(int field, const std::string& text) {
  return varint((static_cast<std::uint64_t>(field) << 3) | 2) + varint(text.size()) + text;
}
std::string attribute(const std::string& name, int field, std::uint64_t value) {
  return bytes(10, bytes(1, name) + number(field, value));
}
std::string message(const std::string& content) { return varint(content.size()) + content; }
std::string node(std::uint64_t id, const std::string& name, int type, bool cpu, int tid,
                 const std::string& more = {}) {
  return message(number(1, id) + bytes(2, name) + number(3, static_cast<std::uint64_t>(type)) +
                 more + number(7, 10) + attribute("is_cpu_op", 27, cpu) +
                 attribute("tid", 9, static_cast<std::uint64_t>(tid)));
}

}  // namespace

TEST_CASE("kernels of the libraries of collectives are collectives by their names", "[import]") {
  const auto [name, kind, alone] = GENERATE(table<std::string, Collective, bool>({
      {kReduce, Collective::all_reduce, false},
      {kGather, Collective::all_gather, false},
      {"ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL", Collective::reduce_scatter, false},
      {"ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t", Collective::none, true},
      {"rcclAllToAllKernel", Collective::all_to_all, false},
      {"HcclAllReduce", Collective::all_reduce, false},
      {"hcom_broadcast__586_3_1", Collective::broadcast, false},
      {"ncclDevKernel_Generic", Collective::none, false},
  }));
  const auto found = trace::collective_by_name(name);
  CAPTURE(name);
  REQUIRE(found);
  CHECK(found->kind == kind);
  CHECK(found->point_to_point == alone);
  CHECK_FALSE(trace::collective_by_name("reduce_kernel<512>"));
  CHECK(trace::group_in_name("hcom_allReduce__586_0_1") == "586");
  CHECK(trace::group_in_name("").empty());
}

TEST_CASE("collectives that run as kernels of any library are collectives by their names",
          "[import]") {
  const auto [name, kind] = GENERATE(table<std::string, Collective>({
      {"AllReduceAivKernel", Collective::all_reduce},
      {"allReduceAivKernel", Collective::all_reduce},
      {"aiv_all_reduce_910b_half", Collective::all_reduce},
      {"native_allreduce", Collective::all_reduce},
      {"void multimem_all_reduce_kernel<float, 16>(float*, unsigned long)", Collective::all_reduce},
      {"ReduceScatterAivKernel", Collective::reduce_scatter},
      {"aiv-reduce-scatter", Collective::reduce_scatter},
      {"AllGatherAivKernel", Collective::all_gather},
      {"aiv_all_gather_bfloat16_t", Collective::all_gather},
      {"AlltoAllVAivKernel", Collective::all_to_all},
      {"all_to_all_v", Collective::all_to_all},
      {"BroadcastAivKernel", Collective::broadcast},
      {"aiv_broadcast_float", Collective::broadcast},
  }));
  CAPTURE(name);
  const auto found = trace::collective_by_name(name);
  REQUIRE(found);
  CHECK(found->kind == kind);
  CHECK_FALSE(found->point_to_point);
  CHECK(trace::group_in_name(name).empty());
}

TEST_CASE("kernels whose names only resemble those of collectives stay kernels", "[import]") {
  const std::string name =
      GENERATE("BroadcastTo", "broadcast_kernel", "MatmulAllReduce", "AllGatherMatmul",
               "small_gather_kernel", "block_all_reduce_sum_f32", "warpAllReduce", "ReduceSum",
               "ScatterReduce", "NaivBroadcast", "softmax<WarpAllReduce>(float*)");
  CAPTURE(name);
  CHECK_FALSE(trace::collective_by_name(name));
}

TEST_CASE("a collective that runs as a kernel of an Ascend profile is communication", "[import]") {
  const support::TempDir dir;
  const std::string task =
      R"({"ph":"X","name":"%","pid":416,"tid":2,"ts":"@","dur":100,"args":{"Task Type":"MIX_AIV",)"
      R"("Physic Stream Id":2,"Task Id":1,"Batch Id":0,"Subtask Id":4294967295,"Model Id":4294967295}})";
  const auto event = [&](const char* name, const char* start) {
    std::string text = task;
    text.replace(text.find('%'), 1, name);
    return text.replace(text.find('@'), 1, start);
  };
  const std::string file = dir.write(
      "trace_view.json",
      R"([{"ph":"M","name":"process_name","pid":416,"tid":0,"args":{"name":"Ascend Hardware"}},)" +
          event("MatMulV2", "1736408883704000.000") + "," +
          event("AllReduceAivKernel", "1736408883704100.000") + "]");
  const trace::Trace it = trace::read_trace({file});
  const auto found = collectives(it);
  REQUIRE(found.size() == 1);
  CHECK(it.comm(found[0]).kind == Collective::all_reduce);
  CHECK(it.comm(found[0]).group == trace::kNone);
}

TEST_CASE("ranks are coupled in order per communicator, and that is said", "[import]") {
  const trace::Trace it =
      read_two(rank_text(0, 20, 0, kReduce, kGather), rank_text(1, 24, 40, kReduce, kGather));
  const auto found = collectives(it);
  REQUIRE(found.size() == 4);
  for (const trace::OpIndex op : found) REQUIRE(it.comm(op).group != trace::kNone);
  CHECK(it.comm(found[0]).group == it.comm(found[2]).group);
  CHECK(it.comm(found[0]).tag == it.comm(found[2]).tag);
  CHECK(it.comm(found[1]).tag == it.comm(found[3]).tag);
  CHECK(it.comm(found[0]).tag != it.comm(found[1]).tag);
  CHECK_THAT(remarks(it), ContainsSubstring("2 collectives of 2 ranks (communicator 1)"));
}

TEST_CASE("ranks whose collectives differ, or ran at other times, are not coupled", "[import]") {
  const bool order = GENERATE(true, false);
  KinetoText later;
  later.kernel(kReduce, 20, 5000, 10, 2).kernel(kGather, 20, 6000, 10, 3);
  const trace::Trace it = read_two(rank_text(0, 20, 0, kReduce, kGather),
                                   order ? rank_text(1, 20, 0, kGather, kReduce) : later.text(1));
  for (const trace::OpIndex op : collectives(it)) CHECK(it.comm(op).group == trace::kNone);
  CHECK_THAT(remarks(it), ContainsSubstring("are not coupled: ranks "));
}

TEST_CASE("files that all say they are rank 0 are ranks of their own", "[import]") {
  const trace::Trace it =
      read_two(rank_text(0, 20, 0, kReduce, kGather), rank_text(0, 20, 1, kReduce, kGather));
  CHECK(it.ranks().size() == 2);
  CHECK(trace::summarise(it).evidence.overlaps == 0);
  CHECK_THAT(remarks(it), ContainsSubstring("says that it is rank 0"));
}

TEST_CASE(
    "of a Chakra trace of a profile, threads of device nodes are streams, and calls of "
    "collectives are none",
    "[import]") {
  if (!trace::has_protobuf()) return;
  const std::string text = message(bytes(1, "0.0.4")) + node(1, "aten::mm", 4, true, 900) +
                           node(2, "gemm", 4, false, 7) + node(3, "nccl:all_reduce", 7, true, 900) +
                           node(4, "ncclKernel_AllReduce", 7, false, 20,
                                attribute("comm_type", 9, 0) + attribute("comm_size", 9, 4096)) +
                           node(5, "gelu", 4, false, 7);
  const trace::Trace it = trace::read_trace_bytes("x.0.et", text);
  const auto found = collectives(it);
  REQUIRE(found.size() == 1);
  CHECK(it.name(found[0]) == "ncclKernel_AllReduce");
  CHECK(it.tracks()[it.track_of(found[0])].id == 20);
  CHECK(it.comm(found[0]).bytes == 4096);
  std::size_t on_seven = 0;
  for (const trace::Track& track : it.tracks()) {
    if (track.id == 7) on_seven += track.size();
  }
  CHECK(on_seven == 2);
}

TEST_CASE("dependencies of a Chakra trace that order nothing are counted", "[import]") {
  if (!trace::has_protobuf()) return;
  constexpr int kControl = 4, kData = 5;  // fields of a node
  const std::string text =
      message(bytes(1, "0.0.4")) + node(1, "a", 4, false, 7) +
      node(2, "b", 4, false, 8, number(kControl, 1) + number(kControl, 99)) +
      node(3, "c", 4, false, 9, number(kControl, 2) + number(kData, 1) + number(kData, 77));
  const trace::Trace it = trace::read_trace_bytes("x.0.et", text);
  CHECK(it.edges().size() == 1);
  CHECK_THAT(remarks(it),
             ContainsSubstring("1 dependencies on nodes that are not there; left out") &&
                 ContainsSubstring("3 control dependencies are left out"));
}

TEST_CASE("formats that hold no schedule are refused by name, with what to give instead",
          "[import]") {
  const auto [text, name, instead] = GENERATE(table<std::string, std::string, std::string>({
      {R"({"schema":"1.1.0-chakra.0.0.4","pid":1,"nodes":[{"id":1,"name":"a","ctrl_deps":0}]})",
       "an execution trace of PyTorch", "*.pt.trace.json"},
      {R"({"id":"2","name":"a","type":"COMP_NODE","dataDeps":["1"]})",
       "a Chakra trace printed as JSON", "*.et"},
      {"Step Id,Device_id,Model Name,Start Time(us),Duration(us)\n1,0,x,5,6\n", "a table of msprof",
       "trace_view.json"},
  }));
  std::string message = "accepted";
  try {
    trace::read_trace_bytes("x", text);
  } catch (const trace::InputError& error) {
    message = error.what();
  }
  CHECK_THAT(message, ContainsSubstring(name) && ContainsSubstring(instead));
}
