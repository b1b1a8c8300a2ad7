# SPDX-License-Identifier: Apache-2.0
# The names of chips, and the architecture that the kernel compiler uses for each.
set(_ascendc_socs_2201
  Ascend910B1 Ascend910B2 Ascend910B2C Ascend910B3 Ascend910B4 Ascend910B4-1
  Ascend910_9391 Ascend910_9381 Ascend910_9372 Ascend910_9392 Ascend910_9382 Ascend910_9362)
set(_ascendc_socs_3510 Ascend950PR_9589 Ascend950PR_9599 Ascend950DT_9591 Ascend950DT_9595)
set(_ascendc_socs_1001
  Ascend910A Ascend910ProA Ascend910B Ascend910ProB Ascend910PremiumA)
set(_ascendc_socs_2002 Ascend310P1 Ascend310P3 Ascend310P5 Ascend310P7)
set(_ascendc_socs_3002 Ascend310B1 Ascend310B2 Ascend310B3 Ascend310B4)

# ascendc_architecture_of(OUT SOC_VERSION): dav-2201 and so on; empty for a chip that is unknown.
function(ascendc_architecture_of out soc)
  string(TOLOWER "${soc}" soc)
  set(${out} "" PARENT_SCOPE)
  if(soc MATCHES "^ascend950(pr|dt)_[0-9a-z]+$")
    set(${out} dav-3510 PARENT_SCOPE)
  endif()
  foreach(number 2201 3510 1001 2002 3002)
    foreach(known IN LISTS _ascendc_socs_${number})
      string(TOLOWER "${known}" known)
      if(soc STREQUAL known)
        set(${out} dav-${number} PARENT_SCOPE)
      endif()
    endforeach()
  endforeach()
endfunction()

function(ascendc_list_socs out)
  string(REPLACE ";" ", " list "${_ascendc_socs_2201};Ascend950PR_*;Ascend950DT_*;${_ascendc_socs_1001};${_ascendc_socs_2002};${_ascendc_socs_3002}")
  set(${out} "${list}" PARENT_SCOPE)
endfunction()
