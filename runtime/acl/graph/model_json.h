// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace acl {

class Model;

/// The model as the picture that graph viewers and importers know: an array of slices, one lane for
/// each stream, a slot of 10 us for each task; `verbose` adds what kernels were launched with.
std::string model_json(Model& model, bool verbose);

/// Raises ACL_ERROR_INVALID_FILE when the file cannot be written.
void write_model_json(Model& model, const char* path, bool verbose);

}  // namespace acl
