// SPDX-License-Identifier: Apache-2.0
// Functions of acl.mdl, acl.op and acl.media that are not emulated. They exist, accept any
// arguments, and return results of their usual shape: 207000 as the code, else 0 or empty.
#pragma once

#include <cstddef>

#include "pyacl/python.h"

namespace pyacl {

struct Refusal {
  const char* name;     // "acl.mdl.load_from_file"
  const char* results;  // "model_id, ret"; "None" for nothing
  const char* kinds;    // one letter for each result, see give_refused (refusals.cpp)
};

std::size_t refusal_count();
const Refusal& refusal(std::size_t number);
PyCFunctionWithKeywords refusal_function(std::size_t number);
/// The types of the results for stubs: a list of strings.
PyObject* refusal_types(const Refusal& row);

}  // namespace pyacl
