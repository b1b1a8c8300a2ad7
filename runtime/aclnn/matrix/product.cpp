// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/matrix/product.h"

#include <algorithm>
#include <type_traits>

#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/matrix/rows.h"

namespace aclnn {

/// How a product is cut into tiles, and those into pieces.
struct ProductCut {
  std::int64_t rows, columns;  // of a tile
  std::int64_t down, across;   // tiles of a matrix
  std::int64_t units, pieces;
};

namespace {

constexpr std::int64_t kFewRows = 6;     // not worth packing the other matrix for
constexpr std::int64_t kTileRows = 512;  // of a result
constexpr std::int64_t kTileColumns = 512;
constexpr std::int64_t kPanel = 512;          // of the inner dim, if it is converted
constexpr std::int64_t kCached = 8192;        // numbers that stay in the first cache
constexpr std::int64_t kLeastWork = 1 << 18;  // multiplications that are worth a piece
constexpr std::int64_t kMostPieces = 256;

std::int64_t parts(std::int64_t count, std::int64_t part) { return (count + part - 1) / part; }

std::int64_t leading_offset(const View& view, int dims, std::int64_t index) {
  std::int64_t offset = 0;
  for (int d = dims - 1; d >= 0; --d) {
    offset += index % view.size(d) * view.stride(d);
    index /= view.size(d);
  }
  return offset;
}

template <class T>
bool is_aligned(const std::byte* at) {
  return reinterpret_cast<std::uintptr_t>(at) % alignof(T) == 0;
}

/// Whether a matrix is read row by row: in the direction of the smaller step.
bool goes_right(std::int64_t down, std::int64_t right) {
  const auto size = [](std::int64_t step) { return step < 0 ? -step : step; };
  return right == 1 || (down != 1 && size(right) <= size(down));
}

/// A product of integers: exact; no library computes it.
void gemm(std::int64_t m, std::int64_t n, std::int64_t k, const Matrix<std::int64_t>& a,
          const Matrix<std::int64_t>& b, std::int64_t* c, std::int64_t c_row, bool add) {
  for (std::int64_t i = 0; i < m; ++i) {
    std::int64_t* const row = c + i * c_row;
    if (!add) std::fill(row, row + n, 0);
    for (std::int64_t l = 0; l < k; ++l) {
      const std::int64_t factor = a.data[i * a.row + l * a.column];
      const std::int64_t* const from = b.data + l * b.row;
      for (std::int64_t j = 0; j < n; ++j) row[j] += factor * from[j * b.column];
    }
  }
}

/// A product with few rows. The rows of a are contiguous.
template <class T>
void multiply_few(std::int64_t m, std::int64_t n, std::int64_t k, const T* a, std::int64_t a_row,
                  const Matrix<T>& b, T* c, std::int64_t c_row) {
  if (b.row == 1 || n == 1) {
    for (std::int64_t j = 0; j < n; ++j) {
      const T* const column = b.data + j * b.column;
      if (b.row == 1) {
        for (std::int64_t i = 0; i < m; ++i) c[i * c_row + j] += dot(a + i * a_row, column, k);
      } else {
        for (std::int64_t i = 0; i < m; ++i) {
          T sum = 0;
          for (std::int64_t l = 0; l < k; ++l) sum += a[i * a_row + l] * column[l * b.row];
          c[i * c_row + j] += sum;
        }
      }
    }
    return;
  }
  for (std::int64_t i = 0; i < m; ++i) {
    add_rows(a + i * a_row, b.data, b.row, k, c + i * c_row, n);
  }
}

template <class T>
struct Scratch {
  std::vector<T> a, b, rows, tile;
};
template <class T>
Scratch<T>& scratch() {
  thread_local Scratch<T> mine;
  return mine;
}

/// The rows of a block, each side by side.
template <class T>
const T* rows_of(const Matrix<T>& matrix, std::int64_t rows, std::int64_t columns,
                 std::vector<T>& copy, std::int64_t& step) {
  if (matrix.column == 1) {
    step = matrix.row;
    return matrix.data;
  }
  step = columns;
  T* const to = room(copy, rows * columns);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t l = 0; l < columns; ++l) {
      to[i * columns + l] = matrix.data[i * matrix.row + l * matrix.column];
    }
  }
  return to;
}

ProductCut cut_of(std::int64_t batches, std::int64_t m, std::int64_t n, std::int64_t k,
                  bool along_rows) {
  ProductCut cut{};
  const std::int64_t work = batches * m * n * std::max<std::int64_t>(k, 1);
  cut.down = parts(m, kTileRows);
  cut.rows = parts(m, cut.down);
  if (m <= kFewRows) {
    const std::int64_t wanted = std::clamp<std::int64_t>(work / batches / kLeastWork, 1, 64);
    // A narrow strip of rows would touch a page for each of them.
    const std::int64_t least = along_rows ? 16 : 512;
    cut.columns = std::clamp<std::int64_t>(parts(n, wanted), std::min(n, least), 4096);
  } else {
    // Wide tiles pack their operands less often; four of them are enough to share.
    const std::int64_t wide = batches * cut.down * parts(n, kTileColumns) >= 4 ? 1 : 2;
    cut.columns = n >= 2 * kTileColumns ? kTileColumns / wide : kTileColumns / 4;
  }
  cut.across = parts(n, cut.columns);
  cut.columns = parts(n, cut.across);
  cut.units = batches * cut.down * cut.across;
  cut.pieces = std::clamp<std::int64_t>(work / kLeastWork, 1, std::min(cut.units, kMostPieces));
  return cut;
}

template <class T>
class TileProduct {
 public:
  TileProduct(Execution& run, const Product<T>& product, const Tile& block)
      : run_(run), p_(product), block_(block), out_(run.at(product.out)) {}

  void compute() {
    T* const direct = place();
    T* const tile = direct ? direct : room(scratch<T>().tile, block_.rows * block_.columns);
    const std::int64_t row = direct ? out_.view.stride(p_.batch_dims) : block_.columns;
    if (p_.m <= kFewRows) {
      few(tile, row);
    } else {
      many(tile, row);
    }
    if (direct) return;
    if (p_.finish) p_.finish(run_, block_, tile);
    store(tile);
  }

 private:
  /// The tile's memory in the output, if it can be computed there.
  T* place() const {
    const View& out = out_.view;
    const int row = p_.batch_dims, column = row + 1;
    if (p_.finish || out.type != own_type<T>() || out.rank() != column + 1) return nullptr;
    if (block_.columns > 1 && out.stride(column) != 1) return nullptr;
    if (block_.rows > 1 && out.stride(row) < block_.columns) return nullptr;
    std::byte* const at =
        out_.at + (leading_offset(out, row, block_.batch) + block_.row * out.stride(row) +
                   block_.column * out.stride(column)) *
                      static_cast<std::int64_t>(sizeof(T));
    return is_aligned<T>(at) ? reinterpret_cast<T*>(at) : nullptr;
  }

  void clear(T* tile, std::int64_t row) const {
    for (std::int64_t i = 0; i < block_.rows; ++i) {
      std::fill(tile + i * row, tile + i * row + block_.columns, T(0));
    }
  }

  void many(T* tile, std::int64_t row) {
    if (p_.k == 0) return clear(tile, row);
    const std::int64_t step = p_.a.in_place && p_.b.in_place ? p_.k : kPanel;
    for (std::int64_t l = 0; l < p_.k; l += step) {
      const std::int64_t count = std::min(step, p_.k - l);
      const Matrix<T> a =
          p_.a.load(run_, {block_.batch, block_.row, block_.rows, l, count}, scratch<T>().a);
      const Matrix<T> b =
          p_.b.load(run_, {block_.batch, l, count, block_.column, block_.columns}, scratch<T>().b);
      gemm(block_.rows, block_.columns, count, a, b, tile, std::max(row, block_.columns), l != 0);
    }
  }

  /// Reads as much of the other matrix at a time as stays in the cache, each number once.
  void few(T* tile, std::int64_t row) {
    clear(tile, row);
    if (p_.k == 0) return;
    std::int64_t step = 0;
    const T* const a =
        rows_of(p_.a.load(run_, {block_.batch, block_.row, block_.rows, 0, p_.k}, scratch<T>().a),
                block_.rows, p_.k, scratch<T>().rows, step);
    const std::int64_t side = p_.b.along_rows ? 4096 : 1024;
    std::int64_t inner = std::min(p_.k, side), columns = block_.columns;
    if (p_.b.along_rows) {
      columns = std::min(columns, std::max<std::int64_t>(kCached / inner, 1));
    } else {
      columns = std::min(columns, side);
      inner = std::min(p_.k, std::max<std::int64_t>(kCached / columns, 1));
    }
    for (std::int64_t j = 0; j < block_.columns; j += columns) {
      const std::int64_t wide = std::min(columns, block_.columns - j);
      for (std::int64_t l = 0; l < p_.k; l += inner) {
        const std::int64_t count = std::min(inner, p_.k - l);
        const Matrix<T> b =
            p_.b.load(run_, {block_.batch, l, count, block_.column + j, wide}, scratch<T>().b);
        multiply_few(block_.rows, wide, count, a + l, step, b, tile + j, row);
      }
    }
  }

  void store(const T* tile) const {
    const View& out = out_.view;
    const int row = p_.batch_dims, column = row + 1;
    const auto bytes = static_cast<std::int64_t>(size_of(out.type));
    std::byte* const first =
        out_.at + (leading_offset(out, row, block_.batch) + block_.row * out.stride(row)) * bytes;
    if (out.rank() == column + 1) {
      const StoreRow<T> put = store_row<T>(out.type);
      for (std::int64_t i = 0; i < block_.rows; ++i) {
        put(tile + i * block_.columns,
            first + (i * out.stride(row) + block_.column * out.stride(column)) * bytes,
            out.stride(column) * bytes, block_.columns);
      }
      return;
    }
    View columns = out;
    while (columns.rank() > out.rank() - column) columns = columns.without(0);
    for (std::int64_t i = 0; i < block_.rows; ++i) {
      Writer<T> writer(Data{columns, first + i * out.stride(row) * bytes});
      writer.seek(block_.column);
      writer.write(block_.columns, tile + i * block_.columns);
    }
  }

  Execution& run_;
  const Product<T>& p_;
  const Tile block_;
  const Data out_;
};

/// Whether `view` goes on over dim d - 1 as it does over dim d.
bool continues(const View& view, int d) {
  return view.stride(d - 1) == view.size(d) * view.stride(d) || view.size(d - 1) == 1;
}

/// Batches that share the right matrix are rows of one left matrix.
void join_rows(View& a, View& b, View& out) {
  while (a.rank() > 2) {
    const int row = a.rank() - 2;
    const bool shared = b.stride(row - 1) == 0 || b.size(row - 1) == 1;
    const auto joins = [row](View& view) {
      if (view.size(row) != 1) return continues(view, row);
      view.strides[static_cast<std::size_t>(row)] = view.stride(row - 1);
      return true;
    };
    if (!shared || !joins(a) || !joins(out)) return;
    for (View* const view : {&a, &out}) {
      view->shape[row] *= view->size(row - 1);
      *view = view->without(row - 1);
    }
    b = b.without(row - 1);
  }
}

}  // namespace

View matrix_at(const View& matrices, std::int64_t batch) {
  View view = matrices;
  const int dims = view.rank() - 2;
  view.offset += leading_offset(view, dims, batch);
  for (int d = 0; d < dims; ++d) view = view.without(0);
  return view;
}

template <class T>
Matrix<T> load_block(const Data& data, const Tile& block, std::vector<T>& scratch) {
  const auto bytes = static_cast<std::int64_t>(size_of(data.view.type));
  const std::int64_t down = data.view.stride(0), right = data.view.stride(1);
  const std::byte* const first = data.at + (block.row * down + block.column * right) * bytes;
  if (data.view.type == own_type<T>() && is_aligned<T>(first)) {
    const T* const at = reinterpret_cast<const T*>(first);
    if (right == 1 && down >= block.columns) return {at, down, 1};
    if (down == 1 && right >= block.rows) return {at, 1, right};
    if (block.rows == 1 && right == 1) return {at, block.columns, 1};
    if (block.columns == 1 && down == 1) return {at, 1, block.rows};
  }
  T* const to = room(scratch, block.rows * block.columns);
  const LoadRow<T> load = load_row<T>(data.view.type);
  if (goes_right(down, right)) {
    for (std::int64_t i = 0; i < block.rows; ++i) {
      load(first + i * down * bytes, right * bytes, to + i * block.columns, block.columns);
    }
    return {to, block.columns, 1};
  }
  for (std::int64_t j = 0; j < block.columns; ++j) {
    load(first + j * right * bytes, down * bytes, to + j * block.rows, block.rows);
  }
  return {to, 1, block.rows};
}

template <class T>
Source<T> source_of(const View& matrices) {
  const int rank = matrices.rank();
  const std::int64_t down = matrices.stride(rank - 2), right = matrices.stride(rank - 1);
  Source<T> source;
  source.in_place = matrices.type == own_type<T>() && (down == 1 || right == 1);
  source.along_rows = !goes_right(down, right);
  source.load = [matrices](Execution& run, const Tile& block, std::vector<T>& scratch) {
    return load_block(run.at(matrix_at(matrices, block.batch)), block, scratch);
  };
  return source;
}

template <class T>
void load_row_of(const Data& data, int dims, std::int64_t batch, std::int64_t row,
                 std::int64_t column, std::int64_t count, T* to) {
  const View& view = data.view;
  const auto bytes = static_cast<std::int64_t>(size_of(view.type));
  std::byte* const at =
      data.at + (leading_offset(view, dims, batch) + row * view.stride(dims)) * bytes;
  if (view.rank() == dims + 2) {
    const std::int64_t step = view.stride(dims + 1) * bytes;
    return load_row<T>(view.type)(at + column * step, step, to, count);
  }
  View columns = view;
  while (columns.rank() > view.rank() - dims - 1) columns = columns.without(0);
  Reader<T> reader(Data{columns, at});
  reader.seek(column);
  const T* const from = reader.next(count, to);
  if (from != to) std::copy(from, from + count, to);
}

template <class T>
Work work_of(Product<T> product) {
  if (product.out.count() == 0) return {};
  const ProductCut cut =
      cut_of(product.batches, product.m, product.n, product.k, product.b.along_rows);
  return {cut.pieces, [product = std::move(product), cut](Execution& run, std::int64_t piece) {
            const std::int64_t end = cut.units * (piece + 1) / cut.pieces;
            for (std::int64_t unit = cut.units * piece / cut.pieces; unit < end; ++unit) {
              Tile block;
              block.row = unit % cut.down * cut.rows;
              block.rows = std::min(cut.rows, product.m - block.row);
              block.column = unit / cut.down % cut.across * cut.columns;
              block.columns = std::min(cut.columns, product.n - block.column);
              block.batch = unit / cut.down / cut.across;
              if (block.rows > 0 && block.columns > 0)
                TileProduct<T>(run, product, block).compute();
            }
          }};
}

void plan_works(Planner& p, std::vector<Work> works) {
  std::erase_if(works, [](const Work& work) { return work.pieces == 0; });
  if (works.empty()) return;
  if (works.size() == 1) return p.job(works[0].pieces, std::move(works[0].job));
  std::int64_t pieces = 0;
  for (const Work& work : works) pieces += work.pieces;
  p.job(pieces, [works = std::move(works)](Execution& run, std::int64_t piece) {
    for (const Work& work : works) {
      if (piece < work.pieces) return work.job(run, piece);
      piece -= work.pieces;
    }
  });
}

template <class T>
void multiply_rows(std::int64_t m, std::int64_t n, std::int64_t k, const Matrix<T>& a,
                   const Matrix<T>& b, T* c, std::int64_t c_row, bool add) {
  if (m > kFewRows || a.column != 1 || (b.row != 1 && b.column != 1)) {
    return gemm(m, n, k, a, b, c, c_row, add);
  }
  for (std::int64_t i = 0; i < m && !add; ++i) std::fill(c + i * c_row, c + i * c_row + n, T(0));
  multiply_few(m, n, k, a.data, a.row, b, c, c_row);
}

template <class T>
Work product_of_views(const View& a, const View& b, const View& out, FinishTile<T> finish) {
  const int last = out.rank() - 1;
  if (!finish && out.size(last) <= kFewRows && out.size(last - 1) > kFewRows) {
    return product_of_views<T>(b.transposed(last - 1, last), a.transposed(last - 1, last),
                               out.transposed(last - 1, last));
  }
  View left = a, right = b, result = out;
  if (!finish && left.count() != 0) join_rows(left, right, result);
  Product<T> product;
  product.batch_dims = result.rank() - 2;
  for (int d = 0; d < product.batch_dims; ++d) product.batches *= result.size(d);
  product.m = result.size(product.batch_dims);
  product.n = result.size(product.batch_dims + 1);
  product.k = left.size(left.rank() - 1);
  product.a = source_of<T>(left);
  product.b = source_of<T>(right);
  product.out = result;
  product.finish = std::move(finish);
  return work_of(std::move(product));
}

#define ACLNN_PRODUCTS(T)                                                                    \
  template Matrix<T> load_block<T>(const Data&, const Tile&, std::vector<T>&);               \
  template Source<T> source_of<T>(const View&);                                              \
  template void load_row_of<T>(const Data&, int, std::int64_t, std::int64_t, std::int64_t,   \
                               std::int64_t, T*);                                            \
  template Work work_of<T>(Product<T>);                                                      \
  template void multiply_rows<T>(std::int64_t, std::int64_t, std::int64_t, const Matrix<T>&, \
                                 const Matrix<T>&, T*, std::int64_t, bool);                  \
  template Work product_of_views<T>(const View&, const View&, const View&, FinishTile<T>);
ACLNN_PRODUCTS(float)
ACLNN_PRODUCTS(double)
ACLNN_PRODUCTS(std::int64_t)
#undef ACLNN_PRODUCTS

}  // namespace aclnn
