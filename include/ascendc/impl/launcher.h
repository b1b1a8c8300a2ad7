/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parts of launchers. NAME<<<a, b, c>>>(x) calls the launcher of NAME with
 * aclsim::launch::at(file, line, a, b, c) and x; the launcher packs its arguments and hands them to
 * aclsimLaunchKernelCode. C++14.
 */
#ifndef ASCENDC_IMPL_LAUNCHER_H_
#define ASCENDC_IMPL_LAUNCHER_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "ascendc/impl/launch.h"

extern "C" void aclsimTrap(const void* site) __attribute__((noreturn));
extern "C" int32_t aclsimReportError(const char* function, int32_t code, const char* text);
/* The calling core's own bytes for `key`, from the first call on until its kernel ends; null
   outside of kernels. */
extern "C" void* aclsimBlockLocal(const void* key, uint64_t bytes, int32_t* fresh);
extern "C" void* aclsimLocalArray(uint32_t memory, const void* key, uint64_t bytes,
                                  const char* name, const void* site);
extern "C" void* aclsimDynamicArray(const char* name, const void* site);

/* The architecture that bisheng compiles for; the machine's own for other compilers. */
#ifdef ACLSIM_NPU_ARCH
#define ACLSIM_KERNEL_ARCH ACLSIM_NPU_ARCH
#define ACLSIM_KERNEL_UB_CLAIMED ACLSIM_UB_CLAIMED
#else
#define ACLSIM_KERNEL_ARCH 0
#define ACLSIM_KERNEL_UB_CLAIMED 0
#endif

namespace aclsim {
namespace launch {

/* asm("trap"): ends the kernel. It is a call of its own, so that messages can name its line. */
__attribute__((noinline, noreturn)) inline void trap() { aclsimTrap(__builtin_return_address(0)); }

/* How a variable of a core begins: as a copy, where there can be one. */
template <typename T>
typename std::enable_if<std::is_copy_constructible<T>::value>::type begin_as(T* own, T& first) {
  ::new (const_cast<void*>(static_cast<const void*>(own))) T(first);
}
template <typename T>
typename std::enable_if<!std::is_copy_constructible<T>::value && !std::is_array<T>::value>::type
begin_as(T* own, T&) {
  ::new (const_cast<void*>(static_cast<const void*>(own))) T();
}
template <typename T, size_t N>
void begin_as(T (*own)[N], T (&first)[N]) {
  for (size_t i = 0; i < N; ++i) begin_as(&(*own)[i], first[i]);
}

/* [block_local] T first: the one of the calling core. */
template <typename T>
T& block_local(T& first) {
  static_assert(alignof(T) <= alignof(max_align_t),
                "[block_local]: the type is aligned to more than 16 bytes");
  int32_t fresh = 0;
  T* const own = static_cast<T*>(aclsimBlockLocal(&first, sizeof first, &fresh));
  if (own == nullptr) return first;
  if (fresh != 0) begin_as(own, first);
  return *own;
}

/* __ubuf__ T name[N], or another local memory: its address on the calling core, the same for all
   threads of a block. Arrays fill their memory from its end downwards, tensors from its start
   upwards. `memory` is an aclsimMemory, and `Place` a type that only this declaration has. */
template <uint32_t memory, typename Array, typename Place>
__attribute__((noinline)) Array& local_array(Place, const char* name) {
  static_assert(alignof(Array) <= 32, "a local array: the type is aligned to more than 32 bytes");
  static_assert(std::is_trivially_default_constructible<Array>::value,
                "a local array: elements have a constructor");
  static char place;
  void* const own =
      aclsimLocalArray(memory, &place, sizeof(Array), name, __builtin_return_address(0));
  if (own == nullptr) abort(); /* outside of a kernel */
  return *static_cast<Array*>(own);
}

/* extern __ubuf__ T name[]: the bytes that the launch requests. */
template <typename T>
__attribute__((noinline)) T* dynamic_array(const char* name) {
  void* const own = aclsimDynamicArray(name, __builtin_return_address(0));
  if (own == nullptr) abort(); /* outside of a kernel */
  return static_cast<T*>(own);
}

/* An argument for a pointer P to global memory: host code also passes void pointers. */
template <typename P>
class GlobalPointer {
 public:
  GlobalPointer(P pointer) : pointer_(pointer) {}
  template <typename T, typename = typename std::enable_if<
                            std::is_convertible<T, P>::value ||
                            std::is_same<typename std::decay<T>::type, void*>::value>::type>
  GlobalPointer(T&& pointer) : pointer_(static_cast<P>(pointer)) {}
  P get() const { return pointer_; }

 private:
  P pointer_;
};
/* The type T, from which no template argument is deduced. */
template <typename T>
struct NonDeduced {
  typedef T type;
};

/* The values between <<< and >>>, and where they stand. */
struct At {
  const char* file;
  uint32_t line;
  uint32_t blocks;
  uint32_t grid[3];
  uint32_t threads[3];
  uint64_t dynamic_ub_bytes;
  void* stream;
};

/* In place of At, in the launcher that is found where a kernel does not take the arguments of a
 * launch. */
struct OtherArguments {
  OtherArguments(const At&) {}
};

/* The second value: a number of bytes, or the pointer that older sources pass, which is ignored. */
class UbBytes {
 public:
  UbBytes(decltype(nullptr)) : bytes_(0) {}
  UbBytes(const void*) : bytes_(0) {}
  template <typename T, typename = typename std::enable_if<std::is_integral<T>::value ||
                                                           std::is_enum<T>::value>::type>
  UbBytes(T bytes) : bytes_(static_cast<uint64_t>(bytes)) {}
  uint64_t get() const { return bytes_; }

 private:
  uint64_t bytes_;
};

/* A number that does not fit becomes 0 or the largest number, which the launch refuses. */
template <typename T>
uint32_t count_of(T value) {
  if (value < T(0)) return 0;
  const uint64_t wide = static_cast<uint64_t>(value);
  return wide > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(wide);
}

template <typename T, bool number = std::is_arithmetic<T>::value || std::is_enum<T>::value>
struct Extent {
  static void get(const T& value, uint32_t (&to)[3]) {
    to[0] = static_cast<uint32_t>(value.x);
    to[1] = static_cast<uint32_t>(value.y);
    to[2] = static_cast<uint32_t>(value.z);
  }
};
template <typename T>
struct Extent<T, true> {
  static void get(const T& value, uint32_t (&to)[3]) {
    to[0] = count_of(value);
    to[1] = to[2] = 1;
  }
};

template <typename Blocks>
At at(const char* file, uint32_t line, Blocks blocks, UbBytes ub = 0, void* stream = nullptr) {
  static_assert(!std::is_pointer<Blocks>::value,
                "the first value between <<< and >>> is a pointer; expected a number of blocks");
  return {file, line, count_of(blocks), {0, 0, 0}, {0, 0, 0}, ub.get(), stream};
}

/* SIMT: a grid of blocks of threads. */
template <typename Grid, typename Block>
At at(const char* file, uint32_t line, Grid grid, Block block, UbBytes ub, void* stream) {
  At at = {file, line, 0, {0, 0, 0}, {0, 0, 0}, ub.get(), stream};
  Extent<Grid>::get(grid, at.grid);
  Extent<Block>::get(block, at.threads);
  const uint64_t plane = static_cast<uint64_t>(at.grid[0]) * at.grid[1];
  at.blocks = plane > UINT32_MAX ? UINT32_MAX : count_of(plane * at.grid[2]);
  return at;
}

/* A launcher was given no structure. */
inline uint32_t refuse_null(const char* kernel, const char* parameter) {
  char text[256];
  snprintf(text, sizeof text, "the argument '%s' of the kernel %s is null", parameter, kernel);
  aclsimReportError("aclrtlaunch", 107000, text);
  return 107000;
}

inline uint32_t enqueue(const At& at, const aclsimKernelCode& code, const void* args, size_t size) {
  aclsimKernelLaunchRequest request = {};
  request.size = sizeof request;
  request.blocks = at.blocks;
  request.code = &code;
  request.file = at.file;
  request.line = at.line;
  memcpy(request.grid, at.grid, sizeof at.grid);
  memcpy(request.threads, at.threads, sizeof at.threads);
  request.dynamic_ub_bytes = at.dynamic_ub_bytes;
  request.args = args;
  request.args_size = size;
  return aclsimLaunchKernelCode(&request, at.stream);
}

template <typename T>
T load(const void* args, size_t offset) {
  alignas(T) unsigned char bytes[sizeof(T)];
  memcpy(bytes, static_cast<const unsigned char*>(args) + offset, sizeof(T));
  return *reinterpret_cast<T*>(bytes);
}

template <typename... P>
struct Layout {
  static constexpr size_t kCount = sizeof...(P);
  static constexpr uint32_t kSizes[sizeof...(P) + 1] = {static_cast<uint32_t>(sizeof(P))..., 0};

  /* Each parameter begins at a multiple of 8. */
  static constexpr size_t offset(size_t index) {
    const size_t sizes[sizeof...(P) + 1] = {sizeof(P)..., 0};
    size_t at = 0;
    for (size_t i = 0; i < index; ++i) at += (sizes[i] + 7) / 8 * 8;
    return at;
  }
};
#if __cplusplus < 201703L
template <typename... P>
constexpr uint32_t Layout<P...>::kSizes[sizeof...(P) + 1];
#endif

/* The description of one instantiation of a template, whose name is found when it is launched. */
struct TemplateCode {
  aclsimKernelCode code;
  explicit TemplateCode(const aclsimKernelCode& from) : code(from) {}
};

/*
 * "ns::f" and "... [with T = float; int N = 2; uint32_t = unsigned int]", in which the first two
 * are template parameters, make "ns::f<float, 2>". The text stays valid until the process ends,
 * also if the library with the kernel is unloaded.
 */
inline const char* template_name(const char* name, const char* pretty, size_t parameters) {
  const char* at = strstr(pretty, "[with ");
  at = at ? at + 6 : strchr(pretty, '[');
  char* const text = static_cast<char*>(malloc(strlen(name) + strlen(pretty) + 3));
  if (!at || !text) {
    free(text);
    return name;
  }
  char* to = text + strlen(name);
  memcpy(text, name, strlen(name));
  for (size_t i = 0; i < parameters; ++i) {
    const char* const value = strstr(at, " = ");
    if (!value) break;
    size_t length = strcspn(value + 3, ";");
    if (value[3 + length] == 0 && length > 0) --length; /* the ']' at the end */
    memcpy(to, i == 0 ? "<" : ", ", i == 0 ? 1 : 2);
    to += i == 0 ? 1 : 2;
    memcpy(to, value + 3, length);
    to += length;
    at = value + 3 + length;
  }
  memcpy(to, ">", 2);
  const char* const kept = aclsimKeepText(text);
  free(text);
  return kept;
}

template <typename Signature>
struct Kernel;

/* A kernel by its type, described and launched. */
template <typename... P>
struct Kernel<void(P...)> : Layout<P...> {
  using Layout<P...>::offset;

  static constexpr aclsimKernelCode describe(aclsimKernelEntryPoint entry, const char* name,
                                             const char* file, uint32_t line, uint32_t kind) {
    return {sizeof(aclsimKernelCode),
            kind,
            name,
            file,
            line,
            sizeof...(P),
            Layout<P...>::kSizes,
            entry,
            ACLSIM_KERNEL_ARCH,
            ACLSIM_KERNEL_UB_CLAIMED};
  }

  static uint32_t launch(const At& at, const aclsimKernelCode& code, P... values) {
    static_assert(
        std::is_same<
            std::integer_sequence<bool, true, std::is_trivially_copyable<P>::value...>,
            std::integer_sequence<bool, std::is_trivially_copyable<P>::value..., true>>::value,
        "the parameters of a kernel are copied as bytes: no constructors, no virtual functions");
    alignas(8) unsigned char bytes[offset(sizeof...(P)) + 8] = {};
    store(bytes, std::index_sequence_for<P...>(), values...);
    return enqueue(at, code, bytes, offset(sizeof...(P)));
  }

  template <typename Function>
  static void call(Function function, const void* args) {
    call(function, args, std::index_sequence_for<P...>());
  }

 private:
  template <size_t... I>
  static void store(unsigned char* bytes, std::index_sequence<I...>, const P&... values) {
    const int each[] = {
        0, (memcpy(bytes + offset(I), static_cast<const void*>(&values), sizeof(P)), 0)...};
    static_cast<void>(each);
    static_cast<void>(bytes);
  }

  template <typename Function, size_t... I>
  static void call(Function function, const void* args, std::index_sequence<I...>) {
    static_cast<void>(args);
    function(load<P>(args, offset(I))...);
  }
};

/* The function of type aclsimKernelEntryPoint that calls one kernel. */
template <typename Signature, Signature* function>
struct Entry : Kernel<Signature> {
  static void enter(const void* args) { Kernel<Signature>::call(function, args); }

  static constexpr aclsimKernelCode code(const char* name, const char* file, uint32_t line,
                                         uint32_t kind) {
    return Kernel<Signature>::describe(&enter, name, file, line, kind);
  }
  static aclsimKernelCode template_code(const char* name, const char* pretty, size_t parameters,
                                        const char* file, uint32_t line, uint32_t kind) {
    return code(template_name(name, pretty, parameters), file, line, kind);
  }
};

/* Whether the parameter `index` of a kernel can be a workspace. */
template <typename Signature, size_t index>
struct TakesPointer;
template <typename... P, size_t index>
struct TakesPointer<void(P...), index>
    : std::is_pointer<typename std::tuple_element<index, std::tuple<P...>>::type> {};

/* Once for each kernel: that it was given none, and so does nothing. */
inline void tell_no_workspace(const char* kernel, int& told) {
  if (__atomic_exchange_n(&told, 1, __ATOMIC_RELAXED) != 0) return;
  fprintf(stderr, "aclsim: warning: kernel %s: the workspace is null, so the kernel does nothing\n",
          kernel);
}

/* The same for a kernel whose parameter `index` is a workspace: the kernel gets the user's part of
 * it, and is not called if the workspace has no user's part. */
template <typename Signature, Signature* function, size_t index, typename Workspace>
struct EntryWithWorkspace : Kernel<Signature> {
  static void enter(const void* args) {
    constexpr size_t kSize = Kernel<Signature>::offset(Kernel<Signature>::kCount);
    alignas(8) unsigned char own[kSize + 8];
    memcpy(own, args, kSize);
    void* base = nullptr;
    memcpy(&base, own + Kernel<Signature>::offset(index), sizeof base);
    if (!base) return tell_no_workspace(Workspace::kernel(), told_);
    base = Workspace::take(base);
    memcpy(own + Kernel<Signature>::offset(index), &base, sizeof base);
    Kernel<Signature>::call(function, own);
  }

  static constexpr aclsimKernelCode code(const char* name, const char* file, uint32_t line,
                                         uint32_t kind) {
    return Kernel<Signature>::describe(&enter, name, file, line, kind);
  }
  static aclsimKernelCode template_code(const char* name, const char* pretty, size_t parameters,
                                        const char* file, uint32_t line, uint32_t kind) {
    return code(template_name(name, pretty, parameters), file, line, kind);
  }

 private:
  static int told_;
};
template <typename Signature, Signature* function, size_t index, typename Workspace>
int EntryWithWorkspace<Signature, function, index, Workspace>::told_ = 0;

/* ---- kernels by pointer ------------------------------------------------------------------------
 */

/* A kernel is known by its address while its code is loaded. `Text` is a type of the kernel's body
 * whose function code() describes the kernel. */
template <typename Signature, Signature* function, typename Text>
class Known {
 public:
  Known() : code_(Text::code()) { aclsimKnowKernel(address(), &code_); }
  ~Known() { aclsimForgetKernel(address(), &code_); }
  Known(const Known&) = delete;
  Known& operator=(const Known&) = delete;

  static const Known kernel;

 private:
  static const void* address() { return reinterpret_cast<const void*>(function); }
  aclsimKernelCode code_;
};
template <typename Signature, Signature* function, typename Text>
const Known<Signature, function, Text> Known<Signature, function, Text>::kernel;

/* An argument for a parameter of type P: converted as in a call, and 0 makes a null pointer. */
template <typename P, typename T>
typename std::enable_if<
    !(std::is_pointer<P>::value && std::is_integral<typename std::decay<T>::type>::value), P>::type
convert(T&& value) {
  return std::forward<T>(value);
}
template <typename P, typename T>
typename std::enable_if<
    std::is_pointer<P>::value && std::is_integral<typename std::decay<T>::type>::value, P>::type
convert(T&& value) {
  return reinterpret_cast<P>(static_cast<uintptr_t>(value));
}

template <typename... P>
struct ByPointer {
  using Function = void (*)(P...);
  static void call(Function function, P... values) { function(values...); }
  static void enter(const void* args) { Kernel<void(Function, P...)>::call(&call, args); }
  /* The address travels in front of the arguments if the source of the function was not translated.
   */
  static uint32_t launch(const At& at, Function function, P... values) {
    const aclsimKernelCode* const known = aclsimKernelAt(reinterpret_cast<const void*>(function));
    if (known != nullptr) return Kernel<void(P...)>::launch(at, *known, values...);
    static constexpr aclsimKernelCode code = Kernel<void(Function, P...)>::describe(
        &enter, "kernel by pointer", "", 0, ACLSIM_CORES_INFERRED);
    return Kernel<void(Function, P...)>::launch(at, code, function, values...);
  }
};

template <typename... Args>
struct Call {
  At at;
  std::tuple<Args&&...> args;
};

struct Pointer {
  At at;
  template <typename... Args>
  Call<Args...> operator()(Args&&... args) const {
    return {at, std::tuple<Args&&...>(std::forward<Args>(args)...)};
  }
};

/* A pointer and where to launch: called with the arguments of the kernel. */
template <typename... P>
struct Bound {
  void (*function)(P...);
  At at;
  uint32_t operator()(P... values) const {
    return ByPointer<P...>::launch(at, function, values...);
  }
};
template <typename... P>
Bound<P...> pointer(void (*function)(P...), const At& at) {
  return {function, at};
}

/* For the launch of a name that is not a kernel of the source: `function` of a pointer is false. */
template <typename... P>
Bound<P...> named(std::false_type, void (*function)(P...), const At& at) {
  return {function, at};
}
template <typename... P>
__attribute__((unavailable("this function is not a kernel: it lacks __global__"),
               error("this function is not a kernel: it lacks __global__"))) Bound<P...>
named(std::true_type, void (*function)(P...), const At& at);

template <typename... Values>
Pointer pointer(const char* file, uint32_t line, const Values&... values) {
  return {launch::at(file, line, values...)};
}

template <typename... P, typename... Args, size_t... I>
uint32_t launch_pointer(void (*function)(P...), Call<Args...>&& call, std::index_sequence<I...>) {
  return ByPointer<P...>::launch(call.at, function,
                                 convert<P>(std::get<I>(std::move(call.args)))...);
}

template <typename... P, typename... Args>
uint32_t operator->*(void (*function)(P...), Call<Args...>&& call) {
  static_assert(sizeof...(P) == sizeof...(Args), "the kernel takes another number of arguments");
  return launch_pointer(function, std::move(call), std::index_sequence_for<Args...>());
}

}  // namespace launch
}  // namespace aclsim

#endif /* ASCENDC_IMPL_LAUNCHER_H_ */
