// SPDX-License-Identifier: Apache-2.0
#include "runtime/aclnn/operators/index/places.h"

#include <algorithm>
#include <memory>

#include "runtime/aclnn/loops/convert.h"
#include "runtime/aclnn/loops/copy_rows.h"

namespace aclnn {
namespace {

constexpr std::int64_t kLeastIndexedBytes = std::int64_t{1} << 17;
constexpr std::int64_t kMostKept = std::int64_t{1} << 16;
constexpr std::int64_t kFewPlaces = 32;  // of which each is worth a loop around a large block

}  // namespace

std::string element_text(const char* name, const Shape& shape, std::int64_t element, int dim,
                         std::int64_t first) {
  if (shape.rank == 0) return name;
  Shape index = shape;
  for (int d = shape.rank - 1; d >= 0; --d) {
    index[d] = element % shape[d] + (d == dim ? first : 0);
    element /= shape[d];
  }
  return name + text_of(index);
}

std::int64_t count_true(const Execution& run, const View& mask) {
  Reader<std::int64_t> reader(run.at(mask));
  std::int64_t buffer[kChunk], found = 0;
  for (std::int64_t at = 0, all = mask.count(); at < all; at += kChunk) {
    const std::int64_t count = std::min(kChunk, all - at);
    const std::int64_t* const set = reader.next(count, buffer);
    for (std::int64_t i = 0; i < count; ++i) found += set[i] != 0 ? 1 : 0;
  }
  return found;
}

void Places::add(const View& index, const char* name, Chosen dim) {
  const int last = index.rank() - 1;
  if (last >= 0 && index.size(last) == shape_[shape_.rank - 1]) beside_numbers_ = true;
  numbers_.push_back({index.expanded(shape_), dim, name});
}

void Places::add_mask(const View& mask, const char* name, std::vector<Chosen> dims) {
  masks_.push_back({mask, std::move(dims), name});
}

Places::Reading::Reading(Execution& run, const Places& places) : run_(run), places_(places) {
  for (const Mask& mask : places.masks_) {
    std::vector<std::int64_t>& offsets = masked_.emplace_back();
    Reader<std::int64_t> reader(run.at(mask.view));
    std::int64_t buffer[kChunk];
    const std::int64_t count = mask.view.count();
    for (std::int64_t at = 0; at < count; at += kChunk) {
      const std::int64_t part = std::min(kChunk, count - at);
      const std::int64_t* const set = reader.next(part, buffer);
      for (std::int64_t i = 0; i < part; ++i) {
        if (set[i] == 0) continue;
        std::int64_t rest = at + i, offset = 0;
        for (std::size_t d = mask.dims.size(); d-- > 0;) {
          offset += rest % mask.dims[d].size * mask.dims[d].step;
          rest /= mask.dims[d].size;
        }
        offsets.push_back(offset);
      }
    }
    const std::int64_t expected = places.shape_[places.shape_.rank - 1];
    const auto found = static_cast<std::int64_t>(offsets.size());
    if (found != expected && !(found == 1 && places.beside_numbers_)) {
      run.fail(
          fmt::format("{} has {} elements that are true; expected {}", mask.name, found, expected));
    }
  }
}

bool Places::Reading::add_numbers(const Numbers& numbers, std::int64_t begin, std::int64_t count,
                                  std::int64_t* offsets) {
  Reader<std::int64_t> reader(run_.at(numbers.view));
  reader.seek(begin);
  std::int64_t buffer[kChunk];
  const std::int64_t* const index = reader.next(count, buffer);
  const std::int64_t size = numbers.dim.size, least = places_.from_end_ ? -size : 0;
  for (std::int64_t i = 0; i < count; ++i) {
    if (index[i] < least || index[i] >= size) [[unlikely]] {
      run_.fail(fmt::format("{} is {}; expected {} to {}",
                            element_text(numbers.name, places_.shape_, begin + i), index[i], least,
                            size - 1));
      return false;
    }
    offsets[i] += (index[i] < 0 ? index[i] + size : index[i]) * numbers.dim.step;
  }
  return true;
}

bool Places::Reading::get(std::int64_t begin, std::int64_t count, std::int64_t* offsets) {
  if (run_.failed()) return false;
  std::fill(offsets, offsets + count, 0);
  for (const Numbers& numbers : places_.numbers_) {
    if (!add_numbers(numbers, begin, count, offsets)) return false;
  }
  for (const std::vector<std::int64_t>& masked : masked_) {
    const auto found = static_cast<std::int64_t>(masked.size());
    for (std::int64_t i = 0; i < count; ++i) {
      offsets[i] += masked[static_cast<std::size_t>((begin + i) % found)];
    }
  }
  return true;
}

namespace {

/// A planned copy: units are the parts of the blocks of all places in all outer loops.
class IndexedWork {
 public:
  IndexedWork(IndexedCopy copy, Direction direction)
      : copy_(std::move(copy)),
        gather_(direction == Direction::gather),
        block_(loops(copy_.block), gather_ ? copy_.indexed.type : copy_.dense.type,
               gather_ ? copy_.dense.type : copy_.indexed.type) {
    for (const CopyLoop& loop : copy_.outer) outer_ *= loop.size;
    const std::int64_t units = outer_ * copy_.places.count();
    if (units != 0 && units < kMostParts) {
      parts_ = std::clamp<std::int64_t>(block_.cost() / kLeastIndexedBytes, 1, kMostParts / units);
    }
  }
  std::int64_t units() const { return outer_ * copy_.places.count() * parts_; }
  std::int64_t unit_cost() const { return std::max<std::int64_t>(block_.cost() / parts_, 1); }

  void run(Execution& run, std::int64_t begin, std::int64_t end) const;

 private:
  static constexpr std::int64_t kMostParts = 64;
  std::vector<CopyLoop> loops(std::vector<CopyLoop> loops) const {
    if (!gather_) {
      for (CopyLoop& loop : loops) std::swap(loop.from, loop.to);
    }
    return loops;
  }
  void blocks(const std::int64_t* offsets, std::int64_t count, std::byte* indexed, Walk& dense,
              std::int64_t part) const;

  const IndexedCopy copy_;
  const bool gather_;
  const Transfer block_;
  std::int64_t outer_ = 1, parts_ = 1;
};

void IndexedWork::blocks(const std::int64_t* offsets, std::int64_t count, std::byte* indexed,
                         Walk& dense, std::int64_t part) const {
  const bool single = block_.count() == 1 && copy_.indexed.type == copy_.dense.type;
  const RowsOfSize& rows = rows_of_size(static_cast<std::int64_t>(size_of(copy_.indexed.type)));
  const std::int64_t begin = block_.count() * part / parts_;
  const std::int64_t end = block_.count() * (part + 1) / parts_;
  while (count != 0) {
    const Walk::Segment piece = dense.next(count);
    if (single && gather_) {
      rows.gather(indexed, offsets, piece.at, piece.step, piece.count);
    } else if (single) {
      rows.scatter(piece.at, piece.step, indexed, offsets, piece.count);
    } else {
      for (std::int64_t i = 0; i < piece.count; ++i) {
        std::byte *const place = indexed + offsets[i], *const at = piece.at + i * piece.step;
        block_.run(gather_ ? place : at, gather_ ? at : place, begin, end);
      }
    }
    offsets += piece.count;
    count -= piece.count;
  }
}

void IndexedWork::run(Execution& run, std::int64_t begin, std::int64_t end) const {
  Places::Reading reading(run, copy_.places);
  const Data indexed = run.at(copy_.indexed), dense = run.at(copy_.dense);
  const auto from_size = static_cast<std::int64_t>(size_of(copy_.indexed.type));
  const auto to_size = static_cast<std::int64_t>(size_of(copy_.dense.type));
  const std::int64_t places = copy_.places.count();
  // Few enough are found once, for all outer loops.
  const bool once = end - begin > places && places <= kMostKept;
  std::vector<std::int64_t> kept(static_cast<std::size_t>(once ? places : kChunk));
  for (std::int64_t i = 0; once && i < places; i += kChunk) {
    if (!reading.get(i, std::min(kChunk, places - i), kept.data() + i)) return;
  }
  while (begin < end) {
    // From the outside in: outer loops, parts of blocks, places.
    const std::int64_t place = begin % places, part = begin / places % parts_;
    std::int64_t rest = begin / places / parts_;
    const std::int64_t count = std::min({once ? places : kChunk, places - place, end - begin});
    if (!once && !reading.get(place, count, kept.data())) return;
    std::byte* at = indexed.at;
    Data target = dense;
    for (auto loop = copy_.outer.rbegin(); loop != copy_.outer.rend(); ++loop) {
      at += rest % loop->size * loop->from * from_size;
      target.at += rest % loop->size * loop->to * to_size;
      rest /= loop->size;
    }
    Walk walk(target);
    walk.seek(place);
    blocks(kept.data() + (once ? place : 0), count, at, walk, part);
    begin += count;
  }
}

}  // namespace

void run_indexed(Execution& run, IndexedCopy copy, Direction direction) {
  const IndexedWork work(std::move(copy), direction);
  work.run(run, 0, work.units());
}

void plan_indexed(Planner& p, IndexedCopy copy, Direction direction) {
  if (copy.places.count() <= kFewPlaces) {
    copy.block.insert(copy.block.begin(), copy.outer.begin(), copy.outer.end());
    copy.outer.clear();
  }
  const auto work = std::make_shared<const IndexedWork>(std::move(copy), direction);
  const std::int64_t least = std::max<std::int64_t>(kLeastIndexedBytes / work->unit_cost(), 1);
  p.job_over(work->units(), least, [work](Execution& run, std::int64_t begin, std::int64_t end) {
    work->run(run, begin, end);
  });
}

}  // namespace aclnn
