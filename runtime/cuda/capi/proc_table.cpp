// SPDX-License-Identifier: Apache-2.0
// The table of entries by name. This file includes no declarations of the entries, so one table can
// hold entries of any type.
#include "runtime/cuda/capi/proc_address.h"

#define LEGACY(name, version, symbol) extern "C" void symbol(void);
#define PER_THREAD LEGACY
#include "runtime/cuda/capi/entries.inc"
#undef LEGACY
#undef PER_THREAD

namespace cuda {
namespace {

struct SymbolRow {
  std::string_view name;
  int version;
  bool per_thread;
  void (*function)();
};

#define LEGACY(name, version, symbol) {#name, version, false, symbol},
#define PER_THREAD(name, version, symbol) {#name, version, true, symbol},
constexpr SymbolRow kSymbols[] = {
#include "runtime/cuda/capi/entries.inc"
};
#undef LEGACY
#undef PER_THREAD

}  // namespace

FoundSymbol find_symbol(std::string_view name, int version, bool per_thread) {
  FoundSymbol found;
  const SymbolRow* best = nullptr;
  for (const SymbolRow& row : kSymbols) {
    if (row.name != name) continue;
    found.name_known = true;
    if (row.version > version || (row.per_thread && !per_thread)) continue;
    const bool better = !best || row.per_thread > best->per_thread ||
                        (row.per_thread == best->per_thread && row.version > best->version);
    if (better) best = &row;
  }
  if (best) found.address = reinterpret_cast<void*>(best->function);
  return found;
}

}  // namespace cuda
