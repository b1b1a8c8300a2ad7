// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/operators/norm/row_plan.h"

#include <memory>

namespace aclnn {
namespace {

constexpr std::int64_t kLeastInRows = std::int64_t{1} << 15;  // elements worth a piece

template <class T>
using RowMaker = std::function<RowFunction<T>(Execution&, std::int64_t)>;

// Rows with a large element stride that are neighbours in memory are moved together.
constexpr std::int64_t kTile = 16;
constexpr std::int64_t kMostInTile = std::int64_t{1} << 16;  // elements of a row

/// Whether that pays, for the rows of one tensor.
bool moved_in_tiles(const Split& parts) {
  const View along = joined(parts.along), rows = joined(parts.rows);
  return along.rank() == 1 && rows.rank() > 0 && along.size(0) <= kMostInTile &&
         along.stride(0) > 1 && rows.stride(rows.rank() - 1) == 1;
}

/// The rows of one tensor, and buffers for rows that are not contiguous as T.
template <class T, class Access>
struct RowsOf {
  RowsOf(Execution& run, const Split& parts, std::int64_t begin)
      : access(parts.along),
        walk(run.at(parts.rows)),
        count(parts.along.count()),
        tiled(moved_in_tiles(parts)),
        step(tiled ? joined(parts.along).stride(0) *
                         static_cast<std::int64_t>(size_of(parts.along.type))
                   : 0),
        buffer(std::make_unique_for_overwrite<T[]>(
            static_cast<std::size_t>(count * (tiled ? kTile : 1)))) {
    walk.seek(begin);
  }
  T* place(std::int64_t i) { return buffer.get() + (tiled ? i * count : 0); }

  /// move(address, T*, step, rows) for each element of the next `rows` rows: `line` has one of each
  /// row.
  template <class Move>
  void each_line(std::int64_t rows, Move move) {
    for (std::int64_t done = 0; done < rows;) {
      const Walk::Segment piece = walk.next(rows - done);
      for (std::int64_t i = 0; i < count; ++i) {
        move(piece.at + i * step, buffer.get() + done * count + i, piece.step, piece.count);
      }
      done += piece.count;
    }
  }

  Access access;
  Walk walk;
  const std::int64_t count;
  const bool tiled;
  const std::int64_t step;  // bytes between the elements of a row
  std::unique_ptr<T[]> buffer;
};

template <class T>
struct InputRows : RowsOf<T, RowReader<T>> {
  InputRows(Execution& run, const Split& parts, std::int64_t begin)
      : RowsOf<T, RowReader<T>>(run, parts, begin), load(load_row<T>(parts.along.type)) {}
  void begin_tile(std::int64_t rows) {
    if (!this->tiled) return;
    this->each_line(rows, [&](std::byte* at, T* to, std::int64_t gap, std::int64_t lines) {
      T line[kTile];
      load(at, gap, line, lines);
      for (std::int64_t r = 0; r < lines; ++r) to[r * this->count] = line[r];
    });
  }
  const T* row(std::int64_t i) {
    if (this->tiled) return this->place(i);
    return this->access.all(this->walk.next(1).at, this->buffer.get());
  }
  const LoadRow<T> load;
};

template <class T>
struct OutputRows : RowsOf<T, RowWriter<T>> {
  OutputRows(Execution& run, const Split& parts, std::int64_t begin)
      : RowsOf<T, RowWriter<T>>(run, parts, begin), store(store_row<T>(parts.along.type)) {}
  T* row(std::int64_t i) {
    if (this->tiled) return this->place(i);
    target = this->walk.next(1).at;
    return this->access.place(target, this->buffer.get());
  }
  void put(const T* from) {
    if (!this->tiled) this->access.put(target, from);
  }
  void end_tile(std::int64_t rows) {
    if (!this->tiled) return;
    this->each_line(rows, [&](std::byte* at, const T* from, std::int64_t gap, std::int64_t lines) {
      T line[kTile];
      for (std::int64_t r = 0; r < lines; ++r) line[r] = from[r * this->count];
      store(line, at, gap, lines);
    });
  }
  const StoreRow<T> store;
  std::byte* target = nullptr;
};

template <class T>
void compute_rows(Execution& run, const std::vector<Split>& in, const std::vector<Split>& out,
                  std::int64_t begin, std::int64_t end, const RowFunction<T>& f) {
  std::vector<std::pair<std::size_t, InputRows<T>>> from;
  std::vector<std::pair<std::size_t, OutputRows<T>>> to;
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i].along) from.emplace_back(i, InputRows<T>(run, in[i], begin));
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i].along) to.emplace_back(i, OutputRows<T>(run, out[i], begin));
  }
  RowSet<T> row;
  row.count = in[0].along.count();
  while (begin < end) {
    const std::int64_t rows = std::min(kTile, end - begin);
    for (auto& [place, tensor] : from) tensor.begin_tile(rows);
    for (std::int64_t i = 0; i < rows; ++i) {
      for (auto& [place, tensor] : from) row.in[place] = tensor.row(i);
      for (auto& [place, tensor] : to) row.out[place] = tensor.row(i);
      f(row, begin + i);
      for (auto& [place, tensor] : to) tensor.put(row.out[place]);
    }
    for (auto& [place, tensor] : to) tensor.end_tile(rows);
    begin += rows;
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
  p.job_over(
      rows, std::max<std::int64_t>(1, kLeastInRows / length),
      [from, to, make = std::move(make)](Execution& run, std::int64_t begin, std::int64_t end) {
        compute_rows<T>(run, from, to, begin, end, make(run, begin));
      });
}

template void plan_rows<float>(Planner&, const std::vector<View>&, const std::vector<View>&,
                               const Dims&, RowMaker<float>);
template void plan_rows<double>(Planner&, const std::vector<View>&, const std::vector<View>&,
                                const Dims&, RowMaker<double>);

}  // namespace aclnn
