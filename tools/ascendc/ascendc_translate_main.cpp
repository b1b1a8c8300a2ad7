// SPDX-License-Identifier: Apache-2.0
//
// ascendc_translate [--launchers] < PREPROCESSED > C++: the translator without a compiler.
#include <iostream>
#include <iterator>

#include "tools/ascendc/translate.h"

int main(int argc, char** argv) {
  kernel_compiler::TranslateOptions options;
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--launchers") {
      options.launchers = true;
    } else {
      std::cerr << "ascendc_translate: unknown option '" << argv[i]
                << "'; usage: ascendc_translate [--launchers] < PREPROCESSED > C++\n";
      return 2;
    }
  }
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  try {
    std::cout << kernel_compiler::translate(text, "<stdin>", options).text;
  } catch (const kernel_compiler::SourceError& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return std::cout.flush() ? 0 : 1;
}
