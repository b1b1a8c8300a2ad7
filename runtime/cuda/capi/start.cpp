// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/capi/entry.h"
#include "runtime/cuda/capi/version.h"

using namespace cuda;

CUDA_EARLY_ENTRY(cuInit, (unsigned int flags), {
  require_zero(flags, "flags");
  Machine::start(caller);
});

CUDA_EARLY_ENTRY(cuDriverGetVersion, (int* version),
                 { require_out(version, "driverVersion") = kDriverVersion; });

CUDA_EARLY_ENTRY(cuGetErrorString, (CUresult error, const char** text), {
  const char*& out = require_out(text, "pStr");
  out = text_of(error);
  if (!out) refuse("error is {}, which is no code", static_cast<int>(error));
});

CUDA_EARLY_ENTRY(cuGetErrorName, (CUresult error, const char** name), {
  const char*& out = require_out(name, "pStr");
  out = name_of(error);
  if (!out) refuse("error is {}, which is no code", static_cast<int>(error));
});
