// SPDX-License-Identifier: Apache-2.0
//
// bisheng: accepts the command lines of the kernel compiler and calls the compilers of the host.
#include <cstring>
#include <iostream>

#include "tools/ascendc/driver.h"
#include "tools/ascendc/launch_names.h"
#include "tools/ascendc/lexer.h"
#include "tools/ascendc/process.h"

int main(int argc, char** argv) {
  try {
    if (argc > 1 && std::strcmp(argv[1], "--asc-require-one-definition") == 0) {
      kernel_compiler::require_one_definition({argv + 2, argv + argc});
      return 0;
    }
    kernel_compiler::run_compiler(kernel_compiler::read_command_line({argv + 1, argv + argc}));
    return 0;
  } catch (const kernel_compiler::StepFailed& failed) {
    return failed.status;
  } catch (const kernel_compiler::SourceError& error) {
    std::cerr << error.what() << '\n';
  } catch (const std::exception& error) {
    std::cerr << "bisheng: error: " << error.what() << '\n';
  }
  return 1;
}
