// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace acl {

/// The texts of failed calls that nobody has read yet, newest first: each thread has its own,
/// unless they are shared.
void keep_message(const std::string& line);
/// Null when there are none; valid until the calling thread asks again.
const char* take_messages();
/// From here on texts are those of all threads, or of each again.
void share_messages(bool shared);

}  // namespace acl
