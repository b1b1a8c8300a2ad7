// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/operators/norm/row_plan.h"

#include <memory>

namespace aclnn {
namespace {

constexpr std::int64_t kLeastInRows = std::int64_t{1} << 15;  // elements worth a piece

template <class T>
using RowMaker = std::function<RowFunction<T>(Run&, std::int64_t)>;

/// Where the rows of one tensor are, and a place for one that is not side by side as T.
template <class T, class Access>
struct RowsOf {
  RowsOf(Run& run, const Split& parts, std::int64_t begin)
      : access(parts.along),
        walk(run.at(parts.rows)),
        buffer(std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(parts.along.count()))) {
    walk.seek(begin);
  }
  Access access;
  Walk walk;
  std::unique_ptr<T[]> buffer;
};

template <class T>
void compute_rows(Run& run, const std::vector<Split>& in, const std::vector<Split>& out,
                  std::int64_t begin, std::int64_t end, const RowFunction<T>& f) {
  std::vector<RowsOf<T, RowReader<T>>> from;
  std::vector<RowsOf<T, RowWriter<T>>> to;
  std::vector<std::size_t> in_places, out_places;
  RowSet<T> row;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (!in[i].along) continue;
    from.emplace_back(run, in[i], begin);
    in_places.push_back(i);
    row.count = in[i].along.count();
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!out[i].along) continue;
    to.emplace_back(run, out[i], begin);
    out_places.push_back(i);
  }
  std::array<std::byte*, 3> targets{};
  for (; begin < end; ++begin) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      row.in[in_places[i]] = from[i].access.all(from[i].walk.next(1).at, from[i].buffer.get());
    }
    for (std::size_t i = 0; i < to.size(); ++i) {
      targets[i] = to[i].walk.next(1).at;
      row.out[out_places[i]] = to[i].access.place(targets[i], to[i].buffer.get());
    }
    f(row, begin);
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i].access.put(targets[i], row.out[out_places[i]]);
    }
  }
}

std::vector<Split> split_all(const std::vector<View>& views, const Dims& mask) {
  std::vector<Split> parts;
  for (const View& view : views) parts.push_back(view ? split(view, mask) : Split{});
  return parts;
}

}  // namespace

template <class T>
void plan_rows(Planner& p, const std::vector<View>& in, const std::vector<View>& out,
               const Dims& mask, RowMaker<T> make) {
  const std::vector<Split> from = split_all(in, mask), to = split_all(out, mask);
  const std::int64_t rows = from[0].rows.count(), length = from[0].along.count();
  if (rows == 0 || length == 0) return;
  p.job_over(rows, std::max<std::int64_t>(1, kLeastInRows / length),
             [from, to, make = std::move(make)](Run& run, std::int64_t begin, std::int64_t end) {
               compute_rows<T>(run, from, to, begin, end, make(run, begin));
             });
}

template void plan_rows<float>(Planner&, const std::vector<View>&, const std::vector<View>&,
                               const Dims&, RowMaker<float>);
template void plan_rows<double>(Planner&, const std::vector<View>&, const std::vector<View>&,
                                const Dims&, RowMaker<double>);

}  // namespace aclnn
