// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/compute/random.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <type_traits>

#include "runtime/acl/base/error.h"
#include "runtime/acl/compute/number.h"
#include "runtime/acl/compute/philox.h"
#include "runtime/acl/core/runtime.h"
#include "runtime/acl/memory/transfer.h"

namespace acl {

// ---- words ----

class RandomWords {
 public:
  RandomWords(std::uint64_t seed, Philox::Counter start) : seed_(seed), next_(start) {}
  std::uint32_t word() {
    if (left_ == 0) {
      block_ = block();
      left_ = block_.size();
    }
    return block_[block_.size() - left_--];
  }
  std::uint64_t double_word() {
    const std::uint64_t low = word();
    return low | static_cast<std::uint64_t>(word()) << 32;
  }
  /// A whole block, under one of many keys.
  Philox::Block block() {
    const Philox::Counter at = next_;
    next_ = at.advanced(1);
    return Philox::block(seed_, at);
  }
  Philox::Block block_again(std::uint64_t key_step) const {
    const Philox::Counter at{next_.low - 1, next_.high - (next_.low == 0 ? 1 : 0)};
    return Philox::block(seed_ + key_step, at);
  }
  Philox::Counter first_unused() const { return next_; }

 private:
  const std::uint64_t seed_;
  Philox::Counter next_;
  Philox::Block block_{};
  std::size_t left_ = 0;
};

namespace {

struct Pair {
  double first;
  double second;
};

Pair normals(std::uint32_t a, std::uint32_t b) {
  const double radius = std::sqrt(-2.0 * std::log((a + 1.0) * 0x1p-32));
  const double angle = 2.0 * std::numbers::pi * (b * 0x1p-32);
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

double truncated_normal(RandomWords& words) {
  constexpr std::uint64_t kKeyStep = 0x9E3779B97F4A7C15;
  Philox::Block block = words.block();
  for (std::uint64_t key = kKeyStep;; key += kKeyStep) {
    for (const std::size_t i : {0u, 2u}) {
      const Pair pair = normals(block[i], block[i + 1]);
      if (std::fabs(pair.first) <= 2.0) return pair.first;
      if (std::fabs(pair.second) <= 2.0) return pair.second;
    }
    block = words.block_again(key);
  }
}

// ---- elements of one type ----

template <class T>
T from_bits(std::uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T>
typename Number<T>::Host host_number(std::uint64_t bits) {
  return Number<T>::read(from_bits<T>(bits));
}

template <class T>
void put(std::byte* out, std::uint64_t i, typename Number<T>::Host value) {
  const T element = Number<T>::write(value);
  std::memcpy(out + i * sizeof(T), &element, sizeof element);
}

using Fill = void (*)(RandomWords& words, std::byte* out, std::uint64_t count, std::uint64_t a,
                      std::uint64_t b);

template <class T>
void fill_bits(RandomWords& words, std::byte* out, std::uint64_t count, std::uint64_t ratio,
               std::uint64_t) {
  const auto dropped =
      static_cast<std::uint64_t>(static_cast<double>(host_number<T>(ratio)) * 0x1p32);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::byte bit{static_cast<unsigned char>((words.word() >= dropped ? 1 : 0) << i % 8)};
    out[i / 8] = i % 8 == 0 ? bit : out[i / 8] | bit;
  }
}

template <class T>
void fill_uniform(RandomWords& words, std::byte* out, std::uint64_t count, std::uint64_t a,
                  std::uint64_t b) {
  const auto low = host_number<T>(a);
  const auto high = host_number<T>(b);
  for (std::uint64_t i = 0; i < count; ++i) {
    if constexpr (std::is_integral_v<T>) {
      const std::uint64_t range =
          static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
      __extension__ using Wide = unsigned __int128;
      const auto scaled = static_cast<std::uint64_t>(Wide{words.double_word()} * range >> 64);
      put<T>(out, i, static_cast<T>(static_cast<std::uint64_t>(low) + scaled));
    } else {
      const double part = (words.word() >> 8) * 0x1p-24;
      put<T>(out, i, static_cast<float>(low + (static_cast<double>(high) - low) * part));
    }
  }
}

template <class T>
void fill_normal(RandomWords& words, std::byte* out, std::uint64_t count, std::uint64_t a,
                 std::uint64_t b) {
  const double mean = host_number<T>(a);
  const double deviation = host_number<T>(b);
  for (std::uint64_t i = 0; i < count; i += 2) {
    const std::uint32_t first = words.word();
    const Pair pair = normals(first, words.word());
    put<T>(out, i, static_cast<float>(mean + deviation * pair.first));
    if (i + 1 < count) put<T>(out, i + 1, static_cast<float>(mean + deviation * pair.second));
  }
}

template <class T>
void fill_truncated(RandomWords& words, std::byte* out, std::uint64_t count, std::uint64_t a,
                    std::uint64_t b) {
  const double mean = host_number<T>(a);
  const double deviation = host_number<T>(b);
  for (std::uint64_t i = 0; i < count; ++i) {
    put<T>(out, i, static_cast<float>(mean + deviation * truncated_normal(words)));
  }
}

template <class T>
bool valid_parameters(aclrtRandomNumFuncType function, std::uint64_t a, std::uint64_t b) {
  const auto first = host_number<T>(a);
  const auto second = host_number<T>(b);
  switch (function) {
    case ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK:
      return first >= 0 && first <= 1;
    case ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS:
      return first <= second;
    default:
      return second >= 0;
  }
}

}  // namespace

struct RandomRequest::Type {
  aclDataType type;
  std::size_t size;
  bool (*valid)(aclrtRandomNumFuncType function, std::uint64_t a, std::uint64_t b);
  std::array<Fill, 4> fill;  // by function; null: not of this type
};

namespace {

template <class T>
constexpr RandomRequest::Type integers(aclDataType type) {
  return {type, sizeof(T), valid_parameters<T>, {nullptr, fill_uniform<T>, nullptr, nullptr}};
}

template <class T>
constexpr RandomRequest::Type reals(aclDataType type) {
  return {type,
          sizeof(T),
          valid_parameters<T>,
          {fill_bits<T>, fill_uniform<T>, fill_normal<T>, fill_truncated<T>}};
}

constexpr RandomRequest::Type kTypes[] = {integers<std::int32_t>(ACL_INT32),
                                          integers<std::int64_t>(ACL_INT64),
                                          integers<std::uint32_t>(ACL_UINT32),
                                          integers<std::uint64_t>(ACL_UINT64),
                                          reals<Half>(ACL_FLOAT16),
                                          reals<float>(ACL_FLOAT),
                                          reals<BFloat16>(ACL_BF16)};

constexpr std::size_t kCounterSize = sizeof(Philox::Counter);

const RandomRequest::Type& find_type(aclDataType type, aclrtRandomNumFuncType function) {
  const auto index = static_cast<std::size_t>(function);
  if (index >= kTypes[0].fill.size()) {
    fail(ACL_ERROR_INVALID_PARAM, "funcType is {}; expected 0 to {}", index,
         kTypes[0].fill.size() - 1);
  }
  for (const RandomRequest::Type& row : kTypes) {
    if (row.type == type && row.fill[index]) return row;
  }
  fail(ACL_ERROR_INVALID_PARAM, "dataType is {}, which function {} does not generate",
       static_cast<int>(type), index);
}

}  // namespace

// ---- parameters ----

RandomParameter::RandomParameter(Runtime& runtime, const aclrtRandomParaInfo& info,
                                 std::size_t least, std::size_t most, const char* argument)
    : size_(info.size) {
  if (size_ < least || size_ > most) {
    fail(ACL_ERROR_INVALID_PARAM, "the size of {} is {}; expected {} to {}", argument, size_, least,
         most);
  }
  if (info.isAddr == 0) {
    std::memcpy(&value_, info.valueOrAddr, size_);
    return;
  }
  std::memcpy(&address_, info.valueOrAddr, sizeof address_);
  if (!address_) fail(ACL_ERROR_INVALID_PARAM, "the address of {} is null", argument);
  locate_reachable(runtime, address_, size_, argument);
}

std::uint64_t RandomParameter::bits(Runtime& runtime) const {
  if (known()) return value_;
  std::uint64_t value = 0;
  std::memcpy(&value, runtime.memory().engine(address_), size_);
  return value;
}

void RandomParameter::append_range(std::vector<sim::MemoryRange>& ranges) const {
  if (!known()) ranges.push_back({address_, size_, false});
}

// ---- requests ----

RandomRequest::RandomRequest(Runtime& runtime, const aclrtRandomNumTaskInfo& info)
    : function_(info.randomNumFuncParaInfo.funcType),
      result_(info.randomResultAddr),
      counter_(info.randomCounterAddr) {
  type_ = &find_type(info.dataType, function_);
  const auto& given = info.randomNumFuncParaInfo.paramInfo;
  const auto parameter = [&](const aclrtRandomParaInfo& from, const char* argument) {
    return RandomParameter(runtime, from, type_->size, type_->size, argument);
  };
  switch (function_) {
    case ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK:
      parameters_[0] = parameter(given.dropoutBitmaskInfo.dropoutRation, "dropoutRation");
      break;
    case ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS:
      parameters_ = {parameter(given.uniformDisInfo.min, "min"),
                     parameter(given.uniformDisInfo.max, "max")};
      break;
    default:
      parameters_ = {parameter(given.normalDisInfo.mean, "mean"),
                     parameter(given.normalDisInfo.stddev, "stddev")};
  }
  seed_ = RandomParameter(runtime, info.randomSeed, 1, 8, "randomSeed");
  count_ = RandomParameter(runtime, info.randomNum, 1, 8, "randomNum");
  if (!result_) fail(ACL_ERROR_INVALID_PARAM, "randomResultAddr is null");
  locate_reachable(runtime, result_, count_.known() ? bytes_of(count_.bits(runtime)) : 1,
                   "randomResultAddr", sim::Access::read_write);
  if (counter_) {
    locate_reachable(runtime, counter_, kCounterSize, "randomCounterAddr", sim::Access::read_write);
  }
  if (parameters_[0].known() && parameters_[1].known() &&
      !valid(parameters_[0].bits(runtime), parameters_[1].bits(runtime))) {
    fail(ACL_ERROR_RT_PARAM_INVALID,
         "the parameters make no distribution; expected 0 <= dropoutRation <= 1, min <= max, "
         "stddev >= 0");
  }
}

bool RandomRequest::valid(std::uint64_t a, std::uint64_t b) const {
  return type_->valid(function_, a, b);
}

std::size_t RandomRequest::bytes_of(std::uint64_t count) const {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 56;
  if (count == 0 || count > kMost) {
    fail(ACL_ERROR_RT_PARAM_INVALID, "randomNum is {}; expected 1 to {}", count, kMost);
  }
  return function_ == ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK ? (count + 7) / 8
                                                                  : count * type_->size;
}

std::size_t RandomRequest::result_bytes(Runtime& runtime) const {
  return count_.known() ? bytes_of(count_.bits(runtime)) : 0;
}

std::vector<sim::MemoryRange> RandomRequest::ranges(Runtime& runtime) const {
  std::vector<sim::MemoryRange> ranges{{result_, result_bytes(runtime), true}};
  if (counter_) {
    ranges.push_back({counter_, kCounterSize, false});
    ranges.push_back({counter_, kCounterSize, true});
  }
  for (const RandomParameter* p : {&parameters_[0], &parameters_[1], &seed_, &count_}) {
    p->append_range(ranges);
  }
  return ranges;
}

sim::Failure RandomRequest::run(Runtime& runtime) const {
  const std::uint64_t count = count_.bits(runtime);
  const std::uint64_t a = parameters_[0].bits(runtime);
  const std::uint64_t b = parameters_[1].bits(runtime);
  try {
    // A count in device memory is known only now, so the size of the result is checked here.
    if (!count_.known()) {
      locate_reachable(runtime, result_, bytes_of(count), "randomResultAddr",
                       sim::Access::read_write);
    }
  } catch (const AclError&) {
    return {sim::Error::invalid_argument, 0};
  }
  if (!valid(a, b)) return {sim::Error::invalid_argument, 0};
  void* const counter = counter_ ? runtime.memory().engine(counter_) : nullptr;
  Philox::Counter start;
  if (counter) std::memcpy(&start, counter, kCounterSize);
  RandomWords words(seed_.bits(runtime), start);
  auto* const out = static_cast<std::byte*>(runtime.memory().engine(result_));
  type_->fill[static_cast<std::size_t>(function_)](words, out, count, a, b);
  const Philox::Counter next = words.first_unused();
  if (counter) std::memcpy(counter, &next, kCounterSize);
  return {};
}

}  // namespace acl
