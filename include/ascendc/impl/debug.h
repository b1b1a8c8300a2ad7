/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output of kernels: printf, DumpTensor, assert. The text of a block is collected and printed as a
 * whole. ASCENDC_DUMP=0 removes the output, except in host programs (ASCENDC_CPU_DEBUG).
 */
#ifndef ASCENDC_IMPL_DEBUG_H_
#define ASCENDC_IMPL_DEBUG_H_

#include <cstdio>
#include <type_traits>

#include "ascendc/impl/tensor.h"

#if defined(ASCENDC_DUMP) && !defined(ASCENDC_CPU_DEBUG)
#define ACLSIM_SHOWS (ASCENDC_DUMP != 0)
#else
#define ACLSIM_SHOWS 1
#endif

namespace aclsim_debug {

template <typename Value>
aclsimPrintArgument argument(const Value& value) {
  aclsimPrintArgument made{};
  if constexpr (std::is_same_v<Value, half> || std::is_same_v<Value, bfloat16_t> ||
                std::is_floating_point_v<Value> ||
                (aclsim_element::narrow<Value> != ACLSIM_OTHER_ELEMENT &&
                 aclsim_element::per_byte<Value> == 1)) {
    made.kind = ACLSIM_PRINT_FLOAT;
    made.real = static_cast<double>(
        static_cast<std::conditional_t<std::is_same_v<Value, double>, double, float>>(value));
  } else if constexpr (std::is_convertible_v<Value, const char*>) {
    made.kind = ACLSIM_PRINT_TEXT;
    made.text = value;
  } else if constexpr (std::is_pointer_v<Value>) {
    made.kind = ACLSIM_PRINT_POINTER;
    made.whole = reinterpret_cast<uint64_t>(value);
  } else if constexpr (std::is_enum_v<Value>) {
    made.kind = ACLSIM_PRINT_WHOLE;
    made.whole = static_cast<uint64_t>(value);
  } else {
    made.kind = std::is_unsigned_v<Value> ? ACLSIM_PRINT_UNSIGNED : ACLSIM_PRINT_WHOLE;
    made.whole = static_cast<uint64_t>(static_cast<int64_t>(value));
    if constexpr (std::is_unsigned_v<Value>) made.whole = static_cast<uint64_t>(value);
  }
  return made;
}

template <class... Args>
void print(const char* format, const Args&... args) {
  const aclsimPrintArgument list[sizeof...(Args) + 1] = {argument(args)..., {}};
  aclsimPrintFormatted(format, list, sizeof...(Args));
}

}  // namespace aclsim_debug

namespace __asc_aicore {
/* Named before the function below, which a compiler that parses templates late would find. */
inline constexpr int (*host_printf)(const char*, ...) = ::printf;

template <class... Args>
int printf(__gm__ const char* fmt, Args&&... args) {
  if (aclsimThisCore()->kind != ACLSIM_NO_CORE) {
#if ACLSIM_SHOWS
    aclsim_debug::print(fmt, static_cast<const std::decay_t<Args>&>(args)...);
#endif
    return 0;
  }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
  if constexpr ((std::is_scalar_v<std::decay_t<Args>> && ...)) return host_printf(fmt, args...);
  return 0;
#pragma GCC diagnostic pop
}
}  // namespace __asc_aicore

namespace AscendC {

using __asc_aicore::printf;
template <class... Args>
void PRINTF(__gm__ const char* fmt, Args&&... args) {
  __asc_aicore::printf(fmt, args...);
}

namespace aclsim_debug_tensor {
template <class Tensor>
void dump([[maybe_unused]] const Tensor& tensor, [[maybe_unused]] uint32_t desc,
          [[maybe_unused]] uint32_t dumpSize, [[maybe_unused]] const ShapeInfo* shape) {
#if ACLSIM_SHOWS
  const aclsimOperand operand = tensor.aclsim_operand(ACLSIM_READS);
  aclsimDumpTensor(&operand, desc, dumpSize, shape ? shape->shapeDim : 0,
                   shape ? shape->shape : nullptr);
#endif
}
}  // namespace aclsim_debug_tensor

#define ACLSIM_DUMP(TENSOR)                                                        \
  template <typename T>                                                            \
  void DumpTensor(const TENSOR<T>& tensor, uint32_t desc, uint32_t dumpSize) {     \
    aclsim_debug_tensor::dump(tensor, desc, dumpSize, nullptr);                    \
  }                                                                                \
  template <typename T>                                                            \
  void DumpTensor(const TENSOR<T>& tensor, uint32_t desc, uint32_t dumpSize,       \
                  const ShapeInfo& shapeInfo) {                                    \
    aclsim_debug_tensor::dump(tensor, desc, dumpSize, &shapeInfo);                 \
  }                                                                                \
  template <typename T>                                                            \
  void DumpAccChkPoint(const TENSOR<T>& tensor, uint32_t index, uint32_t countOff, \
                       uint32_t dumpSize) {                                        \
    aclsim_debug_tensor::dump(tensor[countOff], index, dumpSize, nullptr);         \
  }
ACLSIM_DUMP(LocalTensor)
ACLSIM_DUMP(GlobalTensor)
#undef ACLSIM_DUMP

inline void PrintTimeStamp([[maybe_unused]] uint32_t descId) {
#ifdef ASCENDC_TIME_STAMP_ON
  __asc_aicore::printf("descId is %u, rsv is 0, timeStamp is %llu, pcPtr is 0\n", descId,
                       aclsimCycle());
#endif
}

}  // namespace AscendC

using __asc_aicore::printf;

/* As in <cassert>, and in kernels: the block's text, then the end of the kernel. A message may
 * follow. */
#undef assert
inline void aclsim_assert_message() {}
template <class... Args>
void aclsim_assert_message(const char* format, const Args&... args) {
  aclsim_debug::print(format, args...);
}
#if ACLSIM_SHOWS
#define ACLSIM_ASSERT_TEXT(...) aclsim_assert_message(__VA_ARGS__)
#define ACLSIM_ASSERT_FILE __FILE__
#else
#define ACLSIM_ASSERT_TEXT(...)
#define ACLSIM_ASSERT_FILE nullptr /* no text */
#endif
#define ACLSIM_ASSERT(text, expr, ...)                                                      \
  do {                                                                                      \
    if (!(expr)) {                                                                          \
      ACLSIM_ASSERT_TEXT(__VA_ARGS__);                                                      \
      aclsimAssertFailed(text, ACLSIM_ASSERT_FILE, __LINE__, __PRETTY_FUNCTION__, nullptr); \
    }                                                                                       \
  } while (0)
/* The text as the kernel has it: its macros, threadIdx among them, are not replaced. */
#define ascendc_assert(expr, ...) ACLSIM_ASSERT(#expr, expr, ##__VA_ARGS__)
#define assert(expr, ...) ACLSIM_ASSERT(#expr, expr, ##__VA_ARGS__)
#ifndef ASSERT /* older name */
#define ASSERT(expr, ...) ACLSIM_ASSERT(#expr, expr, ##__VA_ARGS__)
#endif

/*
 * Messages of kernels by their importance. A program may define KERNEL_LOG itself. Errors are shown
 * always, the others only in CPU mode.
 */
#ifndef KERNEL_LOG
#define ACLSIM_KERNEL_LOG(word, ...)     \
  do {                                   \
    __asc_aicore::printf("[" word "] "); \
    __asc_aicore::printf(__VA_ARGS__);   \
    __asc_aicore::printf("\n");          \
  } while (0)
#define KERNEL_LOG_KERNEL_ERROR(...) ACLSIM_KERNEL_LOG("ERROR", __VA_ARGS__)
#ifdef ASCENDC_CPU_DEBUG
#define KERNEL_LOG_KERNEL_WARN(...) ACLSIM_KERNEL_LOG("WARNING", __VA_ARGS__)
#define KERNEL_LOG_KERNEL_INFO(...) ACLSIM_KERNEL_LOG("INFO", __VA_ARGS__)
#define KERNEL_LOG_KERNEL_DEBUG(...) ACLSIM_KERNEL_LOG("DEBUG", __VA_ARGS__)
#else
#define KERNEL_LOG_KERNEL_WARN(...) static_cast<void>(0)
#define KERNEL_LOG_KERNEL_INFO(...) static_cast<void>(0)
#define KERNEL_LOG_KERNEL_DEBUG(...) static_cast<void>(0)
#endif
#define KERNEL_LOG(level, ...) KERNEL_LOG_##level(__VA_ARGS__)
#endif

/* Runs `behavior` and ends the kernel unless `condition` holds; without effect except in CPU mode
 * and if ASCENDC_DEBUG is defined. */
#ifndef ASCENDC_ASSERT
#if defined(ASCENDC_CPU_DEBUG) || defined(ASCENDC_DEBUG)
#define ASCENDC_ASSERT(condition, behavior) \
  do {                                      \
    if (!(condition)) {                     \
      behavior;                             \
      ascendc_assert(condition);            \
    }                                       \
  } while (0)
#else
#define ASCENDC_ASSERT(condition, behavior) static_cast<void>(0)
#endif
#endif

#endif /* ASCENDC_IMPL_DEBUG_H_ */
