// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/loops/elementwise.h"

#include <algorithm>
#include <optional>

namespace aclnn {

template <class T, std::size_t N>
void compute(const std::array<Data, N>& in, const Data& out, std::int64_t begin, std::int64_t end,
             const Function<T, N>& f) {
  std::array<std::optional<Reader<T>>, N> readers;
  for (std::size_t n = 0; n < N; ++n) readers[n].emplace(in[n]).seek(begin);
  Writer<T> writer(out);
  writer.seek(begin);
  T buffers[N + 1][kChunk];
  while (begin < end) {
    const std::int64_t count = std::min(kChunk, end - begin);
    std::array<const T*, N> from;
    for (std::size_t n = 0; n < N; ++n) from[n] = readers[n]->next(count, buffers[n]);
    T* const to = writer.place(count, buffers[N]);
    f.row(from, to, count, f.f.data());
    writer.put(count, to);
    begin += count;
  }
}

template <class T, std::size_t N>
void plan_function(Planner& p, const std::array<View, N>& in, const View& out,
                   const Function<T, N>& f) {
  p.job_over(out.count(), kLeastElements,
             [in, out, f](Execution& run, std::int64_t begin, std::int64_t end) {
               std::array<Data, N> from;
               for (std::size_t n = 0; n < N; ++n) from[n] = run.at(in[n]);
               compute<T, N>(from, run.at(out), begin, end, f);
             });
}

#define ACLNN_COMPUTE_N(T, N)                                                                      \
  template void compute<T, N>(const std::array<Data, N>&, const Data&, std::int64_t, std::int64_t, \
                              const Function<T, N>&);                                              \
  template void plan_function<T, N>(Planner&, const std::array<View, N>&, const View&,             \
                                    const Function<T, N>&);
#define ACLNN_COMPUTE(T) \
  ACLNN_COMPUTE_N(T, 0)  \
  ACLNN_COMPUTE_N(T, 1)  \
  ACLNN_COMPUTE_N(T, 2) ACLNN_COMPUTE_N(T, 3) ACLNN_COMPUTE_N(T, 4)
ACLNN_COMPUTE(float)
ACLNN_COMPUTE(double)
ACLNN_COMPUTE(std::int64_t)
ACLNN_COMPUTE(std::uint64_t)
ACLNN_COMPUTE(std::complex<float>)
ACLNN_COMPUTE(std::complex<double>)
#undef ACLNN_COMPUTE
#undef ACLNN_COMPUTE_N

}  // namespace aclnn
