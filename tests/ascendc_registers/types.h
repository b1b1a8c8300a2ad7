// SPDX-License-Identifier: Apache-2.0
// The types of C++ behind the names of element types in rows.
#pragma once

#define TYPE_BOOL bool
#define TYPE_S8 std::int8_t
#define TYPE_U8 std::uint8_t
#define TYPE_S16 std::int16_t
#define TYPE_U16 std::uint16_t
#define TYPE_F16 half
#define TYPE_BF bfloat16_t
#define TYPE_S32 std::int32_t
#define TYPE_U32 std::uint32_t
#define TYPE_F32 float
#define TYPE_S64 std::int64_t
#define TYPE_U64 std::uint64_t
