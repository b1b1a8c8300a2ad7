// SPDX-License-Identifier: Apache-2.0
// The usual repair for each word of the table of checks in docs/kernels.md.
#include <algorithm>
#include <iterator>
#include <string_view>

#include "runtime/ascendc/launch/report.h"

namespace ascendc {
namespace {

struct Repair {
  std::string_view rule, text;
};

constexpr Repair kRepairs[] = {
    {"argument", "give the argument a value in the range that the message names"},
    {"array-overlap",
     "move the tensors in front of the __ubuf__ arrays, or make the arrays smaller"},
    {"assert", "make the condition hold: check the tiling and the arguments of the launch"},
    {"barrier", "name a pipe of this core, or PIPE_ALL"},
    {"barrier-too-wide", "launch at most as many blocks as the device has cores (GetCoreNumAiv)"},
    {"blocks-gap", "let each block begin where the previous block ends, and copy all its elements"},
    {"blocks-hang", "let every block take part in the barrier, or set the flag that is waited for"},
    {"blocks-race",
     "call SyncAll between the write and the read, or set a flag after the write and wait for it"},
    {"blocks-write-same", "let each block write bytes of its own, or use SetAtomicAdd"},
    {"collective", "call the same collectives on all ranks, as the message expects them"},
    {"copy-tail", "use DataCopyPad for the tail, or copy a multiple of 32 bytes"},
    {"cube-position", "use a position of a memory that the message names"},
    {"division", "check the divisor before the division"},
    {"event-range", "use an event id that FetchEventID or AllocEventID returns"},
    {"flag-cores", "declare the kernel for a mix of cores: __mix__ or KERNEL_TASK_TYPE_DEFAULT"},
    {"flag-left", "add the wait that takes the flag, on each core that the flag is for"},
    {"flag-mode", "use a mode that reaches cores of this kernel, or declare the kernel as a mix"},
    {"flag-never-set", "set the flag before the wait, with the same event and id"},
    {"flag-range", "use a flag that exists, and wait for each set before the next one"},
    {"flag-set-twice", "wait for the flag before it is set again"},
    {"gm-exceeded",
     "check the size that SetGlobalBuffer gets, the offset of the block, and the allocation"},
    {"gm-freed", "synchronise with the stream of the kernel before the memory is freed"},
    {"instruction", "change the argument that the message names to a value that it expects"},
    {"kernel-ended", "check the pointer or the index at this line"},
    {"lane-inactive", "name a lane that calls the function too, or call it outside of the branch"},
    {"local-exceeded", "use smaller tiles or fewer buffers, so that all fit into the memory"},
    {"local-position", "use a position that names a local memory, such as TPosition::VECCALC"},
    {"local-reserved",
     "use smaller tiles, or compile with --cce-disable-vf-stack-reserved-ubuf if no vector "
     "function "
     "needs a stack"},
    {"local-unwritten", "write the bytes first: copy, Duplicate or compute the whole range"},
    {"mask-range", "limit the mask to the lanes of one repeat of the type"},
    {"matmul", "change the shape, type or layout to one that docs/kernels.md lists"},
    {"misaligned", "begin at a multiple of 32 bytes in local memory, or use DataCopyPad"},
    {"move-range", "copy fewer blocks, or split the copy"},
    {"mutex", "call Unlock of the same pipe after each Lock, before the next Lock of the mutex"},
    {"overlap", "copy to bytes that the source does not contain, in two steps if necessary"},
    {"pipe-race", "set a flag after the first access and wait for it before the second one"},
    {"queue", "match each AllocTensor with EnQue, DeQue and FreeTensor of the same queue"},
    {"register-order",
     "call LocalMemBar<MemType::VEC_STORE, MemType::VEC_LOAD> between the store and the load"},
    {"register-pending",
     "call StoreUnAlignPost after the last StoreUnAlign of a range, and LoadUnAlignPre first"},
    {"tensor-empty", "allocate the tensor (InitBuffer and Get or AllocTensor), or SetGlobalBuffer"},
    {"tensor-exceeded", "use fewer elements or a smaller offset, or make the tensor larger"},
    {"tensor-freed", "move FreeTensor after the last use of the tensor"},
    {"tensor-left", "call DeQue and FreeTensor for each tensor before the kernel ends"},
    {"threads", "launch a number of threads that the message allows"},
    {"threads-apart", "let all threads of the block call the same asc_syncthreads"},
    {"threads-hang", "let all threads of the block reach asc_syncthreads"},
    {"trap", "remove the cause of the trap: the kernel itself calls it at this line"},
    {"two-pipes", "use one TPipe, or call Destroy on the first one before the second is made"},
    {"unit-flag",
     "set a unitFlag of 3 in the last Mmad of a tile and in the Fixpipe that follows it"},
    {"unknown-instruction", "build the kernel with the headers of this version of the library"},
};

}  // namespace

std::string_view usual_repair(std::string_view rule) {
  const auto* const row = std::find_if(std::begin(kRepairs), std::end(kRepairs),
                                       [&](const Repair& one) { return one.rule == rule; });
  return row == std::end(kRepairs) ? std::string_view() : row->text;
}

}  // namespace ascendc
