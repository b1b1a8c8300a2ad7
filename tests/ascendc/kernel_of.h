// SPDX-License-Identifier: Apache-2.0
// A launch as translated sources make it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "acl/acl.h"
#include "ascendc/impl/launch.h"

namespace launched {

template <auto kernel, class... P>
void call(const void* args) {
  const char* at = static_cast<const char*>(args);
  const auto next = [&](auto* type) {
    std::remove_reference_t<decltype(*type)> value;
    std::memcpy(&value, at, sizeof value);
    at += (sizeof value + 7) / 8 * 8;
    return value;
  };
  std::tuple<P...> values{next(static_cast<P*>(nullptr))...};
  std::apply(kernel, values);
}

}  // namespace launched

/// A kernel as a translated source declares it.
template <auto kernel, class Signature = decltype(kernel)>
struct KernelOf;
template <auto kernel, class... P>
struct KernelOf<kernel, void (*)(P...)> {
  static std::uint32_t enqueue(const char* name, std::uint32_t kind, std::uint32_t blocks,
                               aclrtStream stream, P... values, const char* file = __builtin_FILE(),
                               int line = __builtin_LINE()) {
    const aclsimKernelCode& code = code_of(name, kind);
    std::vector<char> args;
    const auto add = [&](const auto& value) {
      const std::size_t at = args.size();
      args.resize(at + (sizeof value + 7) / 8 * 8);
      std::memcpy(args.data() + at, &value, sizeof value);
    };
    (add(values), ...);
    aclsimKernelLaunchRequest request{};
    request.size = sizeof request;
    request.blocks = blocks;
    request.code = &code;
    request.args = args.data();
    request.args_size = args.size();
    request.file = file;
    request.line = static_cast<std::uint32_t>(line);
    return aclsimLaunchKernelCode(&request, stream);
  }

 private:
  // One for each way to launch it: earlier launches may still read theirs, and reports at the end
  // of the process.
  static const aclsimKernelCode& code_of(const char* name, std::uint32_t kind) {
    static auto& codes = *new std::map<std::pair<std::string, std::uint32_t>, aclsimKernelCode>;
    const auto [at, added] = codes.try_emplace({name, kind});
    if (added) {
      at->second = {sizeof(aclsimKernelCode),
                    kind,
                    at->first.first.c_str(),
                    "test.cpp",
                    1,
                    0,
                    nullptr,
                    launched::call<kernel, P...>,
                    0,
                    0};
    }
    return at->second;
  }
};
