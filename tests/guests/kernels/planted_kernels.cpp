// SPDX-License-Identifier: Apache-2.0
// Mistakes with AscendC kernels, each with its twin: `planted_kernels NAME [ok]`; with ok the
// program is right.
#include <acl/acl.h>
#include <acl/acl_rt_memory_soma.h>

#include <map>
#include <string>

#include "ascendc/kernel_operator.h"
#include "tests/ascendc/kernel_of.h"
#include "tests/guests/planted_desk.h"

namespace {

using namespace AscendC;

constexpr int32_t kPart = 64;  // elements that a kernel works on

GlobalTensor<int32_t> part_of(GM_ADDR memory, int32_t part) {
  GlobalTensor<int32_t> tensor;
  tensor.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(memory) + part * kPart, kPart);
  return tensor;
}

void reads(GM_ADDR memory, int32_t part) {
  const LocalTensor<int32_t> t(TPosition::VECCALC, 0, kPart);
  DataCopy(t, part_of(memory, part), kPart);
}

void stores(GM_ADDR memory, int32_t part, int32_t value) {
  const LocalTensor<int32_t> t(TPosition::VECCALC, 0, kPart);
  Duplicate(t, value, kPart);
  PipeBarrier<PIPE_ALL>();
  DataCopy(part_of(memory, part), t, kPart);
}

void writes(GM_ADDR memory, int32_t part) { stores(memory, part, part); }

void adds(GM_ADDR memory, int32_t part) {
  SetAtomicAdd<int32_t>();
  stores(memory, part, 1);
  SetAtomicNone();
}

void moves(GM_ADDR from, GM_ADDR to, int32_t part) {
  const LocalTensor<int32_t> t(TPosition::VECCALC, 0, kPart);
  DataCopy(t, part_of(from, part), kPart);
  PipeBarrier<PIPE_ALL>();
  DataCopy(part_of(to, part), t, kPart);
}

void writes_by_pointer(GM_ADDR memory, int32_t part) {
  reinterpret_cast<__gm__ int32_t*>(memory)[part * kPart] = 1;
}

void writes_both_ways(GM_ADDR by_pointer, GM_ADDR by_tensor, int32_t part) {
  writes_by_pointer(by_pointer, part);
  part_of(by_tensor, part).SetValue(0, 1);
}

/// It finds in memory what it works on.
void reads_where_told(GM_ADDR table, int32_t part) {
  reads(reinterpret_cast<GM_ADDR>(*reinterpret_cast<__gm__ uint64_t*>(table)), part);
}

GM_ADDR at(const void* memory) { return static_cast<GM_ADDR>(const_cast<void*>(memory)); }

#define LAUNCH(kernel, stream, ...) \
  MUST(KernelOf<&kernel>::enqueue(#kernel, ACLSIM_CORES_INFERRED, 1, stream, __VA_ARGS__))

struct Filled : Desk {
  Filled() {
    for (void* memory : {x, y, z}) MUST(aclrtMemset(memory, kBytes, 1, kBytes));
  }
};

void written_twice(bool ok) {
  const Filled desk;
  LAUNCH(writes, desk.a, at(desk.x), 0);
  LAUNCH(writes, desk.b, at(desk.x), ok ? 1 : 0);
}

void read_too_early(bool ok) {
  const Filled desk;
  LAUNCH(writes, desk.a, at(desk.x), 2);
  if (ok) order(desk.a, desk.b);
  LAUNCH(reads, desk.b, at(desk.x), 2);
}

// By its arguments alone it may write x as well.
void written_while_read(bool ok) {
  const Filled desk;
  LAUNCH(moves, desk.a, at(desk.x), at(desk.y), 0);
  if (ok) order(desk.a, desk.b);
  LAUNCH(writes, desk.b, at(desk.x), 0);
}

void read_by_both(bool) {
  const Filled desk;
  LAUNCH(reads, desk.a, at(desk.x), 0);
  LAUNCH(reads, desk.b, at(desk.x), 0);
}

// Kernels that add do not conflict with each other.
void added_and_read(bool ok) {
  const Filled desk;
  LAUNCH(adds, desk.a, at(desk.x), 0);
  LAUNCH(adds, desk.b, at(desk.x), 0);
  if (!ok) LAUNCH(reads, desk.b, at(desk.x), 0);
}

void copied_too_early(bool ok) {
  const Filled desk;
  LAUNCH(writes, desk.a, at(desk.x), 0);
  if (ok) MUST(aclrtSynchronizeStream(desk.a));
  int32_t out[kPart];
  MUST(aclrtMemcpy(out, sizeof out, desk.x, sizeof out, ACL_MEMCPY_DEVICE_TO_HOST));
}

void captured(bool ok) {
  const Filled desk;
  aclmdlRI graph = nullptr;
  MUST(aclmdlRICaptureBegin(desk.a, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL));
  LAUNCH(writes, desk.a, at(desk.x), 0);
  MUST(aclmdlRICaptureEnd(desk.a, &graph));
  MUST(aclmdlRIExecuteAsync(graph, desk.a));
  LAUNCH(reads, desk.b, at(desk.x), ok ? 1 : 0);
  MUST(aclrtSynchronizeStream(desk.a));
  MUST(aclmdlRIDestroy(graph));
}

void never_written(bool ok) {
  const Desk desk;
  if (ok) MUST(aclrtMemset(desk.x, kBytes, 1, kBytes));
  LAUNCH(moves, desk.a, at(desk.x), at(desk.y), 0);
}

// A kernel that was given memory may have written it by pointers.
void perhaps_written(bool) {
  const Desk desk;
  LAUNCH(writes_both_ways, desk.a, at(desk.x), at(desk.y), 0);
  LAUNCH(reads, desk.a, at(desk.x), 1);
}

// A kernel that works on memory which it was not given may have written anywhere.
void perhaps_written_anywhere(bool) {
  const Desk desk;
  MUST(aclrtMemset(desk.y, kBytes, 1, kBytes));
  MUST(aclrtMemcpy(desk.x, sizeof desk.y, &desk.y, sizeof desk.y, ACL_MEMCPY_HOST_TO_DEVICE));
  LAUNCH(reads_where_told, desk.a, at(desk.x), 0);
  LAUNCH(reads, desk.a, at(desk.z), 0);
}

// Its writes are not known.
void written_by_pointer(bool ok) {
  const Filled desk;
  LAUNCH(writes_by_pointer, desk.a, at(desk.x), 0);
  if (ok) order(desk.a, desk.b);
  LAUNCH(reads, desk.b, at(desk.x), 0);
}

// The same addresses are three allocations one after the other before any of the kernels runs.
void from_a_pool(bool ok) {
  const Filled desk;
  aclrtMemPool pool = nullptr;
  aclrtMemPoolProps props = {};
  props.allocType = ACL_MEM_ALLOCATION_TYPE_PINNED;
  props.location = {0, ACL_MEM_LOCATION_TYPE_DEVICE};
  MUST(aclrtMemPoolCreate(&pool, &props));
  aclrtNotify go = nullptr;
  MUST(aclrtCreateNotify(&go, 0));
  MUST(aclrtWaitAndResetNotify(go, desk.a, 0));
  for (int i = 0; i < 3; ++i) {
    void* memory = nullptr;
    MUST(aclrtMemPoolMallocAsync(&memory, kBytes, pool, desk.a));
    if (i == 1) order(desk.a, desk.b);  // the allocation comes first, the kernel need not
    LAUNCH(writes, desk.a, at(memory), 0);
    if (i == 1) {
      if (ok) order(desk.a, desk.b);
      LAUNCH(reads, desk.b, at(memory), 0);
      order(desk.b, desk.a);
    }
    MUST(aclrtMemPoolFreeAsync(memory, desk.a));
  }
  MUST(aclrtRecordNotify(go, nullptr));
  MUST(aclrtSynchronizeStream(desk.a));
  MUST(aclrtDestroyNotify(go));
  MUST(aclrtMemPoolDestroy(pool));
}

void stores_at_once(GM_ADDR memory, int32_t barrier) {
  const LocalTensor<int32_t> t(TPosition::VECCALC, 0, kPart);
  Duplicate(t, 1, kPart);
  if (barrier != 0) PipeBarrier<PIPE_ALL>();
  DataCopy(part_of(memory, 0), t, kPart);
}

void stores_nothing(GM_ADDR memory, int32_t fill) {
  const LocalTensor<int32_t> t(TPosition::VECCALC, 0, kPart);
  if (fill != 0) Duplicate(t, 1, kPart);
  PipeBarrier<PIPE_ALL>();
  DataCopy(part_of(memory, 0), t, kPart);
}

void pipes_race(bool ok) {
  const Filled desk;
  LAUNCH(stores_at_once, desk.a, at(desk.x), ok ? 1 : 0);
}

void local_memory_unwritten(bool ok) {
  const Filled desk;
  LAUNCH(stores_nothing, desk.a, at(desk.x), ok ? 1 : 0);
}

void copies(GM_ADDR memory, int32_t count) {
  const LocalTensor<int32_t> t(TPosition::VECCALC, 0, kPart);
  DataCopy(t, part_of(memory, 0), static_cast<uint32_t>(count));
}

void tail_dropped(bool ok) {
  const Filled desk;
  LAUNCH(copies, desk.b, at(desk.x), ok ? 16 : 10);
}

void pipes_race_in_graph(bool ok) {
  const Filled desk;
  aclmdlRI graph = nullptr;
  MUST(aclmdlRICaptureBegin(desk.a, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL));
  LAUNCH(stores_at_once, desk.a, at(desk.x), ok ? 1 : 0);
  MUST(aclmdlRICaptureEnd(desk.a, &graph));
  MUST(aclmdlRIExecuteAsync(graph, desk.a));
  MUST(aclrtSynchronizeStream(desk.a));
  MUST(aclmdlRIDestroy(graph));
}

#define PROGRAM(name) \
  { #name, name }
const std::map<std::string, void (*)(bool)> kPrograms = {
    PROGRAM(written_twice),      PROGRAM(read_too_early),
    PROGRAM(written_while_read), PROGRAM(read_by_both),
    PROGRAM(added_and_read),     PROGRAM(copied_too_early),
    PROGRAM(captured),           PROGRAM(never_written),
    PROGRAM(perhaps_written),    PROGRAM(perhaps_written_anywhere),
    PROGRAM(written_by_pointer), PROGRAM(from_a_pool),
    PROGRAM(pipes_race),         PROGRAM(local_memory_unwritten),
    PROGRAM(tail_dropped),       PROGRAM(pipes_race_in_graph),
};

}  // namespace

int main(int argc, char** argv) {
  const auto program = kPrograms.find(argc > 1 ? argv[1] : "");
  if (program == kPrograms.end()) return 8;
  program->second(argc > 2);
  return 0;
}
