# SPDX-License-Identifier: Apache-2.0
# vector_calls.cpp for each architecture: the names of vector_names.tsv are declared, and every type of a
# row compiles. And what is not there is refused by name.
file(STRINGS "${CMAKE_CURRENT_SOURCE_DIR}/ascendc/vector_names.tsv" lines REGEX "^[A-Za-z]")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  "${CMAKE_CURRENT_SOURCE_DIR}/ascendc/vector_names.tsv")
foreach(arch 2201 3510)
  set(names "#define ACLSIM_NAMES(R)")
  foreach(line IN LISTS lines)
    string(REPLACE "\t" ";" fields "${line}")
    list(GET fields 0 name)
    list(GET fields 1 where)
    if(where STREQUAL "both" OR where STREQUAL arch)
      string(APPEND names " R(${name})")
    endif()
  endforeach()
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/vector_names_${arch}")
  file(CONFIGURE OUTPUT "${folder}/vector_names.inc" CONTENT "${names}\n" @ONLY)
  add_library(vector_calls_${arch} OBJECT ascendc/vector_calls.cpp)
  target_include_directories(vector_calls_${arch} PRIVATE ${ACLSIM_PUBLIC_INCLUDE} "${folder}")
  target_compile_definitions(vector_calls_${arch} PRIVATE __NPU_ARCH__=${arch})
  target_compile_options(vector_calls_${arch} PRIVATE -O0 -fno-sanitize=all)
  target_link_libraries(vector_calls_${arch} PRIVATE aclsim_warnings)
  set_target_properties(vector_calls_${arch} PROPERTIES CXX_STANDARD 17 UNITY_BUILD OFF)
endforeach()

# refuses(NAME CODE TEXT): a kernel with CODE does not compile, and the compiler says TEXT.
function(refuses name code text)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/vector_refused/${name}.cpp")
  set(header kernel_operator.h)
  if(code MATCHES "AscendC::Te")
    set(header tensor_api/tensor.h)
  endif()
  file(CONFIGURE OUTPUT "${source}" CONTENT
"#include \"ascendc/${header}\"
using namespace AscendC;
void kernel(LocalTensor<uint8_t> u8, LocalTensor<half> h, LocalTensor<float> f) {
  (void)u8; (void)h; (void)f;
  ${code}
}
" @ONLY)
  add_test(NAME ascendc.refuses.${name} COMMAND "${CMAKE_CXX_COMPILER}" -std=c++17 -fsyntax-only
    "-I${PROJECT_BINARY_DIR}/include" "${source}")
  set_tests_properties(ascendc.refuses.${name} PROPERTIES PASS_REGULAR_EXPRESSION "${text}")
endfunction()
refuses(type "Add(u8, u8, u8, 8);" "AscendC::Add: the tensors' type is none of: int16_t, half")
refuses(cast "Cast(u8, f, RoundMode::CAST_RINT, 8);" "AscendC::Cast: no such types")
refuses(scatter "Scatter(f, f, f.ReinterpretCast<uint32_t>(), 0, 8);" "AscendC::Scatter: not on")
refuses(padding "VectorPadding(f, f, 0, false, 8);" "AscendC::VectorPadding: not supported")
refuses(compact "GlobalTensor<half> g; DataCopyPad<half, PaddingMode::Compact>(g, h, DataCopyParams{});"
  "PaddingMode::Compact needs architecture 3510")
refuses(scalar_atomic "int32_t n = 0; AtomicAdd(&n, 1);" "AscendC::AtomicAdd is not emulated")
refuses(tensor_api "using namespace AscendC::Te; float x[8]; const auto t = MakeTensor(MakeMemPtr(x), MakeFrameLayout<NDExtLayoutPtn>(1, 8)); Copy(MakeCopy(CopyGM2UB{}), MakeTensor(MakeMemPtr<Location::UB>(x), t.Layout()), t);"
  "AscendC::Te::Copy needs architecture 3510")

refuses(atomic "SetAtomicAdd<int64_t>();" "AscendC::SetAtomicAdd: the tensors' type is none of: int8_t, int16_t")
refuses(atomic_type "SetAtomicType<uint8_t>();" "AscendC::SetAtomicType: the tensors' type is none of: int8_t")
refuses(division "uint16_t a, b; GetUintDivMagicAndShift<uint16_t>(a, b, 3);"
  "AscendC::GetUintDivMagicAndShift: the tensors' type is none of: uint32_t")
refuses(mode_of_flag "CrossCoreSetFlag<3, PIPE_V>(1);" "AscendC::CrossCoreSetFlag: modeId is 0, 1, 2 or 4")
refuses(c_interface "}
#include <ascendc/c_api/asc_simd.h>
void other() { asc_mmad(1);" "asc_mmad is not emulated")
refuses(registers "}
__simd_vf__ void other() {" "__simd_vf__ functions need architecture 3510")

refuses(trait "LocalTensor<TensorTrait<half, TPosition::VECCALC>> t(TPosition::VECCALC, 0, 8);"
  "AscendC::TensorTrait is not emulated")
refuses(alloc "LocalMemAllocator<> memory; memory.Alloc<half>();" "Alloc without a size takes a TensorTrait")
refuses(block_local "}
__block_local__ int counter; void other() {" "__block_local__ variables need bisheng; expected a variable of the kernel")
refuses(workgroup_local "}
__workgroup_local__ int counter; void other() {" "__workgroup_local__ variables need bisheng")
refuses(grid "}
#include <ascendc/simt_api/cooperative_groups.h>
void other() { cooperative_groups::this_grid().sync();" "cooperative_groups::this_grid is not emulated")
refuses(labels "}
#include <ascendc/simt_api/cooperative_groups.h>
void other() { cooperative_groups::labeled_partition(1, 2);" "cooperative_groups::labeled_partition is not emulated")
refuses(wide_tile "}
#include <ascendc/simt_api/cooperative_groups.h>
void other(cooperative_groups::thread_block_tile<64> tile) { tile.ballot(1);"
  "tiles of more than 32 threads have sync, shfl, any and all")
refuses(atomic_word "}
#include <ascendc/simt_api/asc_simt.h>
void other(float* x) { asc_atomic_and(x, 1.0F);" "asc_atomic_and: the type is not an integer of 4 or 8 bytes")
refuses(dump_of_registers "}
#include <ascendc/utils/debug/asc_dump.h>
void other() { int r = 0; asc_dump_reg<int>(r, 1, 1);" "asc_dump_reg needs architecture 3510")
refuses(reg_tensor "AscendC::Reg::RegTensor<float> r;" "AscendC::Reg::RegTensor needs architecture 3510")
refuses(reg_load "int r; Reg::LoadAlign(r, f.GetPhyAddr());" "AscendC::Reg::LoadAlign needs architecture 3510")
refuses(reg_mask "Reg::CreateMask<float>();" "AscendC::Reg::CreateMask needs architecture 3510")
refuses(reg_values "int r; MicroAPI::ReduceDataBlock<ReduceType::SUM>(r, r);" "AscendC::Reg::ReduceDataBlock needs architecture 3510")
refuses(reg_type_and_value "int r; Reg::Compare<float, CMPMODE::LT>(r, r, r);" "AscendC::Reg::Compare needs architecture 3510")
refuses(lock "Mutex::Lock<PIPE_V>(0);" "AscendC::Mutex::Lock needs architecture 3510")
refuses(spill "TPipe p; p.InitSpmBuffer(GlobalTensor<half>(), 8);" "AscendC::TPipe::InitSpmBuffer is not emulated")
refuses(tiling_batch "}
#include <tiling/tiling_api.h>
void other(matmul_tiling::BatchMatmulTiling& t) { t.SetBatch();" "matmul_tiling::SetBatch is not emulated")
refuses(mc2 "}
#include <register/op_def_registry.h>
void other(ops::OpDef& op) { op.MC2();" "ops::OpDef::MC2 is not emulated")

# The high-level library, whose functions have headers of their own, by their present and their older paths.
refuses(library_type "}
#include <ascendc/adv_api/math/sin.h>
void other(LocalTensor<int32_t> i) { Sin(i, i, 8);" "AscendC::Sin: there is no such function for this type of tensor")
refuses(library_arch "}
#include <ascendc/lib/math/fma.h>
void other(LocalTensor<float> f) { Fma(f, f, f, f, 8);" "AscendC::Fma: there is no such function for this type of tensor")
refuses(quantised_type "}
#include <ascendc/adv_api/quantization/ascend_quant.h>
void other(LocalTensor<int8_t> d, LocalTensor<int32_t> s) { AscendQuant<int32_t>(d, s, 1.0F, 0.0F, 8);"
  "AscendC::AscendQuant: there is no such function for this type")
refuses(dequantised_types "}
#include <ascendc/lib/quantization/ascend_dequant.h>
void other(LocalTensor<half> d, LocalTensor<int32_t> s, LocalTensor<float> f) { AscendDequant(d, s, f, {1, 8, 8});"
  "AscendC::AscendDequant: there is no such function for these types of dst, scale and")
# The cube unit.
refuses(mmad_type "LocalTensor<hifloat8_t> n; Mmad(f, n, n, MmadParams());" "AscendC::Mmad: this type of fm needs architecture 3510")
refuses(mmad_scales "Mmad(f, h, h, MmadParams()); MmadMx(f, h, h, MmadParams());" "AscendC::MmadMx is not emulated")
refuses(sparse_type "MmadWithSparse(f, h, h, MmadParams());" "AscendC::MmadWithSparse: the types of dst and fm are not int32_t and int8_t")
refuses(load_image "LoadImageToLocal(h, LoadImageToLocalParams());" "AscendC::LoadImageToLocal is not emulated")
# The parameter types of these functions are declared, so that the compiler understands a kernel up to the call.
refuses(loop_mode "LoopModeParams p; p.loop1Size = 1; SetLoopModePara(p, DataCopyMVType::OUT_TO_UB);"
  "AscendC::SetLoopModePara is not emulated")
refuses(many_dimensions "GlobalTensor<half> g; MultiCopyParams<half, 3> p; p.loopInfo.loopSize[2] = 1; DataCopy<half, 3>(h, g, p);"
  "AscendC::DataCopy with NdDmaParams needs architecture 3510")
refuses(library_topk "}
#include <ascendc/lib/sort/topk.h>
void other(LocalTensor<float> f, LocalTensor<int32_t> i) {
  static constexpr TopKConfig radix = {TopKAlgo::RADIX_SELECT, TopKOrder::UNSET, true};
  TopkTiling tiling; TopKInfo info; info.outter = 2;
  TopK<float, true, false, false, TopKMode::TOPK_NORMAL, radix>(f, i, f, i, LocalTensor<bool>(), 4, tiling, info);"
  "AscendC::TopK: architecture 2201 has no RADIX_SELECT")
refuses(library_pattern "}
#include <ascendc/lib/reduce/reduce.h>
void other(LocalTensor<float> f, LocalTensor<uint8_t> u8) {
  uint32_t shape[3] = {8, 8, 8}; ReduceSum<float, Pattern::Reduce::ARA>(f, f, u8, shape, true);"
  "AscendC::ReduceSum: the pattern is neither AR nor RA")
refuses(library_pad "}
#include <ascendc/lib/pad/pad.h>
void other(LocalTensor<int8_t> s8, LocalTensor<uint8_t> u8) {
  PadParams params = {1, 2, 3}; PadTiling tiling; Pad(s8, s8, params, u8, tiling);"
  "AscendC::Pad: there is no such function for this type of tensor")

# The same of the Matmul object, whose header is one of its own.
function(refuses_matmul name types code text)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/vector_refused/matmul_${name}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT
"#include \"ascendc/lib/matmul_intf.h\"
using namespace AscendC;
using Half = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using Short = MatmulType<TPosition::GM, CubeFormat::ND, int16_t>;
using Squares = MatmulType<TPosition::GM, CubeFormat::ZZ, half>;
void kernel() {
  Matmul<${types}> product;
  ${code}
}
" @ONLY)
  add_test(NAME ascendc.refuses.matmul_${name} COMMAND "${CMAKE_CXX_COMPILER}" -std=c++17 -fsyntax-only
    "-I${PROJECT_BINARY_DIR}/include" "${source}")
  set_tests_properties(ascendc.refuses.matmul_${name} PROPERTIES PASS_REGULAR_EXPRESSION "${text}")
endfunction()
refuses_matmul(types "Half, Half, Short" "" "AscendC::Matmul: half, bfloat16_t, float, fp8, fp4 and hifloat8_t make half, bfloat16_t or float")
refuses_matmul(format "Squares, Half, Half" "" "of the formats ND, NZ, ND_ALIGN, VECTOR and COLUMN_MAJOR")
refuses_matmul(quant "Half, Half, Half" "product.SetQuantScalar(1);" "AscendC::Matmul: results of this type have no parameter of quantisation")
refuses_matmul(batch "Half, Half, Half" "product.GetBatchTensorC(LocalTensor<half>(), 1, 1);"
  "AscendC::Matmul::GetBatchTensorC into local memory is not emulated")
