// SPDX-License-Identifier: Apache-2.0
// Every published function can be found by name in the library given as the only argument.
#include <dlfcn.h>

#include <cstdio>

namespace {

const char* const published_names[] = {
#include ABI_NAMES
};

int report_missing(void* library) {
  int missing = 0;
  for (const char* name : published_names) {
    if (dlsym(library, name) != nullptr) continue;
    std::fprintf(stderr, "not exported: %s\n", name);
    ++missing;
  }
  return missing;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s path/to/library.so\n", argv[0]);
    return 2;
  }
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  const int missing = report_missing(library);
  std::printf("%zu published functions, %d missing\n",
              sizeof published_names / sizeof published_names[0], missing);
  return missing == 0 ? 0 : 1;
}
