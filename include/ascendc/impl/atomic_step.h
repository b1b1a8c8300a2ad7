/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An atomic change of a value in memory, for the scalar unit and for SIMT code.
 */
#ifndef ASCENDC_IMPL_ATOMIC_STEP_H_
#define ASCENDC_IMPL_ATOMIC_STEP_H_

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace aclsim_atomic {

/* Reads, computes and writes in one atomic step. Returns the old value. */
template <typename T, typename Step>
T atomic(T* address, const Step& step) {
  using Word =
      std::conditional_t<sizeof(T) == 8, uint64_t,
                         std::conditional_t<sizeof(T) == 4, uint32_t,
                                            std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>>>;
  Word* const word = reinterpret_cast<Word*>(address);
  Word before = __atomic_load_n(word, __ATOMIC_SEQ_CST);
  for (;;) {
    T old;
    std::memcpy(static_cast<void*>(&old), &before, sizeof old);
    const T next = step(old);
    Word after;
    std::memcpy(&after, static_cast<const void*>(&next), sizeof after);
    if (__atomic_compare_exchange_n(word, &before, after, false, __ATOMIC_SEQ_CST,
                                    __ATOMIC_SEQ_CST)) {
      return old;
    }
  }
}

template <typename T>
struct Same {
  using type = T;
};
/* The type of an argument that the address decides. */
template <typename T>
using same = typename Same<T>::type;

}  // namespace aclsim_atomic

#endif /* ASCENDC_IMPL_ATOMIC_STEP_H_ */
