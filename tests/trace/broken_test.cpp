// SPDX-License-Identifier: Apache-2.0
// Files that were cut off, durations below zero, args that are null, of every format; and how far
// the reading of a job is.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"
#include "tests/trace/kineto_text.h"
#include "tests/trace/lookalike.h"
#include "tools/trace/read_trace.h"
#include "tools/trace/summary.h"

namespace {

using catch_compat::ContainsSubstring;
using lookalike::KinetoText;
using trace::OpKind;

std::string message(const std::string& name, const std::string& bytes) {
  try {
    trace::read_trace_bytes(name, bytes);
  } catch (const trace::InputError& error) {
    return error.what();
  }
  return "accepted";
}

/// `text` with `from` replaced once; it must be there.
std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string small_kineto(const std::string& more = {}) {
  KinetoText text;
  text.call("cudaLaunchKernel", 1, 2, 1).kernel("gemm", 7, 10, 5, 1);
  if (!more.empty()) text.raw(more);
  return text.text();
}

std::uint64_t kernels(const std::string& text) {
  return trace::summarise(trace::read_trace_bytes("x.json", text)).of(OpKind::kernel);
}

}  // namespace

TEST_CASE("JSON of every format that was cut off is called truncated", "[import]") {
  const std::string text =
      GENERATE(lookalike::ascend_timeline(0), lookalike::graph_debug(), lookalike::kineto(),
               lookalike::chrome(), lookalike::level0_timeline());
  REQUIRE(message("x.json", text) == "accepted");
  const std::size_t end = text.find_last_not_of(" \n");
  for (const std::size_t size : {std::size_t{1}, text.size() / 3, text.size() / 2, end}) {
    CAPTURE(size);
    CHECK_THAT(message("x.json", text.substr(0, size)),
               ContainsSubstring("x.json: is truncated after event "));
  }
}

TEST_CASE("a duration below zero is refused, whatever it is of", "[import]") {
  const auto [text, place] = GENERATE(table<std::string, std::string>({
      {with(small_kineto(), R"("dur":5.000)", R"("dur":-5)"), "event 2 ('gemm'): `dur`"},
      {with(small_kineto(), R"("dur":2.000)", R"("dur":-0.001)"),
       "event 1 ('cudaLaunchKernel'): `dur`"},
      {small_kineto(R"({"ph":"X","cat":"cpu_op","name":"aten::mul","ts":1,"dur":-1,"tid":9})"),
       "event 3 ('aten::mul'): `dur`"},
      {small_kineto(R"({"ph":"X","cat":"cuda_sync","name":"s","ts":1,"dur":-1,"tid":9})"),
       "event 3 ('s'): `dur`"},
      {small_kineto(R"({"ph":"X","cat":"python_function","name":"f","ts":1,"dur":"-1.5"})"),
       "event 3 ('f'): `dur`"},
      {R"([{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":-2}])", "event 1 ('a'): `dur`"},
      {with(lookalike::ascend_timeline(0), R"("dur":)", R"("dur":-)"), "`dur`"},
      {with(lookalike::graph_debug(), R"("dur":)", R"("dur":-)"), "`dur`"},
  }));
  CHECK_THAT(message("x.json", text), ContainsSubstring(place + " is negative; expected"));
}

TEST_CASE("a slice that ends before it began is refused", "[import]") {
  CHECK_THAT(message("x.json", R"([{"ph":"B","name":"a","pid":1,"tid":1,"ts":10},)"
                               R"({"ph":"E","pid":1,"tid":1,"ts":5}])"),
             ContainsSubstring("event 2 (''): ends before event 1 began"));
  CHECK(message("x.json", R"([{"ph":"B","name":"a","pid":1,"tid":1,"ts":10},)"
                          R"({"ph":"E","pid":1,"tid":1,"ts":10}])") == "accepted");
}

TEST_CASE("a duration below zero is refused in the native format", "[aclt]") {
  const std::string head =
      "{\"aclt\":1}\n{\"def\":\"device\",\"id\":0}\n{\"def\":\"stream\",\"id\":1,\"dev\":0}\n";
  CHECK_THAT(message("x.aclt.jsonl", head + "{\"op\":\"kernel\",\"st\":1,\"t\":1,\"d\":-5}\n"),
             ContainsSubstring("x.aclt.jsonl:4: `d` is -5; expected"));
}

TEST_CASE("args that are null, no object or missing lose no event", "[import]") {
  const std::string args = GENERATE(R"("args":null,)", R"("args":"",)", R"("args":[],)", "");
  CAPTURE(args);
  const auto event = [&](const std::string& rest) { return R"({"ph":"X",)" + args + rest + "}"; };
  CHECK(kernels(small_kineto(
            event(R"("cat":"kernel","name":"k","pid":0,"tid":7,"ts":20,"dur":5)"))) == 2);
  CHECK(kernels(small_kineto(
            event(R"("cat":"cuda_runtime","name":"c","pid":9,"tid":9,"ts":20,"dur":5)"))) == 1);
  CHECK(kernels("[" + event(R"("name":"a","pid":1,"tid":1,"ts":1,"dur":2)") + "]") == 1);
  const std::string timeline = lookalike::ascend_timeline(0);
  const std::string more = event(R"("name":"python","pid":1,"tid":1,"ts":1,"dur":2)");
  CHECK(kernels("[" + more + "," + timeline.substr(1)) == kernels(timeline));
}

#if ACLSIM_HAVE_SQLITE
TEST_CASE("a call of the host that ends before it began is refused in a database", "[import]") {
  const support::TempDir dir;
  const std::string path = (dir.path() / "msprof_0.db").string();
  lookalike::write_msprof_db(path, 0);
  lookalike::add_call(path, "aclrtLaunchKernel", 5'000, 4'999, 7);
  CHECK_THROWS_WITH(trace::read_trace({path}),
                    ContainsSubstring("table CANN_API, row ") &&
                        ContainsSubstring("expected the end not earlier"));
}
#endif

TEST_CASE("how far the reading of a job is grows to the bytes of all its files", "[files]") {
  const support::TempDir dir;
  KinetoText text;
  for (int i = 1; i <= 20'000; ++i) text.kernel("gemm", 7, 10 * i, 5, i);
  const std::string bytes = text.text();
  const std::vector<std::string> paths{dir.write("rank0.json", bytes),
                                       dir.write("rank1.json", text.text(1))};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> told;
  trace::ReadOptions options;
  options.watch = [&](std::uint64_t done, std::uint64_t all) { told.emplace_back(done, all); };
  trace::read_trace(paths, options);
  REQUIRE(told.size() > 20);
  std::uint64_t before = 0;
  std::uint64_t longest_step = 0;
  for (const auto& [done, all] : told) {
    CHECK(all == 2 * bytes.size());
    CHECK(done >= before);
    longest_step = std::max(longest_step, done - before);
    before = done;
  }
  CHECK(before > 2 * bytes.size() * 98 / 100);
  CHECK(before <= 2 * bytes.size());
  // Bytes that are in memory are not yet understood: they count for a quarter.
  CHECK(longest_step < bytes.size() * 3 / 10);
}
