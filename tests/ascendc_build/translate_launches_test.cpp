// SPDX-License-Identifier: Apache-2.0
//
// Tests of the translation of launches, construct by construct.
#include "tests/ascendc_build/translated.h"
#include "tests/support/catch.h"

using translatetest::translated;

namespace {

/// The translation of a source with a declaration of k on the first line and the text on the
/// second.
std::string with_kernel(const std::string& text) {
  const std::string all = translated("__global__ void k(int a);\n" + text);
  return all.substr(all.find('\n') + 1);
}

const std::string kAt = "(::aclsim::launch::at(\"k.asc\", 2, ";

}  // namespace

TEST_CASE("a launch is a call of the kernel's launcher with the place and the values", "[launch]") {
  CHECK(with_kernel("k<<<8, 0, s>>>(x, y);") == "aclsim_launch_k" + kAt + "8, 0, s), x, y);");
  CHECK(with_kernel("k<<<8, nullptr>>>(x);") == "aclsim_launch_k" + kAt + "8, nullptr), x);");
  CHECK(with_kernel("k <<< n, 0, s >>> (x);") == "aclsim_launch_k " + kAt + " n, 0, s ), x);");
}

TEST_CASE("a launch without arguments leaves no comma", "[launch]") {
  CHECK(with_kernel("k<<<1, 0>>>();") == "aclsim_launch_k" + kAt + "1, 0));");
  CHECK(with_kernel("k<<<1, 0>>>( );") == "aclsim_launch_k" + kAt + "1, 0) );");
}

TEST_CASE("a launch is an expression wherever one may stand", "[launch]") {
  CHECK(with_kernel("return static_cast<int>(k<<<n, nullptr, s>>>(x));") ==
        "return static_cast<int>(aclsim_launch_k" + kAt + "n, nullptr, s), x));");
  CHECK(with_kernel("if (k<<<1, 0>>>(1) != 0 || k<<<2, 0>>>(2)) return;") ==
        "if (aclsim_launch_k" + kAt + "1, 0), 1) != 0 || aclsim_launch_k" + kAt +
            "2, 0), 2)) return;");
}

TEST_CASE("template arguments and namespaces stay with the launcher", "[launch]") {
  CHECK(with_kernel("k<T, 2><<<1, 0, s>>>(x);") == "aclsim_launch_k<T, 2>" + kAt + "1, 0, s), x);");
  CHECK(with_kernel("a::b::k<A<B<int>>, (1 > 0)><<<1, 0, s>>>(x);") ==
        "a::b::aclsim_launch_k<A<B<int>>, (1 > 0)>" + kAt + "1, 0, s), x);");
  CHECK(with_kernel("Op::template k<T><<<1, 0, s>>>(x);") ==
        "Op::template aclsim_launch_k<T>" + kAt + "1, 0, s), x);");
}

TEST_CASE("values may hold templates, commas, shifts, lambdas and launches", "[launch]") {
  CHECK(with_kernel("k<<<f(1, 2), size<A<int>>(), s>>>(x);") ==
        "aclsim_launch_k" + kAt + "f(1, 2), size<A<int>>(), s), x);");
  CHECK(with_kernel("k<<<n >> 1, 1 << 4, s>>>(x);") ==
        "aclsim_launch_k" + kAt + "n >> 1, 1 << 4, s), x);");
  CHECK(with_kernel("k<<<[&] { return n; }(), 0, s>>>(x);") ==
        "aclsim_launch_k" + kAt + "[&] { return n; }(), 0, s), x);");
  CHECK(with_kernel("k<<<count(k<<<1, 0>>>(1)), 0>>>(x);") ==
        "aclsim_launch_k" + kAt + "count(aclsim_launch_k" + kAt + "1, 0), 1)), 0), x);");
}

TEST_CASE("a launch over several lines keeps its lines", "[launch]") {
  CHECK(with_kernel("k\n  <<<8,\n  0, s\n  >>>\n (x,\n  y);\nint after;") ==
        "aclsim_launch_k\n  (::aclsim::launch::at(\"k.asc\", 3, 8,\n  0, s\n  ), \nx,\n  y);\n"
        "int after;");
}

TEST_CASE("the place of a launch is that of the line markers", "[launch]") {
  const std::string all = translated(
      "# 1 \"dir/a \\\"b\\\".asc\"\n__global__ void k(int a);\n# 70 \"x.h\" 1\n\nint i = k<<<1, "
      "0>>>(1);\n");
  CHECK(all.find("at(\"x.h\", 71, 1, 0)") != std::string::npos);
  CHECK(kernel_compiler::translate("# 7 \"a\\\\b.asc\"\n__global__ void k() {}", "k")
            .kernels[0]
            .location.file == "a\\b.asc");
}

TEST_CASE("shifts, operators and brackets of templates are no launches", "[launch]") {
  for (const char* text :
       {"x = a << b; y <<= 2; z >>= 3; c = (d >> 2) > 1;", "s << operator<< <int>(a, b);",
        "operator<<<T>(out, value);", "a.operator<<<int>(1);",
        "std::vector<std::vector<A<int>>> v(3);", "auto f = &ns::operator<<<int>;",
        "A<B<C<int>>>(1);", "if (a < b && c >> 2 > d) e->f();",
        "template <typename T> std::ostream& operator<<(std::ostream&, A<B<T>>);"}) {
    CHECK(with_kernel(text) == text);
  }
}

TEST_CASE("what looks like a launch in texts, comments and directives is none", "[launch]") {
  for (const char* text :
       {"const char* a = \"k<<<1, 0>>>(x)\";", "auto b = R\"x(k<<<1, 0>>>(x))\" \"y)x\";",
        "// k<<<1, 0>>>(x)", "/* k<<<1,\n 0>>>(x) */ int c;", "#pragma k <<< \"",
        "char d = '<', e = '\\'', f = u8'\"';", "auto g = u8R\"(\" <<< )\";", "int h = 1'000'000;",
        "const char* i = \"\\\\\" \"<<<\";", "double j = 1e-5'0 + .5e+3;"}) {
    CHECK(with_kernel(text) == text);
  }
}

TEST_CASE("a pointer to a kernel is launched by its value", "[launch]") {
  CHECK(with_kernel("table.first<<<1, 0, s>>>(x);") ==
        "table.first->*::aclsim::launch::pointer(\"k.asc\", 2, 1, 0, s)(x);");
  CHECK(with_kernel("table->a::first<<<1, 0>>>(x);") ==
        "table->a::first->*::aclsim::launch::pointer(\"k.asc\", 2, 1, 0)(x);");
  CHECK(with_kernel("p<<<1, 0, s>>>(x);") ==
        "::aclsim::launch::named(::std::is_function<decltype(p)>(), p, "
        "::aclsim::launch::at(\"k.asc\", 2, 1, 0, s))(x);");
  CHECK(translated("p<<<1, 0, s>>>(x);") ==
        "::aclsim::launch::pointer(p, ::aclsim::launch::at(\"k.asc\", 1, 1, 0, s))(x);");
  CHECK(with_kernel("table[1]<<<1, 0, s>>>(x);") ==
        "table[1]->*::aclsim::launch::pointer(\"k.asc\", 2, 1, 0, s)(x);");
}

TEST_CASE("asm(\"trap\") is a call, other assembly stays", "[launch]") {
  CHECK(with_kernel("asm(\"trap\");") == "::aclsim::launch::trap();");
  CHECK(with_kernel("asm volatile(\"trap;\");") == "::aclsim::launch::trap();");
  CHECK(with_kernel("__asm__ __volatile__ (\" trap \\n\" );") == "::aclsim::launch::trap();");
  CHECK(with_kernel("asm volatile(\"\" ::: \"memory\");") == "asm volatile(\"\" ::: \"memory\");");
}

TEST_CASE("a using declaration brings the launcher along", "[launch]") {
  CHECK(with_kernel("using a::k;") == "using a::k; using a::aclsim_launch_k;");
  CHECK(with_kernel("using a::other; using k2 = int; using namespace a;") ==
        "using a::other; using k2 = int; using namespace a;");
}
