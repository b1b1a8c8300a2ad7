// SPDX-License-Identifier: Apache-2.0
// Error handling that the C entries of all libraries above have in common. Each library adds its
// own codes.
#pragma once

#include <cxxabi.h>

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "device_sim/base/sanitizer.h"
#include "runtime/fabric/base/error.h"

namespace fabric {

/// A refused call: the documented code, and a text that names the argument, its value and the
/// expected value.
template <class Code>
class CodedError : public std::exception {
 public:
  CodedError(Code code, std::string text) : code_(code), text_(std::move(text)) {}
  Code code() const noexcept { return code_; }
  const char* what() const noexcept override { return text_.c_str(); }

 private:
  Code code_;
  std::string text_;
};

/// The code that an interface returns for exceptions without a code of their own.
template <class Code>
struct Codes {
  Code (*of_status)(Status) noexcept;
  Code no_memory;
  Code unknown;
};

/// Calls `report(code, text)` for the exception that is being handled. The exception must not be
/// the cancellation of a thread.
template <class Code, class Report>
Code report_exception(const Codes<Code>& codes, Report report) noexcept {
  try {
    throw;
  } catch (const CodedError<Code>& error) {
    return report(error.code(), error.what());
  } catch (const FabricError& error) {
    return report(codes.of_status(error.status()), error.what());
  } catch (const std::bad_alloc&) {
    return report(codes.no_memory, "the host is out of memory");
  } catch (const std::exception& error) {
    return report(codes.unknown, error.what());
  } catch (...) {
    return report(codes.unknown, "an unknown exception");
  }
}

/// Returns the result of `body`, or the result of `otherwise()` if `body` throws. `otherwise` runs
/// inside the handler.
template <class Body, class Otherwise>
SIM_CATCHES_FORCED_UNWIND auto guarded(Body&& body, Otherwise&& otherwise) -> decltype(body()) {
  try {
    return body();
  } catch (abi::__forced_unwind&) {
    throw;  // the calling thread is being cancelled
  } catch (...) {
    return otherwise();
  }
}

}  // namespace fabric
