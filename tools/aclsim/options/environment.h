// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace aclsim {

/// The parent of the folder that contains this program, ASCEND_HOME_PATH in set_env.sh. Empty if it
/// is unknown.
std::filesystem::path installation_root();

/// Puts the libraries of this installation first in LD_LIBRARY_PATH. If the installation has none,
/// a message that begins with `verb` reports this. `cuda`: includes the library of CUDA's driver.
void use_own_libraries(const std::string& verb, bool cuda = false);

/// Prevents timelines of this process and of its child processes.
void unset_timeline();

}  // namespace aclsim
