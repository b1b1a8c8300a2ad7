// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace acl::watch {

/// A mistake, or a doubtful use, that a call finds in its own arguments. Listeners decide whether
/// to report it. The call itself goes on as documented.
enum class Misuse : unsigned char {
  out_of_bounds,        // a range passes the end of its allocation
  no_peer_access,       // a copy between devices without peer access, or one direction
  wrong_direction,      // the kind of a copy contradicts its addresses
  collective_mismatch,  // ranks call operations that do not belong together
  hidden_synchronize,   // an asynchronous copy of pageable memory waits for its stream
};

}  // namespace acl::watch
