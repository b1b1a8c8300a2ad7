/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of the standard library that kernels name as AscendC::Std.
 */
#ifndef ASCENDC_IMPL_STD_H_
#define ASCENDC_IMPL_STD_H_

#include <tuple>
#include <type_traits>

namespace AscendC {
namespace Std {
using std::conditional;
using std::conditional_t;
using std::enable_if;
using std::enable_if_t;
using std::get;
using std::integral_constant;
using std::is_same;
using std::is_same_v;
using std::make_tuple;
using std::tuple;
using std::tuple_element;
using std::tuple_size;
}  // namespace Std
}  // namespace AscendC

#endif /* ASCENDC_IMPL_STD_H_ */
