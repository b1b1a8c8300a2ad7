// SPDX-License-Identifier: Apache-2.0
#include "tests/acl/tensor_queue.h"

using namespace world;

namespace {

using Ways = std::vector<std::pair<uint32_t, uint32_t>>;

/// A list of routes that lives as long as a scope.
class Routes {
 public:
  Routes() = default;
  explicit Routes(const Ways& ways) {
    for (const auto& [from, to] : ways) {
      acltdtQueueRoute* const route = acltdtCreateQueueRoute(from, to);
      REQUIRE_ACL(acltdtAddQueueRoute(list_, route));
      REQUIRE_ACL(acltdtDestroyQueueRoute(route));
    }
  }
  ~Routes() { acltdtDestroyQueueRouteList(list_); }
  Routes(const Routes&) = delete;
  Routes& operator=(const Routes&) = delete;
  operator acltdtQueueRouteList*() const { return list_; }

  aclError bind() { return acltdtBindQueueRoutes(list_); }
  aclError unbind() { return acltdtUnbindQueueRoutes(list_); }

  /// Source, destination and status of each route.
  std::vector<std::vector<uint32_t>> content() const {
    std::vector<std::vector<uint32_t>> all;
    acltdtQueueRoute* const route = acltdtCreateQueueRoute(0, 0);
    for (size_t i = 0; i < acltdtGetQueueRouteNum(list_); ++i) {
      REQUIRE_ACL(acltdtGetQueueRoute(list_, i, route));
      all.push_back({});
      for (int type = 0; type < 3; ++type) {
        uint32_t value = 99;
        size_t size = 0;
        REQUIRE_ACL(acltdtGetQueueRouteParam(route, static_cast<acltdtQueueRouteParamType>(type),
                                             sizeof value, &size, &value));
        CHECK(size == sizeof value);
        all.back().push_back(value);
      }
    }
    REQUIRE_ACL(acltdtDestroyQueueRoute(route));
    return all;
  }

 private:
  acltdtQueueRouteList* const list_ = acltdtCreateQueueRouteList();
};

/// A question about routes; -1 leaves a field out.
aclError ask(int mode, int64_t from, int64_t to, acltdtQueueRouteList* answer) {
  acltdtQueueRouteQueryInfo* const query = acltdtCreateQueueRouteQueryInfo();
  const auto set = [&](acltdtQueueRouteQueryInfoParamType type, int64_t value) {
    const auto number = static_cast<uint32_t>(value);
    if (value >= 0) {
      REQUIRE_ACL(acltdtSetQueueRouteQueryInfo(query, type, sizeof number, &number));
    }
  };
  set(ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM, mode);
  set(ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32, from);
  set(ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32, to);
  const aclError code = acltdtQueryQueueRoutes(query, answer);
  REQUIRE_ACL(acltdtDestroyQueueRouteQueryInfo(query));
  return code;
}

}  // namespace

TEST_CASE("a bound route moves what comes into its source to its destination", "[tdt]") {
  Device device;
  Queue from;
  Queue to;
  REQUIRE_ACL(put(from, 1));
  Routes routes({{from, to}});
  REQUIRE_ACL(routes.bind());
  REQUIRE_ACL(put(from, 2));
  CHECK(take(from) == kEmptyQueue);
  CHECK(take(to) == 1);
  CHECK(take(to) == 2);
  CHECK(take(to) == kEmptyQueue);
  REQUIRE_ACL(routes.unbind());
  REQUIRE_ACL(put(from, 3));
  CHECK(take(to) == kEmptyQueue);
  CHECK(take(from) == 3);
}

TEST_CASE("a full destination holds its source back until there is room", "[tdt]") {
  Device device;
  Queue from;
  Queue to;
  Routes routes({{from, to}});
  REQUIRE_ACL(routes.bind());
  for (int i = 0; i < 4; ++i) REQUIRE_ACL(put(from, i));
  CHECK_CODE(put(from, 4), ACL_ERROR_RT_QUEUE_FULL);
  aclError code = -1;
  std::thread producer([&] { code = put(from, 4, -1); });
  for (int i = 0; i < 4; ++i) CHECK(take(to) == i);
  producer.join();
  CHECK_CODE(code, ACL_SUCCESS);
  CHECK(take(to) == 4);
}

TEST_CASE("who waits for a destination is woken through its route", "[tdt]") {
  Device device;
  Queue first;
  Queue second;
  Queue third;
  Routes routes({{first, second}, {second, third}});
  REQUIRE_ACL(routes.bind());
  int64_t got = 0;
  std::thread consumer([&] { got = take(third, -1); });
  REQUIRE_ACL(put(first, 8));
  consumer.join();
  CHECK(got == 8);
}

TEST_CASE("several destinations each get what comes, without a copy of the data", "[tdt]") {
  Device device;
  Queue from;
  Queue to[3];
  Routes routes({{from, to[0]}, {from, to[1]}, {from, to[2]}});
  REQUIRE_ACL(routes.bind());
  void* head = nullptr;
  void* tail = nullptr;
  REQUIRE_ACL(acltdtAllocBuf(8, ACL_TDT_NORMAL_MEM, &head));
  REQUIRE_ACL(acltdtAllocBuf(8, ACL_TDT_NORMAL_MEM, &tail));
  REQUIRE_ACL(acltdtAppendBufChain(head, tail));
  REQUIRE_ACL(acltdtEnqueue(from, head, 0));
  std::vector<void*> addresses;
  for (Queue& queue : to) {
    void* buf = nullptr;
    void* data = nullptr;
    size_t size = 0;
    uint32_t chained = 0;
    REQUIRE_ACL(acltdtDequeue(queue, &buf, 0));
    REQUIRE_ACL(acltdtGetBufData(buf, &data, &size));
    REQUIRE_ACL(acltdtGetBufChainNum(buf, &chained));
    CHECK(chained == 2);
    addresses.push_back(data);
    REQUIRE_ACL(acltdtFreeBuf(buf));
  }
  CHECK(addresses == std::vector<void*>(3, addresses[0]));

  // The slowest decides.
  REQUIRE_ACL(put(from, 1));
  REQUIRE_ACL(put(from, 2));
  REQUIRE_ACL(put(from, 3));
  CHECK(take(to[0]) == 1);
  CHECK(take(to[0]) == 2);
  CHECK(take(to[0]) == kEmptyQueue);
  CHECK(take(to[1]) == 1);
  CHECK(take(to[2]) == 1);
  CHECK(take(to[0]) == 3);
}

TEST_CASE("several sources share a destination", "[tdt]") {
  Device device;
  Queue from[2];
  Queue to(4);
  for (int64_t i = 0; i < 2; ++i) {
    REQUIRE_ACL(put(from[i], 10 * i));
    REQUIRE_ACL(put(from[i], 10 * i + 1));
  }
  Routes routes({{from[0], to}, {from[1], to}});
  REQUIRE_ACL(routes.bind());
  for (const int64_t expected : {0, 10, 1, 11}) CHECK(take(to) == expected);
}

TEST_CASE("routes pass everything on exactly once between threads", "[tdt]") {
  constexpr int kEach = 60;
  Device device;
  Queue from[2];
  Queue middle;
  Queue to;
  Routes routes({{from[0], middle}, {from[1], middle}, {middle, to}});
  REQUIRE_ACL(routes.bind());
  std::vector<std::atomic<int>> seen(2 * kEach);
  Problems problems;
  in_threads(4, [&](int t) {
    for (int i = 0; i < kEach; ++i) {
      if (t < 2) {
        EXPECT_ACL(problems, put(from[t], t * kEach + i, -1));
      } else {
        const int64_t got = take(to, -1);
        EXPECT_TRUE(problems, got >= 0);
        if (got >= 0) ++seen[static_cast<size_t>(got)];
      }
    }
  });
  CHECK(problems.text() == "");
  for (const auto& count : seen) CHECK(count == 1);
}

TEST_CASE("the status of a route says whether it is bound", "[tdt]") {
  Device device;
  Queue a;
  Queue b;
  using Content = std::vector<std::vector<uint32_t>>;
  Routes routes({{a, b}});
  CHECK(routes.content() == Content{{a, b, ACL_TDT_QUEUE_ROUTE_UNBIND}});
  REQUIRE_ACL(routes.bind());
  CHECK(routes.content() == Content{{a, b, ACL_TDT_QUEUE_ROUTE_BIND}});
  REQUIRE_ACL(routes.bind());
  REQUIRE_ACL(routes.unbind());
  CHECK(routes.content() == Content{{a, b, ACL_TDT_QUEUE_ROUTE_UNBIND}});
  CHECK_CODE(routes.unbind(), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_CASE("a route whose queue was destroyed is abnormal until it is unbound", "[tdt]") {
  Device device;
  Queue a;
  Queue b;
  Queue c;
  const uint32_t id = b;
  Routes both({{a, b}, {a, c}});
  REQUIRE_ACL(both.bind());
  for (int i = 0; i < 3; ++i) REQUIRE_ACL(put(a, i));
  CHECK(take(c) == 0);
  REQUIRE_ACL(b.destroy());
  // The other destination is held back no longer.
  CHECK(take(c) == 1);
  CHECK(take(c) == 2);
  Routes answer;
  REQUIRE_ACL(ask(ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL, -1, -1, answer));
  using Content = std::vector<std::vector<uint32_t>>;
  CHECK(answer.content() == Content{{a, id, ACL_TDT_QUEUE_ROUTE_BIND_ABNORMAL}});
  REQUIRE_ACL(answer.unbind());
  REQUIRE_ACL(ask(ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL, -1, -1, answer));
  CHECK(answer.content().empty());
}

TEST_CASE("routes are found by source, by destination and by both", "[tdt]") {
  Device device;
  Queue a;
  Queue b;
  Queue c;
  Routes routes({{a, b}, {a, c}, {b, c}});
  REQUIRE_ACL(routes.bind());
  Routes answer({{c, a}});
  using Content = std::vector<std::vector<uint32_t>>;
  REQUIRE_ACL(ask(ACL_TDT_QUEUE_ROUTE_QUERY_SRC, a, -1, answer));
  CHECK(answer.content() == Content{{a, b, 1}, {a, c, 1}});
  REQUIRE_ACL(ask(ACL_TDT_QUEUE_ROUTE_QUERY_DST, a, c, answer));
  CHECK(answer.content() == Content{{a, c, 1}, {b, c, 1}});
  REQUIRE_ACL(ask(ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST, b, c, answer));
  CHECK(answer.content() == Content{{b, c, 1}});
  REQUIRE_ACL(ask(ACL_TDT_QUEUE_ROUTE_QUERY_SRC, c, -1, answer));
  CHECK(answer.content().empty());
  CHECK_CODE(ask(-1, a, c, answer), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(ask(ACL_TDT_QUEUE_ROUTE_QUERY_SRC, -1, c, answer), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(ask(ACL_TDT_QUEUE_ROUTE_QUERY_DST, a, -1, answer), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(ask(ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST, a, -1, answer), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("routes that cannot be are not bound, nor is anything beside them", "[tdt]") {
  Device device;
  Queue a;
  Queue b;
  Queue c;
  Routes answer;
  const auto refused = [&](const Ways& ways) {
    Routes routes(ways);
    const aclError code = routes.bind();
    CHECK(routes.content().back().back() == ACL_TDT_QUEUE_ROUTE_UNBIND);
    return code;
  };
  CHECK_CODE(refused({{a, b}, {a, c + 1}}), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(refused({{a, b}, {c + 1, a}}), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(refused({{a, a}}), ACL_ERROR_RT_PARAM_INVALID);
  CHECK_CODE(refused({{a, b}, {b, c}, {c, a}}), ACL_ERROR_RT_PARAM_INVALID);
  REQUIRE_ACL(ask(ACL_TDT_QUEUE_ROUTE_QUERY_SRC, a, -1, answer));
  CHECK(answer.content().empty());
  Routes good({{a, b}});
  REQUIRE_ACL(good.bind());
  CHECK_CODE(refused({{b, a}}), ACL_ERROR_RT_PARAM_INVALID);
  Routes empty;
  CHECK_CODE(empty.bind(), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(empty.unbind(), ACL_ERROR_INVALID_PARAM);
}

TEST_CASE("fields of routes and queries have their types and sizes", "[tdt]") {
  acltdtQueueRoute* const route = acltdtCreateQueueRoute(3, 4);
  acltdtQueueRouteQueryInfo* const query = acltdtCreateQueueRouteQueryInfo();
  uint32_t value = 0;
  size_t size = 0;
  const auto source = ACL_TDT_QUEUE_ROUTE_SRC_UINT32;
  CHECK_CODE(acltdtGetQueueRouteParam(route, source, 3, &size, &value), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtGetQueueRouteParam(route, source, 4, nullptr, &value), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(acltdtGetQueueRouteParam(route, source, 4, &size, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(
      acltdtGetQueueRouteParam(route, static_cast<acltdtQueueRouteParamType>(3), 4, &size, &value),
      ACL_ERROR_INVALID_PARAM);
  const auto set = [&](int type, size_t len, const void* from) {
    return acltdtSetQueueRouteQueryInfo(
        query, static_cast<acltdtQueueRouteQueryInfoParamType>(type), len, from);
  };
  const int mode = 3;
  CHECK_CODE(set(ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM, 4, &mode), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(set(ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM, 4, nullptr), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(set(ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32, 8, &size), ACL_ERROR_INVALID_PARAM);
  CHECK_CODE(set(3, 4, &mode), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(acltdtDestroyQueueRoute(route));
  REQUIRE_ACL(acltdtDestroyQueueRouteQueryInfo(query));
}

TEST_CASE("routes, lists and queries that are none are refused, never looked into", "[tdt]") {
  acltdtQueueRoute* const route = acltdtCreateQueueRoute(3, 4);
  acltdtQueueRoute* const gone = acltdtCreateQueueRoute(3, 4);
  REQUIRE_ACL(acltdtDestroyQueueRoute(gone));
  Routes list({{1, 2}});
  char memory[64] = {};
  uint32_t value = 0;
  size_t size = 0;
  for (void* bad :
       {static_cast<void*>(gone), static_cast<void*>(memory), static_cast<void*>(nullptr)}) {
    const aclError code = bad ? ACL_ERROR_RT_INVALID_HANDLE : ACL_ERROR_INVALID_PARAM;
    auto* const no_route = static_cast<acltdtQueueRoute*>(bad);
    auto* const no_list = static_cast<acltdtQueueRouteList*>(bad);
    auto* const no_query = static_cast<acltdtQueueRouteQueryInfo*>(bad);
    CHECK_CODE(acltdtDestroyQueueRoute(no_route), code);
    CHECK_CODE(acltdtAddQueueRoute(list, no_route), code);
    CHECK_CODE(acltdtGetQueueRoute(list, 0, no_route), code);
    CHECK_CODE(acltdtGetQueueRouteParam(no_route, ACL_TDT_QUEUE_ROUTE_SRC_UINT32, 4, &size, &value),
               code);
    CHECK_CODE(acltdtDestroyQueueRouteList(no_list), code);
    CHECK_CODE(acltdtAddQueueRoute(no_list, route), code);
    CHECK_CODE(acltdtGetQueueRoute(no_list, 0, route), code);
    CHECK(acltdtGetQueueRouteNum(no_list) == 0);
    CHECK_CODE(acltdtBindQueueRoutes(no_list), code);
    CHECK_CODE(acltdtUnbindQueueRoutes(no_list), code);
    CHECK_CODE(acltdtQueryQueueRoutes(no_query, list), code);
    CHECK_CODE(acltdtDestroyQueueRouteQueryInfo(no_query), code);
    CHECK_CODE(
        acltdtSetQueueRouteQueryInfo(no_query, ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32, 4, &value),
        code);
    CHECK_CODE(ask(ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL, -1, -1, no_list), code);
  }
  CHECK_CODE(acltdtGetQueueRoute(list, 1, route), ACL_ERROR_INVALID_PARAM);
  REQUIRE_ACL(acltdtDestroyQueueRoute(route));
}
