// SPDX-License-Identifier: Apache-2.0
// Lists of tensors, as dynamic inputs of operators come to kernels.
#include "tests/ascendc/rows.h"

namespace tensor_list {
namespace {

/// A list of two tensors, 2 x 3 and 4, whose elements are after it.
std::vector<std::uint64_t> list_at(std::uintptr_t address) {
  const std::uint64_t second = std::uint64_t{1} << 32;
  std::vector<std::uint64_t> words = {6 * 8, 2, 2, 3, second | 1, 4};
  words.push_back(address + 100 * 8);
  words.push_back(address + 110 * 8);
  return words;
}

void reads_list(GM_ADDR list, GM_ADDR out) {
  uint64_t shape[8] = {};
  AscendC::ListTensorDesc tensors;
  tensors.Init(list, 8 * 8, 2);
  AscendC::TensorDesc<int32_t> first, second;
  first.SetShapeAddr(shape);
  tensors.GetDesc(first, 0);
  tensors.GetDesc(second, 1);
  auto to = words(out);
  uint32_t at = 0;
  const auto put = [&](uint64_t value) { to.SetValue(at++, static_cast<int32_t>(value)); };
  put(tensors.GetSize());
  put(first.GetDim());
  put(first.GetIndex());
  put(shape[0]);
  put(first.GetShape(1));
  put(second.GetDim());
  put(second.GetIndex());
  put(second.GetShape(0));
  put(first.GetDataPtr() == reinterpret_cast<int32_t*>(list + 100 * 8));
  put(tensors.GetDataPtr<int32_t>(1) == second.GetDataPtr());
  put(static_cast<uint32_t>(second.GetDataObj().GetValue(0)));
}

void reads_third(GM_ADDR list, GM_ADDR) {
  AscendC::ListTensorDesc tensors(list);
  static_cast<void>(tensors.GetDataPtr<int32_t>(2));
}
void reads_third_dimension(GM_ADDR list, GM_ADDR) {
  AscendC::ListTensorDesc tensors(list);
  AscendC::TensorDesc<int32_t> first;
  tensors.GetDesc(first, 0);
  static_cast<void>(first.GetShape(2));
}
void reads_no_list(GM_ADDR list, GM_ADDR) { AscendC::ListTensorDesc tensors(list + 8); }
void reads_short_list(GM_ADDR list, GM_ADDR) { AscendC::ListTensorDesc tensors(list, 56); }
void reads_long_list(GM_ADDR list, GM_ADDR) { AscendC::ListTensorDesc tensors(list, 64, 3); }

template <void (*kernel)(GM_ADDR, GM_ADDR)>
std::vector<int32_t> run_on_list(std::string& text, bool fails) {
  Device device;
  const auto list = device.memory<std::uint64_t>(128);
  const auto address = reinterpret_cast<std::uintptr_t>(list.data());
  std::vector<std::uint64_t> content = list_at(address);
  content.resize(128);
  content[110] = 42;
  REQUIRE(aclrtMemcpy(list.data(), 1024, content.data(), 1024, ACL_MEMCPY_HOST_TO_DEVICE) == 0);
  const auto out = device.memory(std::vector<int32_t>(1024, 0));
  Said said;
  CHECK(KernelOf<kernel>::enqueue("kernel", ACLSIM_CORES_INFERRED, 1, nullptr,
                                  reinterpret_cast<GM_ADDR>(list.data()),
                                  reinterpret_cast<GM_ADDR>(out.data())) == 0);
  CHECK((device.synchronize() != 0) == fails);
  text = said.text();
  return out.host();
}

}  // namespace

TEST_CASE("a kernel reads the shapes and addresses of a list of tensors", "[list]") {
  std::string text;
  std::vector<int32_t> got = run_on_list<reads_list>(text, false);
  got.resize(11);
  CHECK(got == std::vector<int32_t>{2, 2, 0, 2, 3, 1, 1, 4, 1, 1, 42});
  CHECK(text == "");
}

TEST_CASE("a list of tensors that does not have what a kernel asks for ends the kernel", "[list]") {
  std::string text;
  run_on_list<reads_third>(text, true);
  CHECK(contains(text, "ListTensorDesc: index: 2; expected at most 1"));
  run_on_list<reads_third_dimension>(text, true);
  CHECK(contains(text, "TensorDesc::GetShape: offset: 2; expected at most 1"));
  run_on_list<reads_no_list>(text, true);
  CHECK(contains(text, "data is no list of tensors"));
  run_on_list<reads_short_list>(text, true);
  CHECK(contains(text, "the list is longer than length"));
  run_on_list<reads_long_list>(text, true);
  CHECK(contains(text, "the list does not have shapeSize tensors"));
}

}  // namespace tensor_list
