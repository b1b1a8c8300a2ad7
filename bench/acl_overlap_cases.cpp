// SPDX-License-Identifier: Apache-2.0
// Checks whether kernels of several streams that can run at the same time do so.
#include <algorithm>
#include <thread>
#include <vector>

#include "bench/acl_world.h"

namespace bench {
namespace {

constexpr int kManyKernels = 16;
constexpr int kManyDevices = 8;

/// Work that takes as long on any core, even if threads share the core: a chain of products.
struct alignas(64) Chain {
  std::uint64_t steps;
  std::uint64_t last = 1;
  std::uint64_t runs = 0;

  static std::int32_t run(const aclsimKernelContext*, const void* args) {
    Chain& chain = argument<Chain>(args);
    std::uint64_t value = chain.last;
    for (std::uint64_t i = chain.steps; i != 0; --i) value = value * 6364136223846793005U + 1;
    chain.last = value;
    ++chain.runs;
    return 0;
  }
};

/// The number of steps that take `wanted` seconds on this machine.
std::uint64_t steps_of(double wanted) {
  Chain chain{1'000'000};
  const void* const args = &chain;
  Samples took;
  for (int i = 0; i < 9; ++i) {
    took.add(seconds([&] { Chain::run(nullptr, &args); }));
    benchmark::DoNotOptimize(chain.last);
  }
  return static_cast<std::uint64_t>(static_cast<double>(chain.steps) * wanted / took.median());
}

/// `count` kernels, each on a stream of its own, the streams spread over the first `devices`
/// devices.
class Kernels {
 public:
  Kernels(int count, int devices, double wanted)
      : chains_(static_cast<std::size_t>(count), Chain{steps_of(wanted)}) {
    require(devices <= device_count(), "fewer devices than the case needs");
    for (int i = 0; i < count; ++i) {
      use_device(i % devices);
      streams_.emplace_back();
      launches_.push_back(
          std::make_unique<Launch>(&Chain::run, &chains_[static_cast<std::size_t>(i)]));
    }
  }

  /// Seconds for the first `count` of them, calls and synchronise included.
  double run(std::size_t count) {
    const std::uint64_t before = runs();
    const double took = seconds([&] {
      for (std::size_t i = 0; i < count; ++i) {
        streams_[i].make_current();
        launches_[i]->on(streams_[i]);
      }
      for (std::size_t i = 0; i < count; ++i) {
        streams_[i].make_current();
        streams_[i].synchronize();
      }
    });
    require(runs() - before == count, "not every kernel ran");
    return took;
  }

  /// Seconds for the function of the first kernel as a plain call.
  double call_one() {
    Chain* const chain = chains_.data();
    return seconds([&] { Chain::run(nullptr, &chain); });
  }

 private:
  std::uint64_t runs() const {
    std::uint64_t all = 0;
    for (const Chain& chain : chains_) all += chain.runs;
    return all;
  }

  std::vector<Chain> chains_;
  std::vector<Stream> streams_;
  std::vector<std::unique_ptr<Launch>> launches_;
};

/// Two kernels of 1 ms on two streams of one device, alternating with one kernel alone.
void two_streams(benchmark::State& state) {
  Kernels kernels(2, 1, 1e-3);
  Samples alone;
  const Samples both = measure(state, [&] {
    alone.add(kernels.run(1));
    return kernels.run(2);
  });
  state.counters["us"] = both.median() * 1e6;
  state.counters["of_one"] = both.median() / alone.median();
}

/// 16 kernels of 100 us on 8 devices, alternating with a plain call of the function: the number of
/// cores that they keep busy.
void many_devices(benchmark::State& state) {
  Kernels kernels(kManyKernels, kManyDevices, 100e-6);
  Samples alone;
  const Samples all = measure(state, [&] {
    alone.add(kernels.call_one());
    return kernels.run(kManyKernels);
  });
  const int cores =
      std::min<int>(kManyKernels, static_cast<int>(std::thread::hardware_concurrency()));
  state.counters["us"] = all.median() * 1e6;
  state.counters["of_cores"] = kManyKernels * alone.median() / all.median() / cores;
}

const bool registered = [] {
  add_case("i/two_streams", two_streams, 51);
  add_case("i/many_devices", many_devices, 51);
  return true;
}();

}  // namespace
}  // namespace bench
