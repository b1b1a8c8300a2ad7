// SPDX-License-Identifier: Apache-2.0
//
// Tests of the passes for the host, vector cores and cube cores.
#include "tools/ascendc/passes.h"

#include <algorithm>

#include "tests/support/catch.h"
#include "tools/ascendc/process.h"

using namespace kernel_compiler;

namespace {

bool defines(Pass pass, const std::string& arguments, const std::string& definition) {
  const CommandLine line = read_command_line({"-c", "a.asc", arguments});
  const auto all = pass_definitions(pass, line);
  return std::find(all.begin(), all.end(), "-D" + definition) != all.end();
}

/// Text that came from a file, as the preprocessor writes it.
std::string from(const std::string& file, const std::string& text) {
  return "# 1 \"" + file + "\"\n" + text + "\n";
}

Plan plan(const std::string& host, const std::string& vector, const std::string& cube) {
  return plan_passes({&host, &vector, cube.empty() ? nullptr : &cube}, "k.asc", "/kit");
}

std::string translated_for(Role role, const std::string& text) {
  TranslateOptions options;
  options.role = role;
  options.vector_pass = options.cube_pass = true;
  options.kinds = kernel_kinds(text, "k.asc");
  return translate(text, "k.asc", options).text;
}

bool contains_text(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("each pass has the macros of its cores, and the host has none of them", "[passes]") {
  for (const auto& [arch, number, aicore, dav] : {std::tuple("dav-2201", "2201", "220", "C220"),
                                                  std::tuple("dav-3510", "3510", "310", "C310")}) {
    const std::string option = std::string("--npu-arch=") + arch;
    for (const Pass pass : {Pass::vector, Pass::cube}) {
      const bool cube = pass == Pass::cube;
      CHECK(defines(pass, option, std::string("__NPU_ARCH__=") + number));
      CHECK(defines(pass, option, std::string("__CCE_AICORE__=") + aicore));
      CHECK(defines(pass, option, "__DAV_CUBE__=1") == cube);
      CHECK(defines(pass, option, "__DAV_VEC__=1") != cube);
      CHECK(defines(pass, option, std::string("__DAV_") + dav + "_CUBE__=1") == cube);
      CHECK(defines(pass, option, std::string("__DAV_") + dav + "_VEC__=1") != cube);
    }
    CHECK_FALSE(defines(Pass::host, option, std::string("__NPU_ARCH__=") + number));
    CHECK_FALSE(defines(Pass::host, option, std::string("__CCE_AICORE__=") + aicore));
    CHECK(defines(Pass::host, option, "__CCE__=1"));
  }
  CHECK(defines(Pass::host, "--run-mode=cpu", "__NPU_ARCH__=2201"));
}

TEST_CASE("passes with the same text become one object", "[passes]") {
  const std::string same = from("k.asc", "__global__ __vector__ void k() { f(); }");
  const Plan one = plan(same, same, "");
  REQUIRE(one.parts.size() == 1);
  CHECK((one.parts[0].pass == Pass::vector && one.parts[0].role == Role::whole));

  // White space and the toolkit's own headers do not distinguish passes.
  const std::string other = from("/kit/include/a.h", "int vector;") +
                            from("k.asc", "\n__global__ __vector__  void k() { f(); }");
  CHECK(plan(same, other, "").parts.size() == 1);
  CHECK(plan(same, from("/kit/share/a.h", "int vector;") + same, "").parts.size() == 2);
}

TEST_CASE("a kernel for both kinds of cores has an object for each if they differ", "[passes]") {
  const std::string host = from("k.asc", "__global__ __mix__(1, 2) void k() { }");
  const std::string vector = from("k.asc", "__global__ __mix__(1, 2) void k() { v(); }");
  const std::string cube = from("k.asc", "__global__ __mix__(1, 2) void k() { c(); }");
  const Plan three = plan(host, vector, cube);
  REQUIRE(three.parts.size() == 3);
  CHECK(three.parts[0].role == Role::host);
  CHECK((three.vector_pass && three.cube_pass));
  CHECK(three.kinds.at("k k.asc:1") == CoreKind::mix_1_2);

  CHECK(plan(vector, vector, vector).parts.size() == 1);
  // The constant g_coreType has another value in each pass.
  const std::string asks = from("k.asc", "__global__ __mix__(1, 2) void k() { f(g_coreType); }");
  CHECK(plan(asks, asks, asks).parts.size() == 3);
  const std::string only = from("k.asc", "__global__ __vector__ void k() { f(g_coreType); }");
  CHECK(plan(only, only, only).parts.size() == 1);
}

TEST_CASE("a kernel for cube cores alone has no object for vector cores", "[passes]") {
  const std::string host = from("k.asc", "__global__ __cube__ void k() { }");
  const std::string cube = from("k.asc", "__global__ __cube__ void k() { c(); }");
  const Plan two = plan(host, host, cube);
  REQUIRE(two.parts.size() == 2);
  CHECK((two.parts[1].pass == Pass::cube && two.parts[1].role == Role::cube));
}

TEST_CASE("a kernel that calls the cube unit runs on both kinds of cores", "[passes]") {
  const std::string vector = from("k.asc", "__global__ __aicore__ void k() { }");
  const std::string cube = from("k.asc", "__global__ __aicore__ void k() { Mmad(a, b, c); }");
  const Plan three = plan(vector, vector, cube);
  CHECK((three.vector_pass && three.cube_pass));
  CHECK(three.kinds.at("k k.asc:1") == CoreKind::mix_1_2);
}

TEST_CASE("a kernel from which the preprocessor removes all code is named", "[passes]") {
  const std::string empty = from("k.asc", "__global__ __vector__ void k(int) {\n;\n}");
  const std::string full = from("k.asc", "__global__ __vector__ void k(int) { f(); }");
  const auto written = [](const std::string& text) {
    return [text](const std::string&) { return text; };
  };
  const KernelKinds kinds = kernel_kinds(full, "k.asc");
  const auto guarded = written("void k(int) {\n  #ifdef X\n}");
  CHECK(emptied_kernels({&full, &empty, &full}, "k.asc", kinds, guarded) ==
        std::vector<std::string>{"k k.asc:1"});
  CHECK(emptied_kernels({&empty, &full, &empty}, "k.asc", kinds, guarded).empty());
  // A body that was written as empty is meant to be so.
  CHECK(emptied_kernels({&empty, &empty, &empty}, "k.asc", kinds, written("#\nvoid k(int) {\n;\n}"))
            .empty());
}

TEST_CASE("words in the text or in a file of the program ask for the pass of cube cores",
          "[passes]") {
  CHECK(may_use_cube_cores("ifASCEND_IS_AIC{", {}));
  CHECK_FALSE(may_use_cube_cores("__global____vector__voidk(){}", {}));
  CHECK(source_files(from("/kit/include/a.h", "x") + from("/usr/include/b.h", "y") +
                         from("dir/k.asc", "z") + from("<built-in>", ""),
                     "/kit") == std::vector<std::string>{"dir/k.asc"});
}

TEST_CASE("the host's object calls kernels in the objects of their cores", "[passes]") {
  const std::string text = translated_for(
      Role::host,
      "namespace n { template <typename T, int N> __global__ void k(T* x, int) { run(x); } }");
  CHECK(contains_text(
      text, "template <typename T, int N> void aclsim_on_vector_k(T * x, int aclsim_p1);"));
  CHECK(contains_text(text,
                      "template <typename T, int N> void aclsim_on_cube_k(T * x, int aclsim_p1);"));
  CHECK(contains_text(text, "void k(T* x, int aclsim_p1) { struct aclsim_text "));
  CHECK(contains_text(text,
                      "{ if (aclsimThisCore()->kind == ACLSIM_AIC) "
                      "aclsim_on_cube_k<T, N>(x, aclsim_p1); else aclsim_on_vector_k<T, N>(x, "
                      "aclsim_p1); }"));
  CHECK_FALSE(contains_text(text, "run(x)"));
}

TEST_CASE("an object of a device pass defines what the host's object calls", "[passes]") {
  const std::string text = translated_for(Role::cube,
                                          "template <typename T> __global__ void k(T* x);\n"
                                          "template <> __global__ void k<int>(int* x) { run(x); }\n"
                                          "template __global__ void j<float>(float*);\n");
  CHECK(contains_text(text, "void aclsim_on_cube_k(T * x) { k<T>(x); }"));
  CHECK(contains_text(text, "template void aclsim_on_cube_k< int >(int *);"));
  CHECK(contains_text(text, "template void aclsim_on_cube_j< float >(float *);"));
  CHECK(contains_text(text, "run(x)"));
  CHECK_FALSE(contains_text(text, "aclsimKernelCode_"));
}

TEST_CASE("passes share the program's variables, and nothing else", "[passes]") {
  CHECK(shared_variables("main T 0 10\ntable D 0 40\ncount B 0 4\n_ZN1aE V 0 4\nc R 0 4\nf U\n") ==
        std::vector<std::string>{"table", "count"});
}

TEST_CASE("a message of several passes appears once", "[passes]") {
  const std::string first = "a.h:1:2: warning: x\n  code\na.h:3:4: error: y\n";
  CHECK(new_messages(first, "").size() == first.size());
  CHECK(new_messages(first, first).empty());
  CHECK(new_messages("a.h:1:2: warning: x\n  code\nb.h:1:1: error: z\n", first) ==
        "b.h:1:1: error: z\n");
}
