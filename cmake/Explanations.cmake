# SPDX-License-Identifier: Apache-2.0
# Writes generated/explain.inc and generated/error_codes.inc: pages of the documents as C++ literals, for
# `aclsim explain`.
function(page_as_literal page literal)
  set(page ${PROJECT_SOURCE_DIR}/docs/${page})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
  file(READ ${page} text)
  string(LENGTH "${text}" size)
  set(pieces "")
  set(at 0)
  while(at LESS size) # compilers limit the length of one literal
    string(SUBSTRING "${text}" ${at} 8000 piece)
    string(APPEND pieces "R\"page(${piece})page\"\n")
    math(EXPR at "${at} + 8000")
  endwhile()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${literal} CONTENT "@pieces@" @ONLY)
endfunction()

page_as_literal(explain.md explain.inc)
page_as_literal(error-codes.md error_codes.inc)
