// SPDX-License-Identifier: Apache-2.0
// The cost that the order checker adds to a call: the engine alone, without lock and runtime.
#include <array>
#include <memory>
#include <vector>

#include "bench/support.h"
#include "runtime/order/engine/engine.h"

namespace bench {
namespace {

constexpr int kStreams = 8;
constexpr int kOps = 200'000;
constexpr std::size_t kRange = 256;
constexpr std::uintptr_t kBase = 0x10000000;

struct World {
  std::size_t found = 0;
  order::Engine engine{[this](order::Finding&&) { ++found; }};
  order::Actor host = engine.add_host();
  std::vector<order::Actor> streams;

  World() {
    for (int i = 0; i < kStreams; ++i) streams.push_back(engine.add_stream(host));
  }
  order::OpInfo op_info(order::Actor stream) const {
    order::OpInfo made;
    made.what = "kernel";
    made.site = 0x1000 + stream;
    made.stream = stream;
    return made;
  }
  order::Actor stream(int i) const { return streams[static_cast<std::size_t>(i % kStreams)]; }
};

void report(benchmark::State& state, const Samples& took, int count) {
  state.counters["ns"] = took.median() * 1e9 / count;
}

void empty_op(benchmark::State& state) {
  World w;
  const order::OpInfo op_info = w.op_info(0);
  report(state,
         measure(state,
                 [&] {
                   return seconds([&] {
                     for (int i = 0; i < kOps; ++i) w.engine.op(w.stream(i), w.host, op_info, {});
                   });
                 }),
         kOps);
}

// Each stream reads and writes its own ranges, in an order that the processor cannot predict.
void op_with_ranges(benchmark::State& state, std::size_t live) {
  World w;
  const std::size_t per_stream = live / kStreams;
  std::vector<std::array<order::Access, 2>> accesses(kOps);
  std::uint32_t random = 1;
  const auto range = [&](std::size_t stream, bool write) {
    random = random * 1664525 + 1013904223;
    const std::size_t slot = stream * per_stream + (random >> 8) % per_stream;
    return order::Access{kBase + slot * 2 * kRange, kRange, write, false};
  };
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    accesses[i] = {range(i % kStreams, false), range(i % kStreams, true)};
  }
  for (std::size_t slot = 0; slot < per_stream * kStreams; ++slot) {
    const order::Access access{kBase + slot * 2 * kRange, kRange, true, false};
    w.engine.op(w.streams[slot / per_stream], w.host, w.op_info(0), {&access, 1});
  }
  const order::OpInfo op_info = w.op_info(0);
  report(state,
         measure(state,
                 [&] {
                   return seconds([&] {
                     for (int i = 0; i < kOps; ++i) {
                       w.engine.op(w.stream(i), w.host, op_info,
                                   accesses[static_cast<std::size_t>(i)]);
                     }
                   });
                 }),
         kOps);
  require(w.found == 0, "a conflict where there is none");
}

// A ring: each stream waits for the previous one, so each wait adds an order.
void record_wait(benchmark::State& state) {
  World w;
  const order::OpInfo op_info = w.op_info(0);
  report(state,
         measure(state,
                 [&] {
                   return seconds([&] {
                     for (int i = 0; i < kOps; ++i) {
                       const auto node = std::make_shared<order::Node>();
                       w.engine.record(w.stream(i), w.host, op_info, *node, node);
                       w.engine.wait(w.stream(i + 1), w.host, op_info, *node, node);
                     }
                   });
                 }),
         kOps);
  require(w.found == 0, "a wait without need where there is none");
}

void synchronize(benchmark::State& state) {
  World w;
  const order::OpInfo op_info = w.op_info(0);
  report(state,
         measure(state,
                 [&] {
                   return seconds([&] {
                     for (int i = 0; i < kOps; ++i) {
                       const order::Actor stream = w.stream(i);
                       w.engine.op(stream, w.host, op_info, {});
                       w.engine.synchronized(w.host, stream, w.engine.issued(stream));
                     }
                   });
                 }),
         kOps);
}

const bool registered = [] {
  add_case("order/op", empty_op);
  add_case("order/op_two_ranges_of_16", [](auto& state) { op_with_ranges(state, 16); });
  add_case("order/op_two_ranges_of_1000", [](auto& state) { op_with_ranges(state, 1'000); });
  add_case("order/op_two_ranges_of_100000", [](auto& state) { op_with_ranges(state, 100'000); });
  add_case("order/record_wait", record_wait);
  add_case("order/op_synchronize", synchronize);
  return true;
}();

}  // namespace
}  // namespace bench
