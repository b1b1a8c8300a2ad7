// SPDX-License-Identifier: Apache-2.0
// The tool op_build: from descriptions of operators to generated code.
#include <fstream>
#include <stdexcept>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"
#include "tools/ascendc/operators/generate.h"
#include "tools/ascendc/operators/names.h"

using namespace op_build;

namespace {

std::string param(const std::string& name, const std::string& members) {
  const std::string all[] = {"types",        "free_types", "formats",
                             "free_formats", "flags",      "first_values"};
  std::string text = R"({"name":")" + name + R"(","kind":"required","depends_on_values":false,)" +
                     R"("follows":"","followed_part":0)";
  for (const std::string& list : all) {
    if (members.find("\"" + list + "\"") == std::string::npos) text += ",\"" + list + "\":[]";
  }
  return text + (members.empty() ? "" : "," + members) + "}";
}

Description read_text(const std::string& operators, const std::string& rest = "") {
  const support::TempDir folder;
  const std::string path = (folder.path() / "description.json").string();
  std::ofstream(path) << "{\"operators\":[" << operators << "],\"structures\":["
                      << (rest.empty() ? "" : rest) << "],\"template_operators\":[]}";
  return read_description(path);
}

std::string op(const std::string& inputs, const std::string& outputs,
               const std::string& more = "") {
  return R"({"type":"Tested","has_tiling":true,"attrs":[],"units":{},"inputs":[)" + inputs +
         "],\"outputs\":[" + outputs + "]" + (more.empty() ? "" : "," + more) + "}";
}

std::string refusal_of(const std::string& operators) {
  try {
    read_text(operators);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "not refused";
}

}  // namespace

TEST_CASE("files and kernels are named as the documented table has it", "[op_build]") {
  // cmake function reference of the developer kit, naming rules.
  CHECK(snake_case("AddCustom") == "add_custom");
  CHECK(snake_case("Conv2DCustom") == "conv2_d_custom");
  CHECK(snake_case("GatherV2Custom") == "gather_v2_custom");
  CHECK(snake_case("SplitVCustom") == "split_v_custom");
  CHECK(snake_case("AbcAAc") == "abc_a_ac");
  CHECK(snake_case("GRUCell") == "gru_cell");
  CHECK(snake_case("HTTPServerCustom") == "http_server_custom");
  CHECK(snake_case("Add") == "add");
  CHECK(camel_case("negative_slope") == "negativeSlope");
}

TEST_CASE("lists of fixed positions go together, and free lists combine with all", "[op_build]") {
  const Description read_back = read_text(op(
      param("x", R"("types":[1,0],"formats":[2,2])") + "," +
          param("w", R"("free_types":[2,3],"free_formats":[2,29])"),
      R"({"name":"y","kind":"required","depends_on_values":false,"types":[],"free_types":[],)"
      R"("formats":[],"free_formats":[],"flags":[],"first_values":[7,2.5],"follows":"w","followed_part":1})"));
  const Operands& operands = read_back.operators[0].common;
  CHECK(operands.combinations() == 8);
  CHECK(operands.inputs[0].types == std::vector<int>{1, 0, 1, 0, 1, 0, 1, 0});
  CHECK(operands.inputs[1].types == std::vector<int>{2, 2, 3, 3, 2, 2, 3, 3});
  CHECK(operands.inputs[1].formats == std::vector<int>{2, 2, 2, 2, 29, 29, 29, 29});
  CHECK(operands.outputs[0].types == operands.inputs[1].types);  // follows the type alone
  CHECK(operands.outputs[0].formats == std::vector<int>(8, 2));
  CHECK(operands.outputs[0].first_values ==
        std::vector<std::string>{"7", "7", "2.5", "2.5", "7", "7", "2.5", "2.5"});
}

TEST_CASE("descriptions that make no sense are refused by operator and parameter", "[op_build]") {
  const std::string x = param("x", R"("types":[1])");
  CHECK(
      refusal_of(op(param("x", R"("types":[1,0])") + "," + param("w", R"("types":[1,0,3])"), x)) ==
      "Tested: w has 3 types or formats; expected 2, as the other parameters have");
  CHECK(refusal_of(op(param("x", ""), x)) == "Tested: x has no DataType");
  std::string follower = param("w", "");
  follower.replace(follower.find("\"follows\":\"\""), 12, "\"follows\":\"z\"");
  CHECK(refusal_of(op(x + "," + follower, x)) ==
        "Tested: w follows 'z', which is no parameter before it");
  std::string without = op(x, x);
  without.replace(without.find("true"), 4, "false");
  CHECK(refusal_of(without) == "Tested: AICore() has no SetTiling");
  std::string listed = op(x, x);
  listed.replace(listed.find("\"attrs\":[]"), 10,
                 R"("attrs":[{"name":"a","kind":"list of lists of int","required":false,"text":"",)"
                 R"("numbers":[]}])");
  CHECK(refusal_of(listed) == "Tested: the attribute a is a list of lists, which no call passes");
}

TEST_CASE("keys of template instances are those of the host's macro", "[op_build]") {
  // GET_TPL_TILING_KEY: the first parameter is lowest, and values of UINT count by their place.
  const std::string declared =
      R"("declared":[{"name":"T","kind":0,"bits":8,"values":[1000]},)"
      R"({"name":"N","kind":2,"bits":4,"values":[5,3]},{"name":"B","kind":3,"bits":1,"values":[0,1]}],)"
      R"("selected":[[{"name":"T","kind":0,"bits":8,"values":[1000]},)"
      R"({"name":"N","kind":2,"bits":0,"values":[3]},{"name":"B","kind":3,"bits":1,"values":[0,1]},)"
      R"({"name":"kernel_type","kind":4,"bits":8,"values":[1]}]])";
  const std::string x = param("x", R"("types":[1,0])");
  const Description description = read_text(op(x, param("y", R"("types":[1,0])"), declared));
  const auto sources = kernel_sources(description.operators[0], "ascend910b", {});
  REQUIRE(sources.size() == 2);
  const auto has = [&](std::size_t i, const std::string& text) {
    return sources[i].text.find(text) != std::string::npos;
  };
  CHECK(has(0,
            "void Tested_0_257(GM_ADDR argument0, GM_ADDR argument1, GM_ADDR argument2, GM_ADDR "
            "argument3)"));
  CHECK(has(0, "tested<half, 3, 0>(argument0, argument1, argument2, argument3);"));
  CHECK(has(0, "void Tested_0_4353("));
  CHECK(has(0, "tested<half, 3, 1>("));
  CHECK(has(0, "KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);"));
  CHECK(has(1, "void Tested_1_256("));
  CHECK(has(1, "tested<float, 3, 0>("));
  CHECK(has(1, "#define ORIG_DTYPE_X DT_FLOAT\n"));
}

TEST_CASE("tilings that the host describes are declared for the kernel", "[op_build]") {
  const std::string x = param("x", R"("types":[1])");
  const Description description =
      read_text(op(x, x), R"(["Inner","struct Inner {\n  uint32_t n;\n};\n"],)"
                          R"(["Tested","struct Whole {\n  Inner inner;\n};\n"])");
  const std::string text =
      kernel_sources(description.operators[0], "ascend910b", description.structures)[0].text;
  const std::size_t whole = text.find("struct Whole {\n  Inner inner;\n};\n");
  REQUIRE(whole != std::string::npos);
  CHECK(text.find("struct Inner {") < whole);
  CHECK(text.find("using aclsim_default_tiling = Whole;") > whole);
}

TEST_CASE("kernels whose tiling differs by key have no default one", "[op_build]") {
  const std::string x = param("x", R"("types":[1])");
  const Description description = read_text(
      op(x, x), R"(["Tested","struct Whole {\n};\n"],["Tested_7","struct Other {\n};\n"])");
  const std::string text =
      kernel_sources(description.operators[0], "ascend910b", description.structures)[0].text;
  CHECK(text.find("struct Other {") != std::string::npos);
  CHECK(text.find("using aclsim_default_tiling = aclsim_structures_differ_by_tiling_key;") !=
        std::string::npos);
}
