// SPDX-License-Identifier: Apache-2.0
// C structures that Python programs see as dicts: their fields, and the conversion both ways.
#pragma once

#include <cstring>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "acl/acl.h"
#include "acl/acl_sim.h"
#include "pyacl/convert.h"

namespace pyacl {

template <class Member>
struct Field {
  const char* key;
  Member member;
};
template <class Member>
Field(const char*, Member) -> Field<Member>;

/// `list` names the fields of the dict, in order.
template <class T>
struct Fields;

template <>
struct Fields<aclrtMemLocation> {
  static constexpr auto list =
      std::tuple{Field{"id", &aclrtMemLocation::id}, Field{"type", &aclrtMemLocation::type}};
};

template <>
struct Fields<aclrtPtrAttributes> {
  using T = aclrtPtrAttributes;
  static constexpr auto list = std::tuple{Field{"location", &T::location},
                                          Field{"pageSize", &T::pageSize}, Field{"rsv", &T::rsv}};
};

template <>
struct Fields<aclrtPhysicalMemProp> {
  using T = aclrtPhysicalMemProp;
  static constexpr auto list =
      std::tuple{Field{"handleType", &T::handleType}, Field{"allocationType", &T::allocationType},
                 Field{"memAttr", &T::memAttr}, Field{"location", &T::location},
                 Field{"reserve", &T::reserve}};
};

template <>
struct Fields<aclrtUtilizationInfo> {
  using T = aclrtUtilizationInfo;
  static constexpr auto list = std::tuple{Field{"cube_utilization", &T::cubeUtilization},
                                          Field{"vector_utilization", &T::vectorUtilization},
                                          Field{"aicpu_utilization", &T::aicpuUtilization},
                                          Field{"memory_utilization", &T::memoryUtilization},
                                          Field{"utilization_extend", &T::utilizationExtend}};
};

template <>
struct Fields<aclCANNPackageVersion> {
  using T = aclCANNPackageVersion;
  static constexpr auto list = std::tuple{
      Field{"version", &T::version}, Field{"majorVersion", &T::majorVersion},
      Field{"minorVersion", &T::minorVersion}, Field{"releaseVersion", &T::releaseVersion},
      Field{"patchVersion", &T::patchVersion}};
};

template <>
struct Fields<aclrtPlaceHolderInfo> {
  static constexpr auto list = std::tuple{Field{"addrOffset", &aclrtPlaceHolderInfo::addrOffset},
                                          Field{"dataOffset", &aclrtPlaceHolderInfo::dataOffset}};
};

template <>
struct Fields<aclrtMallocAttribute> {
  static constexpr auto list = std::tuple{Field{"attr", &aclrtMallocAttribute::attr},
                                          Field{"value", &aclrtMallocAttribute::value}};
};

template <>
struct Fields<aclrtBinaryLoadOption> {
  static constexpr auto list = std::tuple{Field{"type", &aclrtBinaryLoadOption::type},
                                          Field{"value", &aclrtBinaryLoadOption::value}};
};

template <>
struct Fields<aclrtLaunchKernelAttr> {
  static constexpr auto list = std::tuple{Field{"id", &aclrtLaunchKernelAttr::id},
                                          Field{"value", &aclrtLaunchKernelAttr::value}};
};

template <>
struct Fields<aclsimMachine> {
  using T = aclsimMachine;
  static constexpr auto list = std::tuple{
      Field{"devices", &T::devices},         Field{"workersPerDevice", &T::workersPerDevice},
      Field{"memoryBytes", &T::memoryBytes}, Field{"aiCores", &T::aiCores},
      Field{"vectorCores", &T::vectorCores}, Field{"seeded", &T::seeded},
      Field{"guarded", &T::guarded},         Field{"seed", &T::seed},
      Field{"socName", &T::socName},         Field{"topology", &T::topology}};
};

template <>
struct Fields<aclsimStats> {
  using T = aclsimStats;
  static constexpr auto list = std::tuple{Field{"contexts", &T::contexts},
                                          Field{"streams", &T::streams},
                                          Field{"events", &T::events},
                                          Field{"deviceAllocations", &T::deviceAllocations},
                                          Field{"deviceBytes", &T::deviceBytes},
                                          Field{"hostAllocations", &T::hostAllocations},
                                          Field{"hostBytes", &T::hostBytes},
                                          Field{"subscriptions", &T::subscriptions},
                                          Field{"pendingTasks", &T::pendingTasks},
                                          Field{"scheduleDiverged", &T::scheduleDiverged},
                                          Field{"otherHandles", &T::otherHandles},
                                          Field{"injectedFaults", &T::injectedFaults}};
};

template <class T>
concept Record = requires {
  Fields<T>::list;
};

template <class R, class M>
constexpr bool is_number(M R::*) {
  return std::is_integral_v<M> || std::is_enum_v<M>;
}
template <class R, class M>
constexpr bool is_name(M R::*) {
  return std::is_same_v<std::remove_extent_t<M>, char> && std::is_array_v<M>;
}

/// The type of the record's dict in stubs.
template <Record T>
constexpr const char* record_hint() {
  return std::apply(
      [](const auto&... field) {
        if ((is_number(field.member) && ...)) return "Dict[str, int]";
        if ((is_name(field.member) && ...)) return "Dict[str, str]";
        const bool plain = ((is_number(field.member) || is_name(field.member)) && ...);
        return plain ? "Dict[str, Union[int, str]]" : "Dict[str, Any]";
      },
      Fields<T>::list);
}

/// The type of a list of these values in stubs.
template <class T>
constexpr const char* list_hint() {
  if constexpr (Record<T>) {
    return std::string_view(record_hint<T>()) == "Dict[str, int]" ? "List[Dict[str, int]]"
                                                                  : "List[Dict[str, Any]]";
  } else {
    return "List[int]";
  }
}

// ---- to Python ----

template <class T>
PyObject* give_value(const T& value);

template <Record T>
PyObject* give_record(const T& record) {
  PyObject* const dict = PyDict_New();
  if (!dict) return nullptr;
  const bool done = std::apply(
      [&](const auto&... field) {
        return (set_item(dict, field.key, give_value(record.*field.member)) && ...);
      },
      Fields<T>::list);
  if (done) return dict;
  Py_DECREF(dict);
  return nullptr;
}

/// A number, an address, an array of characters as text, any other array as a list, a record.
template <class T>
PyObject* give_value(const T& value) {
  if constexpr (Record<T>) {
    return give_record(value);
  } else if constexpr (std::is_array_v<T>) {
    if constexpr (std::is_same_v<std::remove_extent_t<T>, char>) {
      return give_text(value, sizeof value);
    } else {
      return give_list(std::extent_v<T>, [&](std::size_t i) { return give_value(value[i]); });
    }
  } else if constexpr (std::is_pointer_v<T>) {
    return PyLong_FromVoidPtr(const_cast<void*>(static_cast<const void*>(value)));
  } else if constexpr (std::is_floating_point_v<T>) {
    return PyFloat_FromDouble(static_cast<double>(value));
  } else if constexpr (std::is_enum_v<T>) {
    return PyLong_FromLong(static_cast<int>(value));
  } else if constexpr (std::is_signed_v<T>) {
    return PyLong_FromLong(value);
  } else {
    return PyLong_FromUnsignedLong(value);
  }
}

// ---- from Python ----

/// The bytes of a C union, from a number or from a dict whose values are its words.
bool take_union(PyObject* object, const Argument& at, void* bytes, std::size_t size);

template <class T>
bool take_value(PyObject* object, const Argument& at, T& value);

template <class T>
bool take_field(PyObject* dict, const Argument& at, const char* key, T& value) {
  PyObject* const item = PyDict_GetItemString(dict, key);  // borrowed
  if (!item) return true;                                  // an omitted field stays zero
  Py_INCREF(item);                                         // its __index__ may change the dict
  const bool done = take_value(item, at.at_key(key), value);
  Py_DECREF(item);
  return done;
}

template <Record T>
bool take_record(PyObject* object, const Argument& at, T& record) {
  if (!PyDict_Check(object)) return raise_wrong_type(at, "dict", object);
  return std::apply(
      [&](const auto&... field) {
        return (take_field(object, at, field.key, record.*field.member) && ...);
      },
      Fields<T>::list);
}

template <class T>
bool take_value(PyObject* object, const Argument& at, T& value) {
  if constexpr (Record<T>) {
    return take_record(object, at, value);
  } else if constexpr (std::is_union_v<T>) {
    return take_union(object, at, &value, sizeof value);
  } else {
    unsigned long long number = 0;
    if (!take_unsigned(object, at, number)) return false;
    std::memcpy(&value, &number, sizeof value);  // the low bytes; an enumeration can hold any value
    return true;
  }
}

}  // namespace pyacl
