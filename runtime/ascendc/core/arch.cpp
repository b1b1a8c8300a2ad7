// SPDX-License-Identifier: Apache-2.0
#include "runtime/ascendc/core/arch.h"

#include <algorithm>
#include <iterator>

#include "ascendc/impl/cube.h"
#include "ascendc/impl/launch.h"

namespace ascendc {
namespace {

constexpr Arch k2201{2201,
                     {{{"UB", 196608, 32},
                       {"L1", 524288, 32},
                       {"L0A", 65536, 512},
                       {"L0B", 65536, 512},
                       {"L0C", 131072, 64},
                       {"BIAS", 1024, 64},
                       {"FIXBUF", 7168, 64},
                       {"L0A_MX", 0, 32},
                       {"L0B_MX", 0, 32},
                       {"L0B_INDEX", 16384, 128}}}};
// The stack of vector functions uses 6 KiB of 256 KiB, and the library 2 KiB.
constexpr std::uint32_t kUb3510 = 262144;
constexpr std::uint32_t kReserved3510 = 8192;
constexpr Arch make_3510(std::uint32_t claimed) {
  return {3510,
          {{{"UB", kUb3510 - kReserved3510 + claimed, 32, kReserved3510 - claimed},
            {"L1", 524288, 32},
            {"L0A", 65536, 512},
            {"L0B", 65536, 512},
            {"L0C", 262144, 64},
            {"BIAS", 4096, 64},
            {"FIXBUF", 4096, 64},
            {"L0A_MX", 4096, 32},
            {"L0B_MX", 4096, 32},
            {"L0B_INDEX", 0, 128}}}};
}
// By the bytes that a program claims: of neither, of the library, of the stack, of both.
constexpr Arch k3510[] = {make_3510(0), make_3510(2048), make_3510(6144), make_3510(kReserved3510)};

static_assert(static_cast<std::uint32_t>(Memory::fixpipe) == ACLSIM_MEMORY_FIXPIPE);

// By TPosition: GM A1 A2 B1 B2 C1 C2 CO1 CO2 VECIN VECOUT VECCALC SPM TSCM C2PIPE2GM C2PIPE2LOCAL.
constexpr Memory kPositions[] = {Memory::count, Memory::l1, Memory::l0a,     Memory::l1,
                                 Memory::l0b,   Memory::l1, Memory::bias,    Memory::l0c,
                                 Memory::count, Memory::ub, Memory::ub,      Memory::ub,
                                 Memory::l1,    Memory::l1, Memory::fixpipe, Memory::fixpipe};

constexpr const char* kPipeNames[] = {"S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX"};

#define ACLSIM_EVENT(FROM, TO, from, to) \
  { #FROM "_" #TO, Pipe::from, Pipe::to }
constexpr EventPipes kEventPipes[] = {ACLSIM_EVENT(MTE2, MTE1, mte2, mte1),
                                      ACLSIM_EVENT(MTE1, MTE2, mte1, mte2),
                                      ACLSIM_EVENT(MTE1, M, mte1, m),
                                      ACLSIM_EVENT(M, MTE1, m, mte1),
                                      ACLSIM_EVENT(MTE2, V, mte2, v),
                                      ACLSIM_EVENT(V, MTE2, v, mte2),
                                      ACLSIM_EVENT(MTE3, V, mte3, v),
                                      ACLSIM_EVENT(V, MTE3, v, mte3),
                                      ACLSIM_EVENT(M, V, m, v),
                                      ACLSIM_EVENT(V, M, v, m),
                                      ACLSIM_EVENT(V, V, v, v),
                                      ACLSIM_EVENT(MTE3, MTE1, mte3, mte1),
                                      ACLSIM_EVENT(MTE1, MTE3, mte1, mte3),
                                      ACLSIM_EVENT(MTE1, V, mte1, v),
                                      ACLSIM_EVENT(MTE2, M, mte2, m),
                                      ACLSIM_EVENT(M, MTE2, m, mte2),
                                      ACLSIM_EVENT(V, MTE1, v, mte1),
                                      ACLSIM_EVENT(M, FIX, m, fix),
                                      ACLSIM_EVENT(FIX, M, fix, m),
                                      ACLSIM_EVENT(MTE3, MTE2, mte3, mte2),
                                      ACLSIM_EVENT(MTE2, MTE3, mte2, mte3),
                                      ACLSIM_EVENT(S, V, s, v),
                                      ACLSIM_EVENT(V, S, v, s),
                                      ACLSIM_EVENT(S, MTE2, s, mte2),
                                      ACLSIM_EVENT(MTE2, S, mte2, s),
                                      ACLSIM_EVENT(S, MTE3, s, mte3),
                                      ACLSIM_EVENT(MTE3, S, mte3, s),
                                      ACLSIM_EVENT(MTE2, FIX, mte2, fix),
                                      ACLSIM_EVENT(FIX, MTE2, fix, mte2),
                                      ACLSIM_EVENT(FIX, S, fix, s),
                                      ACLSIM_EVENT(M, S, m, s),
                                      ACLSIM_EVENT(FIX, MTE3, fix, mte3),
                                      ACLSIM_EVENT(MTE1, FIX, mte1, fix),
                                      ACLSIM_EVENT(FIX, MTE1, fix, mte1),
                                      ACLSIM_EVENT(FIX, FIX, fix, fix),
                                      ACLSIM_EVENT(FIX, V, fix, v),
                                      ACLSIM_EVENT(V, FIX, v, fix)};
#undef ACLSIM_EVENT
static_assert(std::size(kEventPipes) == kEvents);

}  // namespace

const Arch& arch_of(std::uint32_t number, std::uint32_t claimed) noexcept {
  if (number != 3510) return k2201;
  const auto* const arch = std::find_if(std::begin(k3510), std::end(k3510), [&](const Arch& one) {
    return one.memories[0].reserved + claimed == kReserved3510;
  });
  return arch == std::end(k3510) ? k3510[0] : *arch;
}

Memory memory_of(std::uint32_t position) noexcept {
  if (position == ACLSIM_POSITION_SCALES_A) return Memory::scales_a;
  if (position == ACLSIM_POSITION_SCALES_B) return Memory::scales_b;
  if (position == ACLSIM_POSITION_INDEX) return Memory::index;
  return position < std::size(kPositions) ? kPositions[position] : Memory::count;
}

const char* name(Pipe pipe) noexcept {
  return pipe < Pipe::count ? kPipeNames[static_cast<std::size_t>(pipe)] : "?";
}

Pipe pipe_of(std::uint32_t pipe) noexcept {
  if (pipe == 10) return Pipe::fix;
  return pipe < 6 ? static_cast<Pipe>(pipe) : Pipe::count;
}

const EventPipes* event_of(std::uint32_t event) noexcept {
  return event < kEvents ? &kEventPipes[event] : nullptr;
}

const EventPipes* event_between(Pipe from, Pipe to) noexcept {
  for (const EventPipes& event : kEventPipes) {
    if (event.from == from && event.to == to) return &event;
  }
  return nullptr;
}

}  // namespace ascendc
