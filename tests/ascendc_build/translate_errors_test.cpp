// SPDX-License-Identifier: Apache-2.0
//
// Each mistake in a source gives an error message of one line.
#include "tests/ascendc_build/translated.h"
#include "tests/support/catch.h"

using translatetest::complaint;

TEST_CASE("texts and comments without an end are named", "[errors]") {
  CHECK(complaint("int a;\n  x = \"abc;\n\"") ==
        "k.asc:2:7: error: the string does not end on its line");
  CHECK(complaint("char c = 'a;\n") == "k.asc:1:10: error: the character does not end on its line");
  CHECK(complaint("/* a\n b") == "k.asc:1:1: error: the comment does not end");
  CHECK(complaint("R\"x( )\" )y\"") == "k.asc:1:1: error: the raw string does not end");
  CHECK(complaint("u8R\"0123456789abcdefg( )") ==
        "k.asc:1:1: error: the raw string has no '(' behind its delimiter");
  CHECK(complaint("\"\\").starts_with("k.asc:1:1: error: "));
}

TEST_CASE("launches that are not complete are named", "[errors]") {
  CHECK(complaint("k<<<1, 0, s;\n") == "k.asc:1:2: error: '<<<' of a launch has no '>>>('");
  CHECK(complaint("f(k<<<1);") == "k.asc:1:4: error: '<<<' of a launch has no '>>>('");
  CHECK(complaint("a <<< b;") == "k.asc:1:3: error: '<<<' of a launch has no '>>>('");
  CHECK(complaint("k<<<1, 0>>>;") ==
        "k.asc:1:9: error: expected '(' and the kernel's arguments behind '>>>'");
  CHECK(complaint("k<<<1, 0>>>(x;") == "k.asc:1:12: error: '(' of the launch has no ')'");
  CHECK(complaint("<<<1, 0>>>(x);") == "k.asc:1:1: error: '<<<' has no kernel before it");
  CHECK(complaint("k<<<") == "k.asc:1:2: error: '<<<' of a launch has no '>>>('");
}

TEST_CASE("declarations that no kernel can have are named", "[errors]") {
  CHECK(complaint("__global__ void k(int& x);") ==
        "k.asc:1:19: error: a parameter of a kernel is a reference; expected a value or a pointer");
  CHECK(complaint("__global__ int k(int x);") ==
        "k.asc:1:16: error: the kernel 'k' does not return void");
  CHECK(
      complaint("struct A { __global__ void k(); };") ==
      "k.asc:1:12: error: the kernel 'k' is declared inside a function or class; expected it in a "
      "namespace");
  CHECK(complaint("__global__ __mix__(2, 1) void k();") ==
        "k.asc:1:12: error: __mix__(2 , 1) is unknown; expected (1, 0), (0, 1), (1, 1) or (1, 2)");
  CHECK(complaint("__global__ void k(int x) {") ==
        "k.asc:1:26: error: '{' of the kernel 'k' has no '}'");
  CHECK(complaint("__global__ void k(int x") ==
        "k.asc:1:18: error: '(' of the kernel 'k' has no ')'");
  CHECK(complaint("__global__ void k(int, , int);") ==
        "k.asc:1:24: error: a parameter of the kernel is missing");
  CHECK(complaint("__global__") == "k.asc:1:1: error: no function is declared behind __global__");
  CHECK(
      complaint("template <typename T __global__ void k(T x);").starts_with("k.asc:1:10: error: "));
  CHECK(complaint("__global__ void k() { KERNEL_TASK_TYPE_DEFAULT(FOO); }")
            .starts_with("k.asc:1:23: error: KERNEL_TASK_TYPE_DEFAULT(FOO) is not supported"));
}

TEST_CASE("what is not emulated is refused where it stands", "[errors]") {
  CHECK(complaint("extern __global__ __aicpu__ uint32_t k(void* a);\nint i = k<<<1, nullptr, "
                  "s>>>(&a, 8);") ==
        "k.asc:2:9: error: the kernel 'k' runs on AI CPUs; launches of those are not supported");
  const std::string one = "expected one variable of a namespace behind [block_local]";
  CHECK(complaint("\n[block_local] int a, b;") == "k.asc:2:1: error: " + one);
  CHECK(complaint("extern [block_local] int a;") == "k.asc:1:8: error: " + one);
  CHECK(complaint("[block_local] int a") == "k.asc:1:1: error: " + one);
  const auto outside = [](const std::string& name) {
    return "the __ubuf__ array '" + name +
           "' is declared outside of a function; expected its declaration in the function that "
           "uses it";
  };
  CHECK(complaint("namespace ns {\n  __ubuf__ float shared[64]; }") ==
        "k.asc:2:3: error: " + outside("shared"));
  CHECK(complaint("static __ubuf__ ns::T<2> x[2] = {}, y[2];") ==
        "k.asc:1:8: error: " + outside("x"));
  CHECK(complaint("extern __ubuf__ int x[];").empty());  // sized by the launch
  CHECK(complaint("extern __ubuf__ int x[4];") == "k.asc:1:8: error: " + outside("x"));
  CHECK(complaint("struct A { __ubuf__ float x[2]; };") == "k.asc:1:12: error: " + outside("x"));
  const std::string array = "expected one array to a declaration, without values, behind __ubuf__";
  CHECK(complaint("void f() { __ubuf__ float x[2], y[2]; }") == "k.asc:1:12: error: " + array);
  CHECK(complaint("void f() { __ubuf__ float x[2] = {}; }") == "k.asc:1:12: error: " + array);
  CHECK(complaint("[block_local] __ubuf__ float x[2];") == "k.asc:1:15: error: " + outside("x"));
  CHECK(complaint(
            "void f(__ubuf__ float* p, __ubuf__ half* q[2]) { ((__ubuf__ int*)p)[0] = 1; }") == "");
}

TEST_CASE("an error in an included file names that file", "[errors]") {
  CHECK(complaint("# 1 \"a.asc\"\n# 1 \"inc/b.h\" 1\nint x;\nk<<<1;\n# 2 \"a.asc\" 2\n") ==
        "inc/b.h:2:2: error: '<<<' of a launch has no '>>>('");
}
