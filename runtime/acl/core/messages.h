// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace acl {

/// Adds the text of a failed call to the unread texts, newest first. Each thread has its own texts,
/// unless they are shared.
void keep_message(const std::string& line);
/// Null when there are none; valid until the calling thread asks again.
const char* take_messages();
/// Makes all threads share their texts, or ends that.
void share_messages(bool shared);

}  // namespace acl
