// SPDX-License-Identifier: Apache-2.0
// The functions of shmem._pyshmem, one row each. Nothing else says what they take and return.
#pragma once

#include <vector>

#include "pyshmem/entry.h"

namespace pyshmem {

using Rows = std::vector<Row>;

// Each adds its part.
void add_session(Rows& rows);    // init, TLS, logs
void add_memory(Rows& rows);     // heap, teams
void add_transfers(Rows& rows);  // put, get, signals, streams
void add_waits(Rows& rows);      // waits and tests of words

}  // namespace pyshmem
