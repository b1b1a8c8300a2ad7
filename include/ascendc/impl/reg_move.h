/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads and stores of registers and masks. The older name of the aligned ones is DataCopy.
 */
#ifndef ASCENDC_IMPL_REG_MOVE_H_
#define ASCENDC_IMPL_REG_MOVE_H_

#include "ascendc/impl/reg_mask.h"

namespace aclsim_reg {

using AscendC::Reg::LoadDist;
using AscendC::Reg::PostLiteral;
using AscendC::Reg::StoreDist;

template <typename U>
constexpr aclsimRegForm form_of(uint16_t operation, uint8_t flags = 0) {
  aclsimRegForm form{};
  form.operation = operation;
  form.element = aclsim_element::of<typename U::ActualT>;
  /* Types that the emulator only moves count by their size. */
  if (form.element == ACLSIM_OTHER_ELEMENT || form.element == ACLSIM_BOOL ||
      form.element == ACLSIM_INT4) {
    constexpr size_t kBytes = sizeof(typename U::ActualT);
    form.element = kBytes == 1   ? ACLSIM_UINT8
                   : kBytes == 2 ? ACLSIM_UINT16
                   : kBytes == 4 ? ACLSIM_UINT32
                                 : ACLSIM_UINT64;
  }
  form.flags = static_cast<uint8_t>(flags | (U::REG_NUM == 2 ? ACLSIM_REG_TWICE : 0));
  return form;
}

template <typename T, typename U>
constexpr void require_size() {
  static_assert(
      std::is_same_v<T, AscendC::Reg::DefaultType> || sizeof(T) == sizeof(typename U::ActualT),
      "AscendC::Reg: the elements in memory and in the register differ in size");
}

constexpr bool is_dual(LoadDist dist) {
  return dist == LoadDist::DIST_DINTLV_B8 || dist == LoadDist::DIST_DINTLV_B16 ||
         dist == LoadDist::DIST_DINTLV_B32;
}
constexpr bool is_dual(StoreDist dist) {
  return dist == StoreDist::DIST_INTLV_B8 || dist == StoreDist::DIST_INTLV_B16 ||
         dist == StoreDist::DIST_INTLV_B32;
}
constexpr bool is_known(LoadDist dist) {
  return dist != LoadDist::DIST_BDINTLV && dist != LoadDist::DIST_SPLT4CHN_B8 &&
         dist != LoadDist::DIST_SPLT2CHN_B8 && dist != LoadDist::DIST_SPLT2CHN_B16;
}
constexpr bool is_known(StoreDist dist) {
  return dist != StoreDist::DIST_MRG4CHN_B8 && dist != StoreDist::DIST_MRG2CHN_B8 &&
         dist != StoreDist::DIST_MRG2CHN_B16;
}

#define ACLSIM_DIST_KNOWN(Name)             \
  static_assert(aclsim_reg::is_known(dist), \
                "AscendC::Reg::" Name ": this distribution is not emulated (docs/kernels.md)")

template <LoadDist dist, typename T, typename U>
ACLSIM_THROUGH void load(U& dst, T* from) {
  ACLSIM_DIST_KNOWN("LoadAlign");
  static_assert(!is_dual(dist), "AscendC::Reg::LoadAlign: this distribution has two registers");
  constexpr aclsimRegForm kForm = form_of<U>(static_cast<uint16_t>(dist));
  aclsimRegLoad(kForm, dst.aclsim_bytes, nullptr, from);
}
template <LoadDist dist, typename T, typename U>
ACLSIM_THROUGH void load(U& dst0, U& dst1, T* from) {
  static_assert(is_dual(dist), "AscendC::Reg::LoadAlign: this distribution has one register");
  constexpr aclsimRegForm kForm = form_of<U>(static_cast<uint16_t>(dist));
  aclsimRegLoad(kForm, dst0.aclsim_bytes, dst1.aclsim_bytes, from);
}
template <StoreDist dist, typename T, typename U>
ACLSIM_THROUGH void store(T* to, U& src, MaskReg& mask) {
  ACLSIM_DIST_KNOWN("StoreAlign");
  static_assert(!is_dual(dist), "AscendC::Reg::StoreAlign: this distribution has two registers");
  constexpr aclsimRegForm kForm = form_of<U>(static_cast<uint16_t>(dist));
  aclsimRegStore(kForm, to, src.aclsim_bytes, nullptr, &mask);
}
template <StoreDist dist, typename T, typename U>
ACLSIM_THROUGH void store(T* to, U& src0, U& src1, MaskReg& mask) {
  static_assert(is_dual(dist), "AscendC::Reg::StoreAlign: this distribution has one register");
  constexpr aclsimRegForm kForm = form_of<U>(static_cast<uint16_t>(dist));
  aclsimRegStore(kForm, to, src0.aclsim_bytes, src1.aclsim_bytes, &mask);
}

template <typename T>
ACLSIM_THROUGH T* at_blocks(T* from, uint32_t blocks) {
  return from + static_cast<int64_t>(blocks) * (32 / static_cast<int64_t>(sizeof(T)));
}
template <typename T>
ACLSIM_THROUGH T* at_bytes(T* from, int64_t bytes) {
  return reinterpret_cast<T*>(reinterpret_cast<intptr_t>(from) + bytes);
}

constexpr aclsimRegForm mask_dist(AscendC::Reg::MaskDist dist) {
  aclsimRegForm form{};
  form.operation = static_cast<uint16_t>(dist);
  return form;
}

}  // namespace aclsim_reg

namespace AscendC {
namespace Reg {

#define ACLSIM_IF_REG(U) aclsim_reg::if_reg<U> = 0
#define ACLSIM_UPDATES (postMode == PostLiteral::POST_MODE_UPDATE)

#define ACLSIM_REG_LOADS(Name)                                                                   \
  template <typename T = DefaultType, LoadDist dist = LoadDist::DIST_NORM, typename U,           \
            ACLSIM_IF_REG(U)>                                                                    \
  ACLSIM_THROUGH void Name(U& dstReg, __ubuf__ T* srcAddr) {                                     \
    aclsim_reg::load<dist>(dstReg, srcAddr);                                                     \
  }                                                                                              \
  template <typename T = DefaultType, PostLiteral postMode, LoadDist dist = LoadDist::DIST_NORM, \
            typename U, ACLSIM_IF_REG(U)>                                                        \
  ACLSIM_THROUGH void Name(U& dstReg, __ubuf__ T*& srcAddr, int32_t postUpdateStride) {          \
    aclsim_reg::load<dist>(dstReg, ACLSIM_UPDATES ? srcAddr : srcAddr + postUpdateStride);       \
    if (ACLSIM_UPDATES) srcAddr += postUpdateStride;                                             \
  }                                                                                              \
  template <typename T = DefaultType, LoadDist dist = LoadDist::DIST_NORM, typename U,           \
            ACLSIM_IF_REG(U)>                                                                    \
  ACLSIM_THROUGH void Name(U& dstReg, __ubuf__ T* srcAddr, AddrReg offset) {                     \
    aclsim_reg::load<dist>(dstReg, srcAddr + offset.aclsim_offset);                              \
  }                                                                                              \
  template <typename T = DefaultType, LoadDist dist, typename U, ACLSIM_IF_REG(U)>               \
  ACLSIM_THROUGH void Name(U& dstReg0, U& dstReg1, __ubuf__ T* srcAddr) {                        \
    aclsim_reg::load<dist>(dstReg0, dstReg1, srcAddr);                                           \
  }                                                                                              \
  template <typename T = DefaultType, PostLiteral postMode, LoadDist dist, typename U,           \
            ACLSIM_IF_REG(U)>                                                                    \
  ACLSIM_THROUGH void Name(U& dstReg0, U& dstReg1, __ubuf__ T*& srcAddr,                         \
                           int32_t postUpdateStride) {                                           \
    aclsim_reg::load<dist>(dstReg0, dstReg1,                                                     \
                           ACLSIM_UPDATES ? srcAddr : srcAddr + postUpdateStride);               \
    if (ACLSIM_UPDATES) srcAddr += postUpdateStride;                                             \
  }                                                                                              \
  template <typename T = DefaultType, LoadDist dist, typename U, ACLSIM_IF_REG(U)>               \
  ACLSIM_THROUGH void Name(U& dstReg0, U& dstReg1, __ubuf__ T* srcAddr, AddrReg offset) {        \
    aclsim_reg::load<dist>(dstReg0, dstReg1, srcAddr + offset.aclsim_offset);                    \
  }                                                                                              \
  template <typename T = DefaultType, DataCopyMode dataMode, typename U, ACLSIM_IF_REG(U)>       \
  ACLSIM_THROUGH void Name(U& dstReg, __ubuf__ T* srcAddr, uint32_t dataBlockStride,             \
                           MaskReg& mask) {                                                      \
    constexpr aclsimRegForm kForm = aclsim_reg::form_of<U>(0);                                   \
    aclsimRegLoadBlocks(kForm, dstReg.aclsim_bytes, srcAddr, dataBlockStride, &mask);            \
  }                                                                                              \
  template <typename T = DefaultType, DataCopyMode dataMode, PostLiteral postMode, typename U,   \
            ACLSIM_IF_REG(U)>                                                                    \
  ACLSIM_THROUGH void Name(U& dstReg, __ubuf__ T*& srcAddr, uint32_t dataBlockStride,            \
                           uint32_t repeatStride, MaskReg& mask) {                               \
    __ubuf__ T* const next = aclsim_reg::at_blocks(srcAddr, repeatStride);                       \
    constexpr aclsimRegForm kForm = aclsim_reg::form_of<U>(0);                                   \
    aclsimRegLoadBlocks(kForm, dstReg.aclsim_bytes, ACLSIM_UPDATES ? srcAddr : next,             \
                        dataBlockStride, &mask);                                                 \
    if (ACLSIM_UPDATES) srcAddr = next;                                                          \
  }                                                                                              \
  template <typename T, MaskDist dist = MaskDist::DIST_NORM>                                     \
  ACLSIM_THROUGH void Name(MaskReg& mask, __ubuf__ T* srcAddr) {                                 \
    aclsimRegLoadMask(aclsim_reg::mask_dist(dist), &mask, srcAddr);                              \
  }                                                                                              \
  template <typename T, MaskDist dist = MaskDist::DIST_NORM>                                     \
  ACLSIM_THROUGH void Name(MaskReg& mask, __ubuf__ T* srcAddr, AddrReg offset) {                 \
    aclsimRegLoadMask(aclsim_reg::mask_dist(dist), &mask, srcAddr + offset.aclsim_offset);       \
  }                                                                                              \
  template <typename T, PostLiteral postMode, MaskDist dist = MaskDist::DIST_NORM>               \
  ACLSIM_THROUGH void Name(MaskReg& mask, __ubuf__ T*& srcAddr, int32_t offset) {                \
    __ubuf__ T* const next = aclsim_reg::at_bytes(srcAddr, offset);                              \
    aclsimRegLoadMask(aclsim_reg::mask_dist(dist), &mask, ACLSIM_UPDATES ? srcAddr : next);      \
    if (ACLSIM_UPDATES) srcAddr = next;                                                          \
  }

#define ACLSIM_REG_STORES(Name)                                                                    \
  template <typename T = DefaultType, StoreDist dist = StoreDist::DIST_NORM, typename U,           \
            ACLSIM_IF_REG(U)>                                                                      \
  ACLSIM_THROUGH void Name(__ubuf__ T* dstAddr, U& srcReg, MaskReg& mask) {                        \
    aclsim_reg::store<dist>(dstAddr, srcReg, mask);                                                \
  }                                                                                                \
  template <typename T = DefaultType, PostLiteral postMode, StoreDist dist = StoreDist::DIST_NORM, \
            typename U, ACLSIM_IF_REG(U)>                                                          \
  ACLSIM_THROUGH void Name(__ubuf__ T*& dstAddr, U& srcReg, int32_t postUpdateStride,              \
                           MaskReg& mask) {                                                        \
    aclsim_reg::store<dist>(ACLSIM_UPDATES ? dstAddr : dstAddr + postUpdateStride, srcReg, mask);  \
    if (ACLSIM_UPDATES) dstAddr += postUpdateStride;                                               \
  }                                                                                                \
  template <typename T = DefaultType, StoreDist dist = StoreDist::DIST_NORM, typename U,           \
            ACLSIM_IF_REG(U)>                                                                      \
  ACLSIM_THROUGH void Name(__ubuf__ T* dstAddr, U& srcReg, AddrReg offset, MaskReg& mask) {        \
    aclsim_reg::store<dist>(dstAddr + offset.aclsim_offset, srcReg, mask);                         \
  }                                                                                                \
  template <typename T = DefaultType, StoreDist dist, typename U, ACLSIM_IF_REG(U)>                \
  ACLSIM_THROUGH void Name(__ubuf__ T* dstAddr, U& srcReg0, U& srcReg1, MaskReg& mask) {           \
    aclsim_reg::store<dist>(dstAddr, srcReg0, srcReg1, mask);                                      \
  }                                                                                                \
  template <typename T = DefaultType, StoreDist dist, typename U, ACLSIM_IF_REG(U)>                \
  ACLSIM_THROUGH void Name(__ubuf__ T* dstAddr, U& srcReg0, U& srcReg1, AddrReg offset,            \
                           MaskReg& mask) {                                                        \
    aclsim_reg::store<dist>(dstAddr + offset.aclsim_offset, srcReg0, srcReg1, mask);               \
  }                                                                                                \
  template <typename T = DefaultType, DataCopyMode dataMode, typename U, ACLSIM_IF_REG(U)>         \
  ACLSIM_THROUGH void Name(__ubuf__ T* dstAddr, U& srcReg, uint32_t dataBlockStride,               \
                           MaskReg& mask) {                                                        \
    constexpr aclsimRegForm kForm = aclsim_reg::form_of<U>(0);                                     \
    aclsimRegStoreBlocks(kForm, dstAddr, srcReg.aclsim_bytes, dataBlockStride, &mask);             \
  }                                                                                                \
  template <typename T = DefaultType, DataCopyMode dataMode, PostLiteral postMode, typename U,     \
            ACLSIM_IF_REG(U)>                                                                      \
  ACLSIM_THROUGH void Name(__ubuf__ T*& dstAddr, U& srcReg, uint32_t dataBlockStride,              \
                           uint32_t repeatStride, MaskReg& mask) {                                 \
    __ubuf__ T* const next = aclsim_reg::at_blocks(dstAddr, repeatStride);                         \
    constexpr aclsimRegForm kForm = aclsim_reg::form_of<U>(0);                                     \
    aclsimRegStoreBlocks(kForm, ACLSIM_UPDATES ? dstAddr : next, srcReg.aclsim_bytes,              \
                         dataBlockStride, &mask);                                                  \
    if (ACLSIM_UPDATES) dstAddr = next;                                                            \
  }                                                                                                \
  template <typename T, MaskDist dist = MaskDist::DIST_NORM>                                       \
  ACLSIM_THROUGH void Name(__ubuf__ T* dstAddr, MaskReg& mask) {                                   \
    aclsimRegStoreMask(aclsim_reg::mask_dist(dist), dstAddr, &mask);                               \
  }                                                                                                \
  template <typename T, MaskDist dist = MaskDist::DIST_NORM>                                       \
  ACLSIM_THROUGH void Name(__ubuf__ T* dstAddr, MaskReg& mask, AddrReg offset) {                   \
    aclsimRegStoreMask(aclsim_reg::mask_dist(dist), dstAddr + offset.aclsim_offset, &mask);        \
  }                                                                                                \
  template <typename T, PostLiteral postMode, MaskDist dist = MaskDist::DIST_NORM>                 \
  ACLSIM_THROUGH void Name(__ubuf__ T*& dstAddr, MaskReg& mask, int32_t offset) {                  \
    __ubuf__ T* const next = aclsim_reg::at_bytes(dstAddr, offset);                                \
    aclsimRegStoreMask(aclsim_reg::mask_dist(dist), ACLSIM_UPDATES ? dstAddr : next, &mask);       \
    if (ACLSIM_UPDATES) dstAddr = next;                                                            \
  }

ACLSIM_REG_LOADS(LoadAlign)
ACLSIM_REG_LOADS(DataCopy)
ACLSIM_REG_STORES(StoreAlign)
ACLSIM_REG_STORES(DataCopy)
#undef ACLSIM_REG_LOADS
#undef ACLSIM_REG_STORES

/* ---- at any address ---- */

#define ACLSIM_REG_UNALIGNED(Pre, Load, Store, Post)                                         \
  template <typename T>                                                                      \
  ACLSIM_THROUGH void Pre(UnalignRegForLoad& ureg, __ubuf__ T* srcAddr) {                    \
    aclsimRegLoadPre(&ureg, srcAddr);                                                        \
  }                                                                                          \
  template <typename T>                                                                      \
  ACLSIM_THROUGH void Pre(UnalignRegForLoad& ureg, __ubuf__ T* srcAddr, AddrReg& areg) {     \
    aclsimRegLoadPre(&ureg, srcAddr + areg.aclsim_offset);                                   \
  }                                                                                          \
  template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE,  \
            typename U, ACLSIM_IF_REG(U)>                                                    \
  ACLSIM_THROUGH void Load(U& dstReg, UnalignRegForLoad& ureg, __ubuf__ T*& srcAddr,         \
                           uint32_t postUpdateStride) {                                      \
    constexpr aclsimRegForm kForm = aclsim_reg::form_of<U>(0);                               \
    aclsimRegLoadUnaligned(kForm, dstReg.aclsim_bytes, &ureg,                                \
                           ACLSIM_UPDATES ? srcAddr : srcAddr + postUpdateStride);           \
    if (ACLSIM_UPDATES) srcAddr += postUpdateStride;                                         \
  }                                                                                          \
  template <typename T = DefaultType, typename U, ACLSIM_IF_REG(U)>                          \
  ACLSIM_THROUGH void Load(U& dstReg, UnalignRegForLoad& ureg, __ubuf__ T* srcAddr) {        \
    constexpr aclsimRegForm kForm = aclsim_reg::form_of<U>(0);                               \
    aclsimRegLoadUnaligned(kForm, dstReg.aclsim_bytes, &ureg, srcAddr);                      \
  }                                                                                          \
  template <typename T = DefaultType, typename U, ACLSIM_IF_REG(U)>                          \
  ACLSIM_THROUGH void Load(U& dstReg, UnalignRegForLoad& ureg, __ubuf__ T*& srcAddr,         \
                           AddrReg& areg, uint32_t) {                                        \
    constexpr aclsimRegForm kForm = aclsim_reg::form_of<U>(0);                               \
    aclsimRegLoadUnaligned(kForm, dstReg.aclsim_bytes, &ureg, srcAddr + areg.aclsim_offset); \
  }                                                                                          \
  template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE,  \
            typename U, ACLSIM_IF_REG(U)>                                                    \
  ACLSIM_THROUGH void Store(__ubuf__ T*& dstAddr, U& srcReg, UnalignRegForStore& ureg,       \
                            uint32_t postUpdateStride) {                                     \
    constexpr aclsimRegForm kForm = aclsim_reg::form_of<U>(0);                               \
    aclsimRegStoreUnaligned(kForm, dstAddr, srcReg.aclsim_bytes, &ureg,                      \
                            postUpdateStride * sizeof(typename U::ActualT));                 \
    if (ACLSIM_UPDATES) dstAddr += postUpdateStride;                                         \
  }                                                                                          \
  template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE,  \
            typename U, ACLSIM_IF_REG(U)>                                                    \
  ACLSIM_THROUGH void Store(__ubuf__ T*& dstAddr, U& srcReg, UnalignRegForStore& ureg,       \
                            AddrReg& areg) {                                                 \
    constexpr aclsimRegForm kForm = aclsim_reg::form_of<U>(0);                               \
    aclsimRegStoreUnaligned(kForm, dstAddr + areg.aclsim_offset, srcReg.aclsim_bytes, &ureg, \
                            sizeof srcReg.aclsim_bytes);                                     \
  }                                                                                          \
  template <typename T = DefaultType, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE,  \
            typename U, ACLSIM_IF_REG(U)>                                                    \
  ACLSIM_THROUGH void Store(__ubuf__ T* dstAddr, U& srcReg, UnalignRegForStore& ureg) {      \
    constexpr aclsimRegForm kForm =                                                          \
        aclsim_reg::form_of<U>(0, ACLSIM_UPDATES ? ACLSIM_REG_UPDATES : 0);                  \
    aclsimRegStoreSqueezed(kForm, dstAddr, srcReg.aclsim_bytes, &ureg);                      \
  }                                                                                          \
  template <typename T>                                                                      \
  ACLSIM_THROUGH void Store(__ubuf__ T*& dstAddr, MaskReg& mask, UnalignRegForStore& ureg) { \
    static_assert(sizeof(T) == 2 || sizeof(T) == 4,                                          \
                  "AscendC::Reg::" #Store ": masks need elements of 2 or 4 bytes");          \
    aclsimRegForm form{};                                                                    \
    form.element = sizeof(T) == 2 ? ACLSIM_UINT16 : ACLSIM_UINT32;                           \
    const uint64_t bytes = aclsimRegStoreMaskUnaligned(form, dstAddr, &mask, &ureg);         \
    dstAddr += bytes / sizeof(T);                                                            \
  }                                                                                          \
  template <typename T, PostLiteral postMode = PostLiteral::POST_MODE_UPDATE>                \
  ACLSIM_THROUGH void Post(__ubuf__ T*& dstAddr, UnalignRegForStore& ureg,                   \
                           int32_t postUpdateStride) {                                       \
    aclsimRegStorePost(dstAddr, &ureg);                                                      \
    if (ACLSIM_UPDATES) dstAddr += postUpdateStride;                                         \
  }                                                                                          \
  template <typename T>                                                                      \
  ACLSIM_THROUGH void Post(__ubuf__ T*& dstAddr, UnalignRegForStore& ureg, AddrReg&) {       \
    aclsimRegStorePost(dstAddr, &ureg);                                                      \
  }                                                                                          \
  template <typename T>                                                                      \
  ACLSIM_THROUGH void Post(__ubuf__ T* dstAddr, UnalignRegForStore& ureg) {                  \
    aclsimRegStorePost(dstAddr, &ureg);                                                      \
  }
ACLSIM_REG_UNALIGNED(LoadUnAlignPre, LoadUnAlign, StoreUnAlign, StoreUnAlignPost)
ACLSIM_REG_UNALIGNED(DataCopyUnAlignPre, DataCopyUnAlign, DataCopyUnAlign, DataCopyUnAlignPost)
#undef ACLSIM_REG_UNALIGNED

template <typename T = DefaultType, typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void Load(U& dstReg, __ubuf__ T* srcAddr) {
  UnalignRegForLoad ureg;
  LoadUnAlignPre(ureg, srcAddr);
  LoadUnAlign(dstReg, ureg, srcAddr);
}
template <typename T = DefaultType, typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void Store(__ubuf__ T* dstAddr, U& srcReg, uint32_t count) {
  UnalignRegForStore ureg;
  StoreUnAlign(dstAddr, srcReg, ureg, count);
  StoreUnAlignPost(dstAddr, ureg, 0);
}
template <typename T = DefaultType, typename U, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void Store(__ubuf__ T* dstAddr, U& srcReg) {
  Store(dstAddr, srcReg, U::aclsim_lanes);
}

/* ---- by indices ---- */

template <typename T0 = DefaultType, typename T1, typename T2 = DefaultType, typename T3,
          typename T4, ACLSIM_IF_REG(T3)>
ACLSIM_THROUGH void Gather(T3& dstReg, __ubuf__ T1* baseAddr, T4& index, MaskReg& mask) {
  static_assert(sizeof(T1) == sizeof(typename T3::ActualT) || sizeof(T1) == 1,
                "AscendC::Reg::Gather: the elements in memory and in the register differ");
  aclsimRegForm form = aclsim_reg::form_of<T3>(0);
  form.source = aclsim_reg::form_of<RegTensor<T1>>(0).element;
  form.mode = aclsim_reg::form_of<T4>(0).element;
  aclsimRegGather(form, dstReg.aclsim_bytes, baseAddr, index.aclsim_bytes, &mask);
}
template <typename T = DefaultType, typename U, typename S, ACLSIM_IF_REG(U)>
ACLSIM_THROUGH void GatherB(U& dstReg, __ubuf__ T* baseAddr, S& index, MaskReg& mask) {
  aclsimRegGatherBlocks(aclsim_reg::form_of<U>(0), dstReg.aclsim_bytes, baseAddr,
                        index.aclsim_bytes, &mask);
}
template <typename T = DefaultType, typename U = DefaultType, typename S, typename V,
          ACLSIM_IF_REG(S)>
ACLSIM_THROUGH void Scatter(__ubuf__ T* baseAddr, S& srcReg, V& index, MaskReg& mask) {
  /* The even elements of one byte are stored, and the odd ones are not. */
  constexpr bool kBytes = sizeof(typename S::ActualT) == 1;
  aclsimRegForm form = aclsim_reg::form_of<S>(0);
  form.source = form.element;
  if (kBytes) form.element = ACLSIM_UINT16;
  form.mode = aclsim_reg::form_of<V>(0).element;
  aclsimRegScatter(form, baseAddr, srcReg.aclsim_bytes, index.aclsim_bytes, &mask);
}
template <typename T0 = DefaultType, typename T1, typename T2 = DefaultType, typename T3,
          typename T4>
ACLSIM_THROUGH void DataCopyGather(T3& dstReg, __ubuf__ T1* baseAddr, T4& index, MaskReg& mask) {
  Gather(dstReg, baseAddr, index, mask);
}
template <typename T = DefaultType, typename U, typename S>
ACLSIM_THROUGH void DataCopyGatherB(U& dstReg, __ubuf__ T* baseAddr, S& index, MaskReg& mask) {
  GatherB(dstReg, baseAddr, index, mask);
}
template <typename T = DefaultType, typename U = DefaultType, typename S, typename V>
ACLSIM_THROUGH void DataCopyScatter(__ubuf__ T* baseAddr, S& srcReg, V& index, MaskReg& mask) {
  Scatter(baseAddr, srcReg, index, mask);
}

}  // namespace Reg
}  // namespace AscendC

#endif /* ASCENDC_IMPL_REG_MOVE_H_ */
