// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace aclsim {

/// The folder above the one of this program: what set_env.sh calls ASCEND_HOME_PATH. Empty when it
/// cannot be told.
std::filesystem::path installation_root();

/// Puts the libraries of this installation, beside this program, before all others. `verb` begins
/// the complaint when there are none. `cuda`: that of CUDA's driver too.
void use_own_libraries(const std::string& verb, bool cuda = false);

/// No timeline is written by what this process does or starts.
void unset_timeline();

}  // namespace aclsim
