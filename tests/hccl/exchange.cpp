// SPDX-License-Identifier: Apache-2.0
#include "tests/hccl/exchange.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <utility>

#include "acl/acl.h"
#include "tests/hccl/reference.h"
#include "tests/support/share.h"

namespace hccltest {
namespace {

constexpr const char* kNames[] = {"AllReduce",     "Reduce",    "ReduceScatter", "ReduceScatterV",
                                  "Broadcast",     "Scatter",   "AllGather",     "AllGatherV",
                                  "AlltoAll",      "AlltoAllV", "AlltoAllVC",    "Send/Recv",
                                  "BatchSendRecv", "Barrier"};

constexpr HcclDataType kTypes[] = {
    HCCL_DATA_TYPE_INT8,   HCCL_DATA_TYPE_INT16,   HCCL_DATA_TYPE_INT32,   HCCL_DATA_TYPE_FP16,
    HCCL_DATA_TYPE_FP32,   HCCL_DATA_TYPE_INT64,   HCCL_DATA_TYPE_UINT64,  HCCL_DATA_TYPE_UINT8,
    HCCL_DATA_TYPE_UINT16, HCCL_DATA_TYPE_UINT32,  HCCL_DATA_TYPE_FP64,    HCCL_DATA_TYPE_BFP16,
    HCCL_DATA_TYPE_HIF8,   HCCL_DATA_TYPE_FP8E4M3, HCCL_DATA_TYPE_FP8E5M2, HCCL_DATA_TYPE_FP8E8M0};

bool may_reduce(HcclDataType type, HcclReduceOp op) {
  switch (type) {
    case HCCL_DATA_TYPE_INT16:
    case HCCL_DATA_TYPE_BFP16:
      return op != HCCL_REDUCE_PROD;
    case HCCL_DATA_TYPE_INT8:
    case HCCL_DATA_TYPE_INT32:
    case HCCL_DATA_TYPE_INT64:
    case HCCL_DATA_TYPE_UINT64:
    case HCCL_DATA_TYPE_FP16:
    case HCCL_DATA_TYPE_FP32:
    case HCCL_DATA_TYPE_FP64:
      return true;
    default:
      return false;
  }
}

/// One operation with its buffers on the device.
class Prepared {
 public:
  Prepared(const Exchange& e, std::uint32_t me, std::uint32_t ranks)
      : e_(e), me_(me), ranks_(ranks), sent_(send_image(e, me, ranks)) {
    const std::size_t size = size_of(e.type);
    const Image expected_size(receive_layout(e, me, ranks).elements * size, kPoison);
    before_ = expected_size;
    if (e.what == What::broadcast) {
      if (me == e.root) before_ = sent_;
      sent_.clear();
    }
    const std::size_t pad = e.shift * size;
    send_ = make(sent_, pad);
    receive_ = make(before_, pad);
    if (e.in_place) alias();
  }
  ~Prepared() {
    for (void* const memory : owned_) aclrtFree(memory);
    for (void* const memory : pinned_) aclrtFreeHost(memory);
  }
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  HcclResult enqueue(HcclComm comm, aclrtStream stream);
  std::string compare() const {
    if (std::string problem = look_around(); !problem.empty()) return problem;
    const Image expected = expected_image(e_, me_, ranks_, before_);
    Image got(expected.size());
    if (!got.empty() && aclrtMemcpy(got.data(), got.size(), receive_, got.size(),
                                    pinned_.empty() ? ACL_MEMCPY_DEVICE_TO_HOST
                                                    : ACL_MEMCPY_HOST_TO_HOST) != ACL_SUCCESS) {
      return "cannot read the result";
    }
    if (got == expected) return {};
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (got[i] == expected[i]) continue;
      return fmt::format("rank {} of {}: {}: byte {} of {} is {:#x}, expected {:#x}", me_, ranks_,
                         e_.text(), i, got.size(), got[i], expected[i]);
    }
    return {};
  }

 private:
  std::uint8_t* make(const Image& content, std::size_t pad) {
    void* memory = nullptr;
    const std::size_t bytes = content.size() + pad + kBehind;
    const bool pinned = e_.salt % 8 == 0;  // where other processes do not reach it
    if (pinned ? aclrtMallocHost(&memory, bytes) != ACL_SUCCESS
               : aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) {
      return nullptr;
    }
    (pinned ? pinned_ : owned_).push_back(memory);
    aclrtMemset(memory, bytes, kAround, bytes);
    around_.push_back({static_cast<std::uint8_t*>(memory), pad});
    around_.push_back({static_cast<std::uint8_t*>(memory) + pad + content.size(), kBehind});
    auto* const at = static_cast<std::uint8_t*>(memory) + pad;
    if (!content.empty()) {
      aclrtMemcpy(at, content.size(), content.data(), content.size(),
                  pinned ? ACL_MEMCPY_HOST_TO_HOST : ACL_MEMCPY_HOST_TO_DEVICE);
    }
    return at;
  }
  /// Returns an empty text if no byte before or after a buffer was written.
  std::string look_around() const {
    for (const auto& [from, bytes] : around_) {
      Image got(bytes);
      if (bytes != 0 && aclrtMemcpy(got.data(), bytes, from, bytes,
                                    pinned_.empty() ? ACL_MEMCPY_DEVICE_TO_HOST
                                                    : ACL_MEMCPY_HOST_TO_HOST) != ACL_SUCCESS) {
        return "cannot read what is around a buffer";
      }
      if (std::count(got.begin(), got.end(), kAround) == static_cast<std::ptrdiff_t>(bytes))
        continue;
      return fmt::format("rank {} of {}: {}: bytes around a buffer were written", me_, ranks_,
                         e_.text());
    }
    return {};
  }
  /// The smaller of the two buffers becomes a part of the other one, as programs do it.
  void alias() {
    const std::size_t size = size_of(e_.type);
    switch (e_.what) {
      case What::all_reduce:
      case What::reduce:
        before_ = sent_;
        receive_ = send_;
        break;
      case What::all_gather: {
        const std::size_t at = me_ * e_.count * size;
        std::copy(sent_.begin(), sent_.end(), before_.begin() + static_cast<std::ptrdiff_t>(at));
        receive_ = make(before_, e_.shift * size);
        send_ = receive_ + at;
        break;
      }
      case What::reduce_scatter: {
        const std::size_t at = me_ * e_.count * size;
        const auto begin = sent_.begin() + static_cast<std::ptrdiff_t>(at);
        std::copy(begin, begin + static_cast<std::ptrdiff_t>(before_.size()), before_.begin());
        receive_ = send_ + at;
        break;
      }
      default:
        break;
    }
  }
  HcclResult pair(HcclComm comm, aclrtStream stream) const;

  const Exchange e_;
  const std::uint32_t me_;
  const std::uint32_t ranks_;
  Image sent_;
  Image before_;
  std::uint8_t* send_ = nullptr;
  std::uint8_t* receive_ = nullptr;
  std::vector<void*> owned_;
  std::vector<void*> pinned_;
  static constexpr std::size_t kBehind = 32;
  static constexpr std::uint8_t kAround = 0xa7;
  std::vector<std::pair<std::uint8_t*, std::size_t>> around_;
};

HcclResult Prepared::pair(HcclComm comm, aclrtStream stream) const {
  if (me_ % 2 == 1) return HcclRecv(receive_, e_.count, e_.type, me_ - 1, comm, stream);
  if (me_ + 1 == ranks_) return HCCL_SUCCESS;
  return HcclSend(send_, e_.count, e_.type, me_ + 1, comm, stream);
}

HcclResult Prepared::enqueue(HcclComm comm, aclrtStream stream) {
  const Exchange& e = e_;
  const Layout send = send_layout(e, me_, ranks_);
  const Layout receive = receive_layout(e, me_, ranks_);
  const auto count = [](const Layout& layout) {
    return layout.counts.empty() ? 0 : layout.counts[0];
  };
  switch (e.what) {
    case What::all_reduce:
      return HcclAllReduce(send_, receive_, e.count, e.type, e.op, comm, stream);
    case What::reduce:
      return HcclReduce(send_, receive_, e.count, e.type, e.op, e.root, comm, stream);
    case What::reduce_scatter:
      return HcclReduceScatter(send_, receive_, e.count, e.type, e.op, comm, stream);
    case What::reduce_scatter_v:
      return HcclReduceScatterV(send_, send.counts.data(), send.offsets.data(), receive_,
                                count(receive), e.type, e.op, comm, stream);
    case What::broadcast:
      return HcclBroadcast(receive_, e.count, e.type, e.root, comm, stream);
    case What::scatter:
      return HcclScatter(me_ == e.root ? send_ : nullptr, receive_, e.count, e.type, e.root, comm,
                         stream);
    case What::all_gather:
      return HcclAllGather(send_, receive_, e.count, e.type, comm, stream);
    case What::all_gather_v:
      return HcclAllGatherV(send_, count(send), receive_, receive.counts.data(),
                            receive.offsets.data(), e.type, comm, stream);
    case What::all_to_all:
      return HcclAlltoAll(send_, e.count, e.type, receive_, e.count, e.type, comm, stream);
    case What::all_to_all_v:
      return HcclAlltoAllV(send_, send.counts.data(), send.offsets.data(), e.type, receive_,
                           receive.counts.data(), receive.offsets.data(), e.type, comm, stream);
    case What::all_to_all_vc: {
      std::vector<std::uint64_t> matrix;
      for (std::uint32_t i = 0; i < ranks_ * ranks_; ++i) {
        matrix.push_back(pair_count(e, i / ranks_, i % ranks_));
      }
      return HcclAlltoAllVC(send_, matrix.data(), e.type, receive_, e.type, comm, stream);
    }
    case What::send_receive:
      return pair(comm, stream);
    case What::ring: {
      HcclSendRecvItem items[] = {
          {HCCL_SEND, send_, e.count, e.type, (me_ + 1) % ranks_},
          {HCCL_RECV, receive_, e.count, e.type, (me_ + ranks_ - 1) % ranks_}};
      return HcclBatchSendRecv(items, 2, comm, stream);
    }
    case What::barrier:
      return HcclBarrier(comm, stream);
  }
  return HCCL_E_INTERNAL;
}

/// The device's free memory is not zero, as fresh memory is: in it lie the buffers in which
/// operations keep what comes from other ranks.
bool poison_free_memory() {
  constexpr std::size_t kBytes = 8 << 20;
  Image read(kBytes);
  for (const bool looks : {false, true}) {
    void* memory = nullptr;
    if (aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) return false;
    looks ? aclrtMemcpy(read.data(), kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_HOST)
          : aclrtMemset(memory, kBytes, kPoison, kBytes);
    aclrtFree(memory);
  }
  return read == Image(kBytes, kPoison);
}

/// Two streams, and work that delays now one, now the other.
class Streams {
 public:
  explicit Streams(std::uint64_t seed) : random_(seed) {
    for (aclrtStream& stream : streams_) aclrtCreateStream(&stream);
    for (void*& scratch : scratches_) aclrtMalloc(&scratch, kScratch, ACL_MEM_MALLOC_HUGE_FIRST);
  }
  ~Streams() {
    for (aclrtStream stream : streams_) aclrtDestroyStreamForce(stream);
    for (void* const scratch : scratches_) aclrtFree(scratch);
  }
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  aclrtStream next() {
    const std::size_t which = random_() % 2;
    for (std::uint64_t left = random_() % 4; left != 0; --left) {
      aclrtMemsetAsync(scratches_[which], kScratch, 1, kScratch, streams_[which]);
    }
    return streams_[which];
  }
  std::string synchronize() {
    for (aclrtStream stream : streams_) {
      if (aclrtSynchronizeStreamWithTimeout(stream, kLimitMs) == ACL_SUCCESS) continue;
      const char* const text = aclGetRecentErrMsg();
      return text ? text : "a stream failed";
    }
    return {};
  }

 private:
  static constexpr std::size_t kScratch = 40000;
  // All operations, by eight processes that take turns each, on a busy machine: more than a minute.
  static constexpr int kLimitMs = 150'000;
  std::mt19937_64 random_;
  aclrtStream streams_[2] = {};
  void* scratches_[2] = {};
};

}  // namespace

std::string Exchange::text() const {
  return fmt::format("{} type {} op {} count {} root {} in place {} shift {}",
                     kNames[static_cast<int>(what)], static_cast<int>(type), static_cast<int>(op),
                     count, root, in_place, shift);
}

std::size_t size_of(HcclDataType type) {
  switch (type) {
    case HCCL_DATA_TYPE_INT16:
    case HCCL_DATA_TYPE_UINT16:
    case HCCL_DATA_TYPE_FP16:
    case HCCL_DATA_TYPE_BFP16:
      return 2;
    case HCCL_DATA_TYPE_INT32:
    case HCCL_DATA_TYPE_UINT32:
    case HCCL_DATA_TYPE_FP32:
      return 4;
    case HCCL_DATA_TYPE_INT64:
    case HCCL_DATA_TYPE_UINT64:
    case HCCL_DATA_TYPE_FP64:
      return 8;
    default:
      return 1;
  }
}

bool reduces(What what) { return what <= What::reduce_scatter_v; }

std::vector<Exchange> all_exchanges(std::uint32_t ranks, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Exchange> all;
  std::uint64_t index = 0;
  for (int what = 0; what < kWhats; ++what) {
    for (const HcclDataType type : kTypes) {
      for (int op = 0; op < (reduces(static_cast<What>(what)) ? 4 : 1); ++op) {
        const auto reduction = static_cast<HcclReduceOp>(op);
        if (reduces(static_cast<What>(what)) && !may_reduce(type, reduction)) continue;
        for (const bool large : {false, true}) {
          Exchange e{static_cast<What>(what), type, reduction};
          // Too large for the board.
          e.count = large ? (4500 + random() % 3000) / size_of(type) : 1 + random() % 70;
          e.root = static_cast<std::uint32_t>(random() % ranks);
          e.in_place = random() % 2 != 0;
          e.shift = static_cast<std::uint32_t>(random() % 4);
          e.salt = random();
          if (support::in_share(index)) all.push_back(e);
        }
        ++index;
      }
    }
  }
  return all;
}

std::vector<Exchange> large_exchanges(std::uint32_t ranks, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Exchange> all;
  for (int what = 0; what < kWhats; ++what) {
    for (const HcclDataType type : {HCCL_DATA_TYPE_INT32, HCCL_DATA_TYPE_FP16}) {
      Exchange e{static_cast<What>(what), type};
      e.count = 30000 + random() % 30000;
      e.root = static_cast<std::uint32_t>(random() % ranks);
      e.in_place = random() % 2 != 0;
      e.shift = static_cast<std::uint32_t>(random() % 4);
      e.salt = random();
      all.push_back(e);
    }
  }
  return all;
}

std::vector<Exchange> long_exchanges(std::uint32_t ranks, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Exchange> all;
  for (const auto& [what, type] : {std::pair(What::all_reduce, HCCL_DATA_TYPE_FP32),
                                   std::pair(What::all_reduce, HCCL_DATA_TYPE_INT64),
                                   std::pair(What::all_gather, HCCL_DATA_TYPE_FP32)}) {
    Exchange e{what, type};
    e.count =
        (16 << 20) / (what == What::all_gather ? ranks : 1) / size_of(type) + random() % 70000;
    e.in_place = random() % 2 != 0;
    e.shift = static_cast<std::uint32_t>(random() % 4);
    e.salt = random();
    all.push_back(e);
  }
  return all;
}

std::string exchange_all(HcclComm comm, std::uint32_t me, std::uint32_t ranks,
                         const std::vector<Exchange>& all, std::uint64_t seed) {
  if (!poison_free_memory()) return "free memory of the device is not as it was left";
  std::vector<std::unique_ptr<Prepared>> prepared;
  for (const Exchange& e : all) prepared.push_back(std::make_unique<Prepared>(e, me, ranks));
  Streams streams(seed * 64 + me);
  for (const auto& each : prepared) {
    if (each->enqueue(comm, streams.next()) == HCCL_SUCCESS) continue;
    const char* const text = aclGetRecentErrMsg();
    return text ? text : "an operation was refused";
  }
  std::string problem = streams.synchronize();
  for (std::size_t i = 0; i < prepared.size() && problem.empty(); ++i) {
    problem = prepared[i]->compare();
  }
  return problem;
}

}  // namespace hccltest
