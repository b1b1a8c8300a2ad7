// SPDX-License-Identifier: Apache-2.0
//
// Tests of the command lines of bisheng and of the host compiler's command lines that result.
#include <algorithm>
#include <stdexcept>

#include "tests/support/catch.h"
#include "tools/ascendc/command_line.h"
#include "tools/ascendc/passes.h"

using namespace kernel_compiler;

namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

CommandLine read(const std::string& text) { return read_command_line(words_of(text)); }

std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

bool has(const std::vector<std::string>& words, const std::string& wanted) {
  const auto parts = words_of(wanted);
  return std::search(words.begin(), words.end(), parts.begin(), parts.end()) != words.end();
}

std::string kernels_of(const CommandLine& line) {
  std::string list;
  for (const Item& item : line.items) {
    if (item.kernels) list += item.text + " ";
  }
  return list;
}

}  // namespace

TEST_CASE("kernels alone are compiled so that they can be linked into a file to load",
          "[command]") {
  for (const char* option : {"--aicore-only", "--cce-aicore-only"}) {
    const CommandLine line = read(std::string("-c k.asc ") + option);
    CHECK(has(compile_arguments(line, "k.ii", "k.o"), "-fPIC"));
    CHECK(!has(compile_arguments(line, "k.ii", "k.o"), option));
  }
  CHECK(!has(compile_arguments(read("-c k.asc"), "k.ii", "k.o"), "-fPIC"));
}

TEST_CASE("sources of kernels are .asc files and what -x asc says", "[command]") {
  CHECK(kernels_of(read("add.asc -o demo --npu-arch=dav-2201")) == "add.asc ");
  CHECK(kernels_of(read("main.cpp k.asc -o demo")) == "k.asc ");
  CHECK(kernels_of(read("-x asc file.cpp -o demo")) == "file.cpp ");
  CHECK(kernels_of(read("-x asc a.cpp -x c++ b.cpp -xasc c.cpp")) == "a.cpp c.cpp ");
  CHECK(kernels_of(read("-o a.o -c --asc-aicore-lang a.cpp")) == "a.cpp ");
  CHECK(kernels_of(read("-I k.asc -c main.cpp")).empty());
}

TEST_CASE("each goal has its option", "[command]") {
  CHECK(read("a.asc").goal == Goal::link);
  CHECK(read("-dc a.asc -o a.o").goal == Goal::compile);
  CHECK(read("-c a.asc").goal == Goal::compile);
  CHECK(read("-lib a.asc -o liba.a").goal == Goal::archive);
  CHECK(read("-shared a.asc -o liba.so").goal == Goal::link);
  CHECK(read("-E a.asc").goal == Goal::preprocess);
  CHECK(read("-MM a.asc").goal == Goal::preprocess);
}

TEST_CASE("the architecture becomes __NPU_ARCH__, and an unknown one is refused", "[command]") {
  const auto line = read("--npu-arch=dav-3510 -c a.asc");
  CHECK(has(preprocess_arguments(line, line.items[0], "/p", pass_definitions(Pass::vector, line),
                                 {"t.ii", {}}, "a.o"),
            "-D__NPU_ARCH__=3510"));
  CHECK(read("--npu-arch dav-2002 -c a.asc").arch == "dav-2002");
  CHECK(refusal("--npu-arch=dav-9 a.asc") ==
        "--npu-arch=dav-9 is unknown; expected dav-2201, dav-3510, dav-2002, dav-1001, dav-3002");
  CHECK(refusal("--npu-arch") == "--npu-arch has no value");
  CHECK(refusal("--run-mode=gpu a.asc") == "--run-mode=gpu is unknown; expected npu, cpu or sim");
}

TEST_CASE("two options give the reserved parts of the unified buffer to the program", "[command]") {
  const auto claimed = [](const std::string& arguments) {
    const auto definitions = pass_definitions(Pass::vector, read(arguments + " -c a.asc"));
    const std::string name = "-DACLSIM_UB_CLAIMED=";
    for (const std::string& one : definitions) {
      if (one.starts_with(name)) return one.substr(name.size());
    }
    return std::string();
  };
  const std::string library = " --cce-disable-asc-reserved-ubuf";
  const std::string stack = " --cce-disable-vf-stack-reserved-ubuf";
  CHECK(claimed("--npu-arch=dav-3510") == "0");
  CHECK(claimed("--npu-arch=dav-3510" + library) == "2048");
  CHECK(claimed("--npu-arch=dav-3510" + stack) == "6144");
  CHECK(claimed("--npu-arch=dav-3510 -Xaicore-start" + library + stack + " -Xaicore-end") ==
        "8192");
  CHECK(claimed("--npu-arch=dav-2201" + library + stack) == "256");
}

TEST_CASE("options for the device alone go, what they define stays", "[command]") {
  const auto line = read(
      "-Xaicore-start -O3 -DDEVICE=1 -mllvm -x -Iinc -Xaicore-end -Xhost-start -O1 -Xhost-end "
      "--cce-disable-asc-reserved-ubuf -mllvm -cce-aicore-jump-expand=true --enable-simt a.asc");
  const auto words = preprocess_arguments(line, {"a.asc", true}, "/p", {}, {"t.ii", {}}, "a.o");
  CHECK(has(words, "-DDEVICE=1 -Iinc -O1"));
  CHECK_FALSE(has(words, "-O3"));
  CHECK(std::none_of(words.begin(), words.end(), [](const std::string& word) {
    return word.find("cce") != std::string::npos || word.find("mllvm") != std::string::npos;
  }));
  CHECK(line.simt);
  CHECK(refusal("-Xaicore-start -O2 a.asc") == "-Xaicore-start has no -Xaicore-end");
}

TEST_CASE("dependency files name the object that is asked for", "[command]") {
  const auto plain = read("-MD -c a.asc -o dir/a.o");
  const auto words =
      preprocess_arguments(plain, {"a.asc", true}, "/p", {}, {"t.ii", {}}, "dir/a.o");
  CHECK(has(words, "-MF dir/a.d -MQ dir/a.o"));
  const auto told = read("-MD -MT x -MF y.d -c a.asc -o a.o");
  const auto given_words =
      preprocess_arguments(told, {"a.asc", true}, "/p", {}, {"t.ii", {}}, "a.o");
  CHECK(has(given_words, "-MD -MT x -MF y.d"));
  CHECK_FALSE(has(given_words, "-MQ a.o"));
  CHECK_FALSE(has(compile_arguments(told, "t.ii", "a.o"), "-MD"));
}

TEST_CASE("linking has the objects where the sources stood, and our libraries at the end",
          "[command]") {
  const auto line = read("main.cpp k.asc -Lx -lfoo -o demo -Wl,-rpath,y");
  const auto words = link_arguments(line, "/p", {"k.o"});
  CHECK(has(words, "main.cpp k.o -Lx -lfoo -Wl,-rpath,y"));
  CHECK(has(words, "-L/p/lib64 -lascendc_runtime -lascendcl"));
  CHECK_FALSE(has(compile_arguments(line, "t.ii", "k.o"), "-lfoo"));
}

TEST_CASE("HAVE_WORKSPACE and HAVE_TILING are seen in any form", "[command]") {
  CHECK(read("-DHAVE_WORKSPACE -c a.asc").workspace);
  CHECK(read("-D HAVE_TILING=1 -c a.asc").tiling);
  CHECK_FALSE(read("-DHAVE_WORKSPACES -c a.asc").workspace);
}

TEST_CASE("outputs that cannot be are refused", "[command]") {
  CHECK(refusal("-c a.asc b.asc -o c.o") == "-o c.o with several sources; expected one");
  CHECK(refusal("-lib a.asc") == "-lib has no -o; expected the name of the library");
  CHECK(refusal("a.asc -o") == "-o has no value");
}
