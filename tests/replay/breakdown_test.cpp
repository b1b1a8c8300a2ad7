// SPDX-License-Identifier: Apache-2.0
// The breakdown of the time of small jobs, compared with values computed by hand.
#include "tools/replay/results/breakdown.h"
#include <nlohmann/json.hpp>

#include "tests/replay/story.h"
#include "tests/support/catch.h"
#include "tools/replay/results/breakdown_text.h"
#include "tools/replay/results/critical_path.h"

namespace {

using replay::Breakdown;
using story::Story;
using trace::Nanoseconds;
using trace::OpIndex;
using trace::OpKind;

class Job : public Story {
 public:
  OpIndex timed(OpKind kind, trace::TrackIndex track, Nanoseconds start, Nanoseconds ns,
                Nanoseconds issue = trace::kNoTime, std::string_view name = {}) {
    trace::NewOp made = op(kind, track, ns);
    made.start = start;
    made.issue = issue;
    made.name = b.text(name);
    if (kind == OpKind::collective) return b.add(made, trace::CommUse{});
    if (kind == OpKind::copy) return b.add(made, trace::CopyUse{4000, 0, trace::kHostMemory});
    return b.add(made);
  }
};

}  // namespace

TEST_CASE("a rank's time is compute, communication, copies and idle, each moment once") {
  Job job;
  const auto compute = job.track(0, 1);
  const auto other = job.track(0, 2);
  job.timed(OpKind::kernel, compute, 0, 100);
  job.timed(OpKind::collective, other, 50, 100);  // 50 beside the kernel, 50 alone
  job.timed(OpKind::copy, other, 140 + 10, 20);   // alone
  job.timed(OpKind::kernel, compute, 200, 50);    // 170..200: nothing
  const trace::Trace trace = job.b.finish();
  const Breakdown found = replay::break_down(trace, nullptr);
  REQUIRE(found.ranks.size() == 1);
  const auto& rank = found.ranks[0];
  CHECK(rank.span_ns == 250);
  CHECK(rank.compute_ns == 150);
  CHECK(rank.overlapped_ns == 50);
  CHECK(rank.exposed_ns == 50);
  CHECK(rank.copies_ns == 20);
  CHECK(rank.idle_ns == 30);
  CHECK(rank.idle_other_ns == 30);
  CHECK(rank.compute_ns + rank.exposed_ns + rank.copies_ns + rank.idle_ns == rank.span_ns);
}

TEST_CASE("an op that overlaps a part of another op of its track is excluded, an inner op is not") {
  Job job;
  const auto track = job.track(0, 1);
  job.timed(OpKind::kernel, track, 0, 100'000, trace::kNoTime, "first");
  job.timed(OpKind::kernel, track, 10'000, 20'000, trace::kNoTime, "inner");
  job.timed(OpKind::kernel, track, 60'000, 100'000, trace::kNoTime, "partial");
  job.timed(OpKind::kernel, track, 99'500, 50'000, trace::kNoTime, "clocks differ");
  job.timed(OpKind::kernel, job.track(0, 2), 50'000, 100'000, trace::kNoTime, "beside");
  const trace::Trace trace = job.b.finish();
  const Breakdown found = replay::break_down(trace, nullptr);
  CHECK(found.excluded == 1);
  REQUIRE(found.ranks.size() == 1);
  CHECK(found.ranks[0].span_ns == 150'000);
  CHECK(found.kernels.size() == 4);
  CHECK(found.kernels_ns == 270'000);
  const std::string text = replay::to_text(trace, found, 10);
  CHECK(text.find("1 op begins during another op of its track") != std::string::npos);
  CHECK(text.find("partial") == std::string::npos);
  CHECK(replay::to_json(trace, found, 10).at("excluded") == 1);
}

TEST_CASE("idle time has the cause that kept the next op") {
  Job job;
  const auto a = job.track(0, 1);
  const auto b = job.track(0, 2);
  const auto far = job.track(1, 1, 1);
  job.timed(OpKind::kernel, a, 0, 100, 0);
  job.timed(OpKind::kernel, a, 170, 30, 160);  // called 60 after the end, and 10 until it began
  const OpIndex record = job.record(a, 5);
  job.wait(b, 5, record);
  job.timed(OpKind::kernel, b, 240, 60, 90);  // called for long ago: the other stream, 40
  job.timed(OpKind::kernel, far, 0, 390);
  const OpIndex notify = job.notify(far, 9);
  job.notify_wait(b, 9, notify);
  job.timed(OpKind::kernel, b, 400, 10, 95);  // the other rank, 100
  const trace::Trace trace = job.b.finish();
  const Breakdown found = replay::break_down(trace, nullptr);
  REQUIRE(found.ranks.size() == 2);
  const auto& rank = found.ranks[0];
  CHECK(rank.idle_host_ns == 60);
  CHECK(rank.idle_stream_ns == 40);
  CHECK(rank.idle_rank_ns == 100);
  CHECK(rank.idle_other_ns == 10);
  CHECK(rank.idle_ns == 210);
  CHECK(found.ranks[found.slowest].rank == 1);  // 390 against 200
}

TEST_CASE("kernels are summed by name, and launches tell how far the host is ahead") {
  Job job;
  const auto track = job.track(0, 1);
  job.timed(OpKind::kernel, track, 100, 10, 0, "small");
  job.timed(OpKind::kernel, track, 200, 90, 20, "large");
  job.timed(OpKind::kernel, track, 300, 30, 40, "small");
  job.timed(OpKind::kernel, track, 400, 20, 390, "small");
  const trace::Trace trace = job.b.finish();
  const Breakdown found = replay::break_down(trace, nullptr);
  REQUIRE(found.kernels.size() == 2);
  CHECK(trace.text(found.kernels[0].name) == "large");
  CHECK(found.kernels[1].count == 3);
  CHECK(found.kernels[1].sum_ns == 60);
  CHECK(found.kernels[1].median_ns == 20);
  CHECK(found.kernels_ns == 150);
  const auto& rank = found.ranks[0];
  CHECK(rank.launches == 4);
  CHECK(rank.delay_median_ns == 100);  // of 10, 100, 180, 260
  CHECK(rank.queue_most == 3);         // at 40: none has begun
  CHECK(rank.queue_mean == Approx((100 + 180 + 260 + 10) / 400.0));
}

TEST_CASE("the critical path goes on through a wait for a rank that is not in the trace") {
  Job job;
  const auto track = job.track(0, 1);
  job.timed(OpKind::kernel, track, 0, 100, trace::kNoTime, "first");
  trace::NewOp wait = job.op(OpKind::notify_wait, track, 290);
  wait.start = 110;
  job.b.add(wait, trace::SyncUse{job.b.object(trace::ObjectKind::notify, trace::kNone, 9), 1});
  job.timed(OpKind::kernel, track, 400, 100, trace::kNoTime, "last");
  const trace::Trace trace = job.b.finish();
  const replay::Execution run = replay::run_virtual(trace, story::plain(), replay::Options());
  const replay::CriticalPath path = replay::critical_path(trace, run);
  REQUIRE(path.steps.size() == 3);
  CHECK(path.others_ns == 290);
  CHECK(path.shares[static_cast<std::size_t>(replay::Share::kernels)] == 200);
  CHECK(path.shares[static_cast<std::size_t>(replay::Share::gaps)] == 10);
  CHECK(path.shares[static_cast<std::size_t>(replay::Share::launch)] == 0);
  CHECK(path.steps[1].outside);
  const auto longest = path.longest(1);
  REQUIRE(longest.size() == 1);
  CHECK(longest[0].op == 1);
}

TEST_CASE("a thread that issued nothing while another one waited goes on when that does") {
  Job job;
  job.b.rank(0);
  const std::uint16_t launcher = job.b.host(0, 1);
  const std::uint16_t waiter = job.b.host(0, 2);
  const auto track = job.track(0, 1);
  const auto launched = [&](Nanoseconds issue, Nanoseconds start, Nanoseconds ns) {
    trace::NewOp op = job.op(OpKind::kernel, track, ns);
    op.host = launcher;
    op.issue = issue;
    op.start = start;
    return job.b.add(op);
  };
  const OpIndex first = launched(0, 10, 100);
  trace::NewOp sync = job.op(OpKind::sync, job.b.host_track(waiter), 95);
  sync.host = waiter;
  sync.start = sync.issue = 20;
  job.b.add(sync, trace::HostUse{trace::Target::stream, 0, track, 0, first});
  launched(150, 160, 10);
  const trace::Trace trace = job.b.finish();
  const OpIndex later = trace.tracks()[track].begin + 1;
  replay::Options options;
  CHECK(replay::run_virtual(trace, story::plain(), options).start(later) == 160);
  options.scale = 3;  // the kernel takes 200 more, and the waiter with it
  CHECK(replay::run_virtual(trace, story::plain(), options).start(later) == 360);
}

TEST_CASE("what is named as a collective communicates, whatever kind of op a file makes of it") {
  Job job;
  job.timed(OpKind::kernel, job.track(0, 1), 0, 100, trace::kNoTime, "HcclAllReduce");
  job.timed(OpKind::kernel, job.track(0, 2), 50, 100, trace::kNoTime, "gemm");
  const trace::Trace trace = job.b.finish();
  const Breakdown found = replay::break_down(trace, nullptr);
  CHECK(found.ranks[0].compute_ns == 100);
  CHECK(found.ranks[0].exposed_ns == 50);
  CHECK(found.ranks[0].overlapped_ns == 50);
  const replay::Shares shares(trace);
  CHECK(shares.of(0) == replay::Share::communication);
  CHECK(shares.of(1) == replay::Share::kernels);
}

TEST_CASE("copies between devices tell the slowest link") {
  Job job;
  const auto a = job.track(0, 1);
  const auto b = job.track(1, 1);
  for (const auto& [track, from, to, ns] :
       {std::tuple(a, 0, 1, Nanoseconds{1000}), std::tuple(b, 1, 0, Nanoseconds{4000})}) {
    trace::NewOp op = job.op(OpKind::copy, track, ns);
    op.start = 0;
    job.b.add(op, trace::CopyUse{8000, from, to});
  }
  const trace::Trace trace = job.b.finish();
  const Breakdown found = replay::break_down(trace, nullptr);
  REQUIRE(found.links.size() == 2);
  CHECK(found.links[0].from == 1);
  CHECK(found.links[0].bytes_per_s() == Approx(2e9));
  CHECK(found.ranks[0].exposed_ns == 4000);
}
