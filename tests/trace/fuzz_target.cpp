// SPDX-License-Identifier: Apache-2.0
#include "tests/trace/fuzz_target.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tools/trace/aclt_writer.h"
#include "tools/trace/read_trace.h"
#include "tools/trace/summary.h"

namespace fuzz {

void read_any(const std::string& bytes) {
  std::string native;
  try {
    const trace::Trace it = trace::read_trace_bytes("fuzz", bytes);
    trace::summarise(it);
    native = trace::to_aclt(it);
  } catch (const trace::InputError&) {
    return;
  }
  try {
    const trace::Trace again = trace::read_trace_bytes("written", native);
    if (trace::to_aclt(again) == native) return;
    std::fputs("the trace changed on its way through the native format\n", stderr);
  } catch (const trace::InputError& error) {
    std::fprintf(stderr, "what was written cannot be read: %s\n", error.what());
  }
  std::abort();
}

}  // namespace fuzz

#ifdef ACLSIM_LIBFUZZER
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::read_any(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
#endif
