/* SPDX-License-Identifier: Apache-2.0 */
#ifndef SUM_OF_LIST_KEYS_H_
#define SUM_OF_LIST_KEYS_H_
#include "ascendc/host_api/tiling/template_argument.h"

ASCENDC_TPL_ARGS_DECL(SumOfList, ASCENDC_TPL_DATATYPE_DECL(T, ASCENDC_TPL_INPUT(0)),
                      ASCENDC_TPL_UINT_DECL(TIMES, ASCENDC_TPL_4_BW, ASCENDC_TPL_UI_LIST, 5, 3),
                      ASCENDC_TPL_BOOL_DECL(NEGATIVE, 0, 1), );
ASCENDC_TPL_SEL(ASCENDC_TPL_ARGS_SEL(ASCENDC_TPL_DATATYPE_SEL(T, ASCENDC_TPL_INPUT(0)),
                                     ASCENDC_TPL_UINT_SEL(TIMES, ASCENDC_TPL_UI_LIST, 3),
                                     ASCENDC_TPL_BOOL_SEL(NEGATIVE, 0, 1), ), );

struct SumOfListTiling {
  uint64_t tensors;
  uint64_t length;
  uint64_t values;
};

#endif /* SUM_OF_LIST_KEYS_H_ */
