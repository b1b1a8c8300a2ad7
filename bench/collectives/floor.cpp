// SPDX-License-Identifier: Apache-2.0
// The minimum cost on this machine for two ranks: two threads that write a + b into both outputs.
#include <barrier>
#include <thread>
#include <vector>

#include "bench/collectives/sizes.h"

namespace {

// Each thread makes one half of the sum and writes it twice.
void add_half(const std::vector<float>& a, const std::vector<float>& b, std::vector<float>& x,
              std::vector<float>& y, std::size_t count, int half) {
  const std::size_t from = half == 0 ? 0 : count / 2, to = half == 0 ? count / 2 : count;
  for (std::size_t i = from; i < to; ++i) x[i] = y[i] = a[i] + b[i];
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::size_t> sizes = bench::sizes(argc, argv);
  const std::vector<float> a(sizes.back() / sizeof(float), 1.0f), b(a);
  std::vector<float> x(a.size()), y(a.size());
  for (const std::size_t size : sizes) {
    const std::size_t count = size / sizeof(float);
    const double time = bench::microseconds(size, [&](int calls) {
      std::barrier together(2);
      const auto work = [&](int half) {
        for (int i = 0; i < calls; ++i) {
          add_half(a, b, x, y, count, half);
          together.arrive_and_wait();
        }
      };
      std::jthread other(work, 1);
      work(0);
    });
    bench::row(size, time, time);
  }
  return 0;
}
