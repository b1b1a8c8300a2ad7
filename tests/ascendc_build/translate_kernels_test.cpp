// SPDX-License-Identifier: Apache-2.0
//
// Tests of reading declarations of kernels, and of the code that is inserted after them.
#include "tests/ascendc_build/translated.h"
#include "tests/support/catch.h"

using kernel_compiler::CoreKind;
using kernel_compiler::KernelHead;
using translatetest::translated;

namespace {

KernelHead only_kernel(const std::string& text) {
  const auto translation = kernel_compiler::translate(text, "k.asc");
  REQUIRE(translation.kernels.size() == 1);
  return translation.kernels[0];
}

std::string companion_of(const std::string& text) {
  const std::string all = kernel_compiler::translate(text, "k.asc").text;
  const std::size_t begin = all.find('\n', all.find("# 1 \"<launcher of")) + 1;
  return all.substr(begin, all.find("\n# ", begin) - begin);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a kernel's name, scope and parameters are read", "[kernel]") {
  const KernelHead kernel = only_kernel(
      "namespace a::b { inline namespace c {\n"
      "extern \"C\" __global__ __attribute__((cce)) void add(uint8_t* __restrict__ x, const "
      "int32_t n,\n"
      "  ns::Tiling t, unsigned long long, struct S*, float v[4]) { if (n) { } }\n} }\n");
  CHECK((kernel.name == "add" && kernel.scope == "a::b::c" && kernel.c_linkage));
  CHECK((kernel.location.line == 2 && kernel.location.file == "k.asc"));
  REQUIRE(kernel.parameters.size() == 6);
  const char* const names[] = {"x", "n", "t", "aclsim_p3", "aclsim_p4", "v"};
  const bool pointers[] = {true, false, false, false, true, true};
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(kernel.parameters[i].name == names[i]);
    CHECK(kernel.parameters[i].pointer == pointers[i]);
  }
  CHECK(kernel.parameters[3].type == "unsigned long long");
}

TEST_CASE("a parameter without a name gets one, whatever its type looks like", "[kernel]") {
  for (const char* type :
       {"ns::Tiling", "::Tiling", "const Tiling", "struct Tiling", "Tiling const", "unsigned",
        "std::array<int, 3>", "T*", "const char* const", "uint8_t*"}) {
    const KernelHead kernel = only_kernel(std::string("__global__ void k(") + type + ") {}");
    REQUIRE(kernel.parameters.size() == 1);
    INFO(type);
    CHECK(kernel.parameters[0].name == "aclsim_p0");
    const KernelHead named = only_kernel(std::string("__global__ void k(") + type + " x) {}");
    CHECK(named.parameters[0].name == "x");
    CHECK(named.parameters[0].type == kernel.parameters[0].type);
  }
}

TEST_CASE("the kind of cores comes from the declaration or from the body", "[kernel]") {
  const auto kind = [](const std::string& words, const std::string& body = "") {
    return only_kernel(words + " void k() {" + body + "}").kind;
  };
  CHECK(kind("__global__") == CoreKind::inferred);
  CHECK(kind("__global__ __vector__") == CoreKind::vector);
  CHECK(kind("__cube__ __global__") == CoreKind::cube);
  CHECK(kind("__global__ __mix__(1, 2)") == CoreKind::mix_1_2);
  CHECK(kind("__global__ __mix__(1,1)") == CoreKind::mix_1_1);
  CHECK(kind("__global__ __mix__(0, 1)") == CoreKind::mix_0_1);
  CHECK(kind("__global__ __mix__(1, 0)") == CoreKind::mix_1_0);
  CHECK(kind("__global__", "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);") ==
        CoreKind::mix_0_1);
  CHECK(kind("__global__", "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_0);") ==
        CoreKind::mix_1_0);
  CHECK(kind("__global__", "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);") ==
        CoreKind::mix_1_2);
  CHECK(kind("__global__", "int x; KERNEL_TASK_TYPE_DEFAULT(AscendC::KERNEL_TYPE_AIV_ONLY);") ==
        CoreKind::vector);
}

TEST_CASE("words that only a device compiler knows go, with their parentheses", "[kernel]") {
  CHECK(translated("extern \"C\" __global__ [aicore] void k(int a) { }") ==
        "extern \"C\"   void k(int a) {}");
  CHECK(translated("__global__ __mix__(1, 2) void k() { "
                   "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY); }") == "   void k() {; }");
  CHECK(translated("__schedmode__(1) __global__ __vector__ void k();") == "   void k();");
  CHECK(translated("[aicore] inline int f() { return a[aicore]; }") ==
        " inline int f() { return a; }");
}

TEST_CASE("the body of a register function begins with the object that is its call", "[kernel]") {
  const std::string scope = " const ::aclsim_reg::Scope aclsim_scope;";
  CHECK(translated(
            "template <class T> __simd_vf__ inline void f(T* x, int n = g(1)) { x[n] = 1; }") ==
        "template <class T>  inline void f(T* x, int n = g(1)) {" + scope + " x[n] = 1; }");
  CHECK(translated("__simd_vf__ __attribute__((noinline)) void f() {}") ==
        " __attribute__((noinline)) void f() {" + scope + "}");
  CHECK(translated("__simd_vf__ void f(int);") == " void f(int);");
}

TEST_CASE("a using declaration of a system header names no kernel", "[kernel]") {
  const std::string header = "# 1 \"/usr/include/x.h\" 1 3\nusing ::abs;\n# 2 \"k.asc\" 2\n";
  CHECK(has(translated(header + "__global__ void abs() {}"), "using ::abs;\n"));
  CHECK(!has(translated(header + "__global__ void abs() {}"), "using ::aclsim_launch_abs"));
}

TEST_CASE("a kernel that is only declared has a launcher that is only declared", "[kernel]") {
  const std::string text = companion_of("extern \"C\" __global__ void k(uint8_t*, int n = 3);");
  CHECK(has(text,
            "the arguments do not fit the parameters of the kernel 'k': (uint8_t *, int n = 3)"));
  CHECK(has(text,
            "extern \"C++\" __attribute__((unused, visibility(\"default\"))) uint32_t "
            "aclsim_launch_k(const ::aclsim::launch::At &aclsim_at, uint8_t * aclsim_p0, int n = "
            "3);"));
  CHECK(kernel_compiler::translate("__global__ void k();", "k.asc").kernels.empty());
}

TEST_CASE("a second launcher accepts void pointers, without deducing from them", "[kernel]") {
  CHECK(has(companion_of("__global__ void k(uint8_t* x, int n = 3) {}"),
            "aclsim_launch_k(const ::aclsim::launch::At &aclsim_at, "
            "::aclsim::launch::NonDeduced<::aclsim::launch::GlobalPointer<uint8_t *> >::type x, "
            "int n = 3) { return aclsim_launch_k(aclsim_at, x.get(), n); }"));
  CHECK(has(companion_of("template <typename T> __global__ void k(T* x) {}"),
            "{ return aclsim_launch_k<T>(aclsim_at, x.get()); }"));
  CHECK_FALSE(has(companion_of("__global__ void k(int n) {}"), "GlobalPointer"));
}

TEST_CASE("a kernel of external linkage is described under a symbol of its own", "[kernel]") {
  CHECK(
      has(companion_of("extern \"C\" __global__ void k() {}"), "aclsimKernelCode_k __attribute__"));
  const std::string one = companion_of("namespace a { __global__ void k(int x) {} }");
  const std::string two = companion_of("namespace a { __global__ void k(float x) {} }");
  const auto symbol = [](const std::string& text) {
    const std::size_t at = text.find("aclsimKernelCode_a__k_");
    REQUIRE(at != std::string::npos);
    return text.substr(at, text.find(' ', at) - at);
  };
  CHECK(symbol(one) != symbol(two));
  CHECK_FALSE(has(companion_of("static __global__ void k() {}"), "visibility"));
  CHECK_FALSE(has(companion_of("namespace { __global__ void k() {} }"), "visibility"));
}

TEST_CASE("a template's launcher is a template over the same parameters", "[kernel]") {
  const std::string text = companion_of(
      "template <typename T, int N = (3 > 2), typename = std::enable_if_t<(N > 1)>, class... R>\n"
      "__global__ __vector__ void k(T* x, T = T(1)) {}");
  CHECK(has(text,
            "template <typename T, int N = ( 3 > 2 ), typename AclsimT2 = std :: enable_if_t <"
            "( N > 1 )>, class ... R>"));
  CHECK(has(text, "Entry<void(T * x, T aclsim_p1), &k<T, N, AclsimT2, R...>>"));
  CHECK(has(text, "T aclsim_p1 = T ( 1 ))"));
}

TEST_CASE("specialisations and instantiations of a template have no launcher of their own",
          "[kernel]") {
  const char* const text =
      "template <> __global__ void k<int>(int* x) {}\n"
      "template __global__ void k<float>(float* x);\nk<int><<<1, 0>>>(p);";
  const std::string all = kernel_compiler::translate(text, "k.asc").text;
  CHECK_FALSE(has(all, "<launcher of"));
  CHECK(has(all, "aclsim_launch_k<int>("));
}

TEST_CASE("what follows a kernel on its line keeps its line and column", "[kernel]") {
  const std::string all =
      kernel_compiler::translate("int a;\n __global__ void k() {} int b;\nint c;", "k.asc").text;
  CHECK(has(all, "\n# 2 \"k.asc\"\n" + std::string(23, ' ') + " int b;\nint c;"));
}

TEST_CASE("a launcher header has pointers as void* and structures by name", "[kernel]") {
  const std::string header = kernel_compiler::launch_header(
      only_kernel("struct alignas(8) Tiling { int n; };\n"
                  "extern \"C\" __global__ void add(uint8_t* __restrict__ "
                  "x, const Tiling t, float f, uint64_t n) {}"));
  CHECK(has(header, "struct Tiling;\n"));
  CHECK(has(header,
            "uint32_t aclrtlaunch_add(uint32_t numBlocks, aclrtStream stream, void *x, "
            "Tiling t, float f, uint64_t n);"));
  CHECK(has(header,
            "inline uint32_t aclrtlaunch_add(uint32_t numBlocks, aclrtStream stream, void *x, "
            "const Tiling *t, float f, uint64_t n) {"));
}

TEST_CASE("a launcher header declares structures in their namespace, and no alias or enumeration",
          "[kernel]") {
  const std::string header = kernel_compiler::launch_header(only_kernel(
      "namespace a::b { struct T { struct In {}; }; typedef struct { int n; } Alias; enum class "
      "Kind { one }; class In; }\n"
      "namespace a { using b::T; __global__ void k(b::T t, b::Alias s, b::Kind n, In i) {} }"));
  CHECK(has(header, "namespace a { namespace b { struct T; } }\n"));
  CHECK(has(header, "stream, ::a::b::T t, b :: Alias s, b :: Kind n, In i);"));
  CHECK(has(header, "stream, const ::a::b::T *t, b :: Alias s, b :: Kind n, In i) {"));
}

TEST_CASE("a workspace is the last parameter, or the last but one before a tiling", "[kernel]") {
  const char* const text = "__global__ void k(int* x, int* w, int t) {}";
  kernel_compiler::TranslateOptions options;
  options.workspace = true;
  CHECK(
      has(kernel_compiler::translate(text, "k", options).text, "&k, 2, aclsim_workspace_of_k_1>"));
  options.tiling = true;
  CHECK(
      has(kernel_compiler::translate(text, "k", options).text, "&k, 1, aclsim_workspace_of_k_1>"));
}

TEST_CASE("a kernel that registers a Matmul object gets cube cores", "[kernel]") {
  const std::string registers = "::aclsim_matmul::regist(&pipe, w, m);";
  const auto kinds = [](const std::string& text) {
    std::vector<CoreKind> all;
    for (const KernelHead& kernel : kernel_compiler::translate(text, "k.asc").kernels)
      all.push_back(kernel.kind);
    return all;
  };
  using Kinds = std::vector<CoreKind>;
  CHECK(kinds("__global__ void a() { " + registers + " } __global__ void b() { }") ==
        Kinds{CoreKind::mix_1_2, CoreKind::inferred});
  CHECK(kinds("__global__ __mix__(1, 1) void a() { " + registers + " }") ==
        Kinds{CoreKind::mix_1_1});
  CHECK(kinds("__global__ void a(); struct X { void f() { " + registers +
              " } }; __global__ void a() { X().f(); } __global__ __vector__ void b() { }") ==
        Kinds{CoreKind::mix_1_2, CoreKind::vector});
  CHECK(kinds("namespace aclsim_matmul { void regist(int); } __global__ void a() { }") ==
        Kinds{CoreKind::inferred});
}

TEST_CASE("a variable of a core is had from a function, behind its declaration and as no member",
          "[kernel]") {
  const auto function = [](const std::string& name) {
    return " static __attribute__((unused)) decltype(aclsim_first_" + name + ") &aclsim_local_" +
           name + "() { return ::aclsim::launch::block_local(aclsim_first_" + name + "); }";
  };
  CHECK(translated("[block_local] int n;\nint f() { return n + a.n + p->n + ns::n; }") ==
        " int aclsim_first_n;" + function("n") +
            "\nint f() { return aclsim_local_n() + a.n + p->n + ns::aclsim_local_n(); }");
  CHECK(translated("static [workgroup_local] ns::T<int, (3 > 2)> t[2] = {{1, 2}, {}};") ==
        "static  ns::T<int, (3 > 2)> aclsim_first_t[2] = {{1, 2}, {}};" + function("t"));
  CHECK(translated("int n;\n[block_local] __ubuf__ float* p = nullptr; int m = n;") ==
        "int n;\n  float* aclsim_first_p = nullptr;" + function("p") + " int m = n;");
}

TEST_CASE("an array or a variable in a local memory is a reference to what lies there",
          "[kernel]") {
  const auto lies = [](const std::string& name, const char* memory = "0") {
    return std::string(" = ::aclsim::launch::local_array<") + memory +
           ", ::std::remove_reference_t<decltype(" + name + ")>>([] {}, \"" + name + "\")";
  };
  const std::pair<const char*, const char*> others[] = {{"__cbuf__", "1"},    {"__ca__", "2"},
                                                        {"__cb__", "3"},      {"__cc__", "4"},
                                                        {"__biasbuf__", "5"}, {"__fbuf__", "6"}};
  for (const auto& [keyword, memory] : others) {
    CHECK(translated("void f() {\n  " + std::string(keyword) + " float x[64]; }") ==
          "void f() {\n   float (&x)[64]" + lies("x", memory) + "; }");
  }
  CHECK(translated("void f() {\n  __ubuf__ float x[64]; x[0] = 1; }") ==
        "void f() {\n   float (&x)[64]" + lies("x") + "; x[0] = 1; }");
  CHECK(
      translated("void A::f() const { if (n) { static __ubuf__ ns::T<int, 2> x[N * (2)][2]; } }") ==
      "void A::f() const { if (n) {   ns::T<int, 2> (&x)[N * (2)][2]" + lies("x") + "; } }");
  CHECK(translated("void f() { int n; static __ubuf__ ns::T<2> x; }") ==
        "void f() { int n;   ns::T<2> &x" + lies("x") + "; }");
  CHECK(translated("void f() { using U = __ubuf__ ns::T; using V = __ubuf__ unsigned int; __ubuf__ "
                   "float x = 1; }") ==
        "void f() { using U =  ns::T; using V =  unsigned int;  float x = 1; }");
  CHECK(translated("struct A { __ubuf__ float x; };") == "struct A {  float x; };");
  CHECK(translated("void f() { __ubuf__ float* p = x[1]; g((__ubuf__ int*)p[0]); }") ==
        "void f() {  float* p = x[1]; g(( int*)p[0]); }");
}

TEST_CASE("MakeMemPtr gets the memory of the array, variable or parameter that it is given",
          "[kernel]") {
  const auto made = [](const std::string& text) {
    const std::string all = translated(text);
    const std::size_t at = all.find("MakeMemPtr") + 10;
    return all.substr(at, all.find('(', at) - at);
  };
  const std::string l1 = "<::AscendC::Te::Location::L1>";
  CHECK(made("void f() { __cbuf__ half x[4]; MakeMemPtr(x); }") == l1);
  CHECK(made("void f() { { __cbuf__ T<1, 2>* x = g(); MakeMemPtr(x + 3); } }") == l1);
  CHECK(made("void f(__cbuf__ half* x, int n) const { if (n) MakeMemPtr(x, n); }") == l1);
  CHECK(made("void f() { __ca__ half x[4]; Te::MakeMemPtr(x); }") ==
        "<::AscendC::Te::Location::L0A>");
  CHECK(made("void f() { { __cbuf__ half x[4]; } MakeMemPtr(x); }") == "");
  CHECK(made("void f(__cbuf__ half* x); void g(half* x) { MakeMemPtr(x); }") == "");
  CHECK(made("void f() { __cbuf__ half y[4]; MakeMemPtr(x); }") == "");
  CHECK(made("void f() { __cbuf__ half x[4]; MakeMemPtr<Location::L1>(x); }") == "<Location::L1>");
}
