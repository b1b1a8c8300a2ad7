// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/operators/reduction/fold.h"

#include <optional>

namespace aclnn {

/// The data that all parts of a reduction share.
template <class T>
struct FoldPlan {
  Split x;
  Folded out;
  Fold<T> fold;
  std::int64_t outputs, folded;
  bool across;  // rows of outputs are read, one index of the folded dims after the other
};

namespace {

constexpr std::int64_t kAccs = 1024;  // outputs at a time
constexpr std::int64_t kMostFoldPieces = 64;

struct alignas(16) Acc {
  std::byte bytes[32];
};

/// Results in the order of the outputs, from one on.
template <class T>
class FoldWriter {
 public:
  FoldWriter(Execution& run, const FoldPlan<T>& plan, std::int64_t begin) : plan_(plan) {
    if (plan.out.values) values_.emplace(run.at(plan.out.values)).seek(begin);
    if (plan.out.indexes) indexes_.emplace(run.at(plan.out.indexes)).seek(begin);
  }
  void write(const void* accs, std::int64_t count) {
    T values[kAccs];
    std::int64_t indexes[kAccs];
    plan_.fold.finish(plan_.fold.f.data(), accs, plan_.folded, values, indexes, count);
    if (values_) values_->write(count, values);
    if (indexes_) indexes_->write(count, indexes);
  }

 private:
  const FoldPlan<T>& plan_;
  std::optional<Writer<T>> values_;
  std::optional<Writer<std::int64_t>> indexes_;
};

/// Each output's elements one after the other.
template <class T>
void fold_along(Execution& run, const FoldPlan<T>& plan, std::int64_t begin, std::int64_t end) {
  const RowReader<T> reader(plan.x.along);
  const void* const f = plan.fold.f.data();
  Acc accs[kAccs];
  std::byte* const place = accs[0].bytes;
  const auto bytes = static_cast<std::int64_t>(plan.fold.bytes);
  FoldWriter<T> writer(run, plan, begin);
  while (begin < end) {
    const std::int64_t count = std::min(kAccs, end - begin);
    plan.fold.start(f, place, count);
    each_row(run.at(plan.x.rows), begin, begin + count, [&](std::byte* at, std::int64_t row) {
      void* const acc = place + (row - begin) * bytes;
      reader.chunks(at, 0, plan.folded, [&](const T* x, std::int64_t n, std::int64_t first) {
        plan.fold.row(f, acc, x, n, first);
      });
    });
    writer.write(place, count);
    begin += count;
  }
}

/// Computes many outputs at a time, if the outputs are closer in memory than the elements of one
/// output.
template <class T>
void fold_across(Execution& run, const FoldPlan<T>& plan, std::int64_t begin, std::int64_t end) {
  const void* const f = plan.fold.f.data();
  const Data rows = run.at(plan.x.rows);
  Acc accs[kAccs];
  T buffer[kAccs];
  FoldWriter<T> writer(run, plan, begin);
  while (begin < end) {
    const std::int64_t count = std::min(kAccs, end - begin);
    plan.fold.start(f, accs, count);
    each_row(Data{plan.x.along, rows.at}, 0, plan.folded, [&](std::byte* at, std::int64_t index) {
      Reader<T> reader(Data{rows.view, at});
      reader.seek(begin);
      plan.fold.each(f, accs, reader.next(count, buffer), count, index);
    });
    writer.write(accs, count);
    begin += count;
  }
}

/// A few large reductions: each piece folds a part of all of them, the last one joins the parts.
template <class T>
void fold_part(Execution& run, const FoldPlan<T>& plan, std::int64_t piece, std::int64_t pieces) {
  const RowReader<T> reader(plan.x.along);
  const void* const f = plan.fold.f.data();
  const auto bytes = static_cast<std::int64_t>(plan.fold.bytes);
  std::byte* const all = run.shared(static_cast<std::size_t>(pieces * plan.outputs * bytes));
  std::byte* const own = all + piece * plan.outputs * bytes;
  plan.fold.start(f, own, plan.outputs);
  const std::int64_t begin = plan.folded * piece / pieces;
  const std::int64_t end = plan.folded * (piece + 1) / pieces;
  each_row(run.at(plan.x.rows), 0, plan.outputs, [&](std::byte* at, std::int64_t row) {
    reader.chunks(at, begin, end, [&](const T* x, std::int64_t n, std::int64_t first) {
      plan.fold.row(f, own + row * bytes, x, n, first);
    });
  });
  if (!run.last(pieces)) return;
  for (std::int64_t later = 1; later < pieces; ++later) {
    for (std::int64_t i = 0; i < plan.outputs; ++i) {
      plan.fold.merge(f, all + i * bytes, all + (later * plan.outputs + i) * bytes);
    }
  }
  FoldWriter<T>(run, plan, 0).write(all, plan.outputs);
}

std::int64_t least_stride(const View& view) {
  std::int64_t least = INT64_MAX;
  for (int d = 0; d < view.rank(); ++d) {
    if (view.size(d) != 1) least = std::min(least, std::abs(view.stride(d)));
  }
  return least;
}

}  // namespace

Shape folded_shape(const Shape& shape, const Dims& mask, bool keep) {
  Shape result;
  for (int d = 0; d < shape.rank; ++d) {
    const bool folded = mask[static_cast<std::size_t>(d)];
    if (!folded) result.append(shape[d]);
    if (folded && keep) result.append(1);
  }
  return result;
}

void require_folded(Planner& p, const View& x, const Dims& mask, bool keep, const View& out) {
  const Shape shape = folded_shape(x.shape, mask, keep);
  // One number may also go into a tensor with a dim, as a sum of llama.cpp's does.
  if (shape.rank != 0 || out.shape != Shape{1}) p.require_shape(out, shape);
}

template <class T>
void plan_fold(Planner& p, const View& x, const Dims& mask, const Folded& out,
               const Fold<T>& fold) {
  FoldPlan<T> plan{split(x, mask), out, fold, 0, 0, false};
  plan.outputs = plan.x.rows.count();
  plan.folded = plan.x.along.count();
  if (plan.outputs == 0) return;
  const std::int64_t work = plan.outputs * std::max<std::int64_t>(plan.folded, 1);
  const std::int64_t pieces = std::clamp<std::int64_t>(work / kLeastFolded, 1, kMostFoldPieces);
  if (pieces > plan.outputs) {
    p.job(pieces, [plan, pieces](Execution& run, std::int64_t piece) {
      fold_part(run, plan, piece, pieces);
    });
    return;
  }
  plan.across = plan.outputs >= 8 && least_stride(plan.x.rows) < least_stride(plan.x.along);
  p.job_over(plan.outputs, (plan.outputs + pieces - 1) / pieces,
             [plan](Execution& run, std::int64_t begin, std::int64_t end) {
               plan.across ? fold_across(run, plan, begin, end) : fold_along(run, plan, begin, end);
             });
}

#define ACLNN_FOLD(T) \
  template void plan_fold<T>(Planner&, const View&, const Dims&, const Folded&, const Fold<T>&);
ACLNN_FOLD(float)
ACLNN_FOLD(double)
ACLNN_FOLD(std::int64_t)
ACLNN_FOLD(std::uint64_t)
ACLNN_FOLD(std::complex<float>)
ACLNN_FOLD(std::complex<double>)
#undef ACLNN_FOLD

}  // namespace aclnn
