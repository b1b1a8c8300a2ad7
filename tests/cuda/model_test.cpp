// SPDX-License-Identifier: Apache-2.0
// Random calls against a model that is an array of bytes for each piece of memory.
#include <array>
#include <memory>
#include <optional>
#include <random>

#include "tests/cuda/world.h"
#include "tests/support/share.h"

using namespace cudatest;

namespace {

constexpr int kDevices = 3;
constexpr int kPieces = 6;  // two on each device
constexpr std::size_t kGranules = 2;
constexpr std::size_t kPiece = kGranules * kG;
constexpr int kObjects = 2;
constexpr std::size_t kObjectGranules = 3;
constexpr std::size_t kObject = kObjectGranules * kG;

/// A byte of memory.
struct Spot {
  int piece = 0;
  std::size_t offset = 0;
};

class Both {
 public:
  explicit Both(std::uint64_t seed) : random_(seed) {
    for (int i = 0; i < kPieces; ++i) {
      memory_.push_back(std::make_unique<Memory>(i % kDevices, kPiece));
      replica_.push_back(std::make_unique<Mapped>(*memory_.back(), kPiece));
      model_.emplace_back(kPiece, 0);
    }
    for (int i = 0; i < kObjects; ++i) {
      object_.push_back(std::make_unique<Object>(kDevices, kObject));
      address_.push_back(std::make_unique<Mapped>(*object_.back(), kObject, kDevices));
    }
  }

  void step() {
    switch (pick(8)) {
      case 0:
      case 1:
        return bind();
      case 2:
        return pick(3) == 0 ? unbind() : bind();
      case 3:
        return fill_through();
      case 4:
        return copy_through();
      case 5:
        return broadcast_memory();
      case 6:
        return write_one();
      default:
        return compare();
    }
  }

 private:
  using Slot = std::optional<Spot>;

  std::size_t pick(std::size_t end) { return random_() % end; }

  /// A random start offset, mostly close to the edge of a granule.
  std::size_t place(std::size_t size, std::size_t room) {
    const std::size_t edge = pick(size / kG + 1) * kG;
    const std::size_t at = edge + pick(64) - std::min<std::size_t>(edge, 32);
    return std::min(at, size - room);
  }

  Slot& slot(int object, int device, std::size_t granule) {
    return slots_[object][device][granule];
  }

  /// The destinations of a store to [offset, offset + size); empty if a device has no memory there.
  std::optional<std::vector<std::vector<Spot>>> reach(int object, std::size_t offset,
                                                      std::size_t size) {
    std::vector<std::vector<Spot>> all;
    for (std::size_t i = offset; i < offset + size; ++i) {
      auto& here = all.emplace_back();
      for (int d = 0; d < kDevices; ++d) {
        const Slot& found = slot(object, d, i / kG);
        if (!found) return std::nullopt;
        here.push_back({found->piece, found->offset + i % kG});
      }
    }
    return all;
  }

  void store(const std::vector<std::vector<Spot>>& spots, const std::vector<unsigned char>& bytes) {
    for (int d = 0; d < kDevices; ++d) {
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        model_[spots[i][d].piece][spots[i][d].offset] = bytes[i];
      }
    }
  }

  std::vector<unsigned char> random_bytes(std::size_t size) {
    std::vector<unsigned char> bytes(size);
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random_());
    return bytes;
  }

  void bind() {
    const int object = static_cast<int>(pick(kObjects));
    const int piece = static_cast<int>(pick(kPieces));
    const int device = piece % kDevices;
    const std::size_t at = pick(kObjectGranules);
    const std::size_t from = pick(kGranules);
    const std::size_t count = 1 + pick(kGranules);
    bool good = at + count <= kObjectGranules && from + count <= kGranules;
    for (std::size_t i = 0; good && i < count; ++i) good = !slot(object, device, at + i);
    const bool by_address = pick(2) == 0 && from + count <= kGranules;
    const CUresult result = by_address
                                ? cuMulticastBindAddr(*object_[object], at * kG,
                                                      *replica_[piece] + from * kG, count * kG, 0)
                                : cuMulticastBindMem(*object_[object], at * kG, *memory_[piece],
                                                     from * kG, count * kG, 0);
    REQUIRE(result == (good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE));
    if (!good) return;
    bound_.push_back({object, device, at, count});
    for (std::size_t i = 0; i < count; ++i) {
      slot(object, device, at + i) = Spot{piece, (from + i) * kG};
    }
  }

  void unbind() {
    if (bound_.empty()) return;
    const std::size_t index = pick(bound_.size());
    const auto [object, device, at, count] = bound_[index];
    OK(cuMulticastUnbind(*object_[object], device, at * kG, count * kG));
    for (std::size_t i = 0; i < count; ++i) slot(object, device, at + i).reset();
    bound_.erase(bound_.begin() + static_cast<std::ptrdiff_t>(index));
  }

  void fill_through() {
    const int object = static_cast<int>(pick(kObjects));
    const std::size_t width = std::size_t{1} << pick(3);
    const std::size_t count = 1 + pick(40);
    const std::size_t offset = place(kObject, width * count) / width * width;
    const auto value = static_cast<std::uint32_t>(random_());
    const CUdeviceptr to = *address_[object] + offset;
    const CUresult result = width == 1 ? cuMemsetD8(to, static_cast<unsigned char>(value), count)
                            : width == 2
                                ? cuMemsetD16(to, static_cast<unsigned short>(value), count)
                                : cuMemsetD32(to, value, count);
    const auto spots = reach(object, offset, width * count);
    REQUIRE(result == (spots ? CUDA_SUCCESS : CUDA_ERROR_ILLEGAL_ADDRESS));
    std::vector<unsigned char> bytes(width * count);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      bytes[i] = static_cast<unsigned char>(value >> 8 * (i % width));
    }
    if (spots) store(*spots, bytes);
  }

  void copy_through() {
    const int object = static_cast<int>(pick(kObjects));
    const auto bytes = random_bytes(1 + pick(80));
    const std::size_t offset = place(kObject, bytes.size());
    const CUresult result = cuMemcpyHtoD(*address_[object] + offset, bytes.data(), bytes.size());
    const auto spots = reach(object, offset, bytes.size());
    REQUIRE(result == (spots ? CUDA_SUCCESS : CUDA_ERROR_ILLEGAL_ADDRESS));
    if (spots) store(*spots, bytes);
  }

  // The source may be what is written, too.
  void broadcast_memory() {
    const int object = static_cast<int>(pick(kObjects));
    const int piece = static_cast<int>(pick(kPieces));
    const std::size_t size = 1 + pick(80);
    const std::size_t from = place(kPiece, size);
    const std::size_t offset = place(kObject, size);
    const CUresult result = cuMemcpyDtoD(*address_[object] + offset, *replica_[piece] + from, size);
    const auto spots = reach(object, offset, size);
    REQUIRE(result == (spots ? CUDA_SUCCESS : CUDA_ERROR_ILLEGAL_ADDRESS));
    const auto begin = model_[piece].begin() + static_cast<std::ptrdiff_t>(from);
    const std::vector<unsigned char> bytes(begin, begin + static_cast<std::ptrdiff_t>(size));
    if (spots) store(*spots, bytes);
  }

  void write_one() {
    const int piece = static_cast<int>(pick(kPieces));
    const auto bytes = random_bytes(1 + pick(80));
    const std::size_t at = place(kPiece, bytes.size());
    OK(cuMemcpyHtoD(*replica_[piece] + at, bytes.data(), bytes.size()));
    std::copy(bytes.begin(), bytes.end(), model_[piece].begin() + static_cast<std::ptrdiff_t>(at));
  }

  void compare() {
    const int piece = static_cast<int>(pick(kPieces));
    const std::size_t size = 1 + pick(200);
    const std::size_t at = place(kPiece, size);
    const auto begin = model_[piece].begin() + static_cast<std::ptrdiff_t>(at);
    REQUIRE(read_back(*replica_[piece] + at, size) ==
            std::vector<unsigned char>(begin, begin + static_cast<std::ptrdiff_t>(size)));
  }

  struct Bound {
    int object;
    int device;
    std::size_t at;
    std::size_t count;
  };

  std::mt19937_64 random_;
  std::vector<std::unique_ptr<Memory>> memory_;
  std::vector<std::unique_ptr<Mapped>> replica_;
  std::vector<std::unique_ptr<Object>> object_;
  std::vector<std::unique_ptr<Mapped>> address_;
  std::vector<std::vector<unsigned char>> model_;
  std::array<std::array<std::array<Slot, kObjectGranules>, kDevices>, kObjects> slots_;
  std::vector<Bound> bound_;
};

}  // namespace

TEST_CASE("100,000 random calls agree with arrays of bytes") {
  const World world;
  for (unsigned part = 0; part < 4; ++part) {
    if (!support::in_share(part)) continue;
    Both both(support::first_seed() + part);
    for (int i = 0; i < 25'000; ++i) both.step();
  }
}
