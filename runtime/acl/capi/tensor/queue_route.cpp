// SPDX-License-Identifier: Apache-2.0
// acl_tdt_queue.h: routes between queues, and questions about them.
#include "device_sim/base/mutex.h"
#include "runtime/acl/capi/tensor/description.h"
#include "runtime/acl/tensor/tensor_queue.h"

using namespace acl;

namespace {

auto find_route(Runtime& runtime, const acltdtQueueRoute* route) {
  return find_handle(descriptions(runtime).routes, route, "route", "a queue route");
}

auto find_list(Runtime& runtime, const acltdtQueueRouteList* list, const char* argument) {
  return find_handle(descriptions(runtime).lists, list, argument, "a list of queue routes");
}

acltdtQueueRouteQueryMode checked_mode(int mode) {
  const bool known =
      (mode >= ACL_TDT_QUEUE_ROUTE_QUERY_SRC && mode <= ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST) ||
      mode == ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL;
  if (!known) fail(ACL_ERROR_INVALID_PARAM, "the mode is {}; expected 0 to 2, or 100", mode);
  return static_cast<acltdtQueueRouteQueryMode>(mode);
}

void check_query(const QueueRouteQuery& query) {
  if (!query.mode) fail(ACL_ERROR_INVALID_PARAM, "queryInfo has no mode");
  if (query.mode == ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL) return;
  const bool by_source = query.mode != ACL_TDT_QUEUE_ROUTE_QUERY_DST;
  const bool by_destination = query.mode != ACL_TDT_QUEUE_ROUTE_QUERY_SRC;
  if ((by_source && !query.source) || (by_destination && !query.destination)) {
    fail(ACL_ERROR_INVALID_PARAM, "queryInfo has mode {}, but the queue{} of that mode is not set",
         static_cast<int>(*query.mode), by_source && by_destination ? "s" : "");
  }
}

/// Binds or unbinds the routes of a list, and leaves their status in it.
aclError change_routes(const char* function, const acltdtQueueRouteList* list,
                       void (Queues::*change)(QueueRouteList&)) {
  return guarded(function, [&](Runtime& runtime) {
    const auto found = find_list(runtime, list, "qRouteList");
    const sim::LockGuard guard(found->mutex);
    if (found->value.empty()) fail(ACL_ERROR_INVALID_PARAM, "qRouteList is empty");
    (runtime.section<Queues>().*change)(found->value);
  });
}

}  // namespace

extern "C" {

acltdtQueueRoute* acltdtCreateQueueRoute(uint32_t srcId, uint32_t dstId) {
  return create_description<acltdtQueueRoute>(__func__, &QueueDescriptions::routes,
                                              QueueRoute{srcId, dstId}, "a queue route");
}

aclError acltdtDestroyQueueRoute(const acltdtQueueRoute* route) {
  return destroy_description(__func__, &QueueDescriptions::routes, route, "route", "a queue route");
}

aclError acltdtGetQueueRouteParam(const acltdtQueueRoute* route, acltdtQueueRouteParamType type,
                                  size_t len, size_t* paramRetSize, void* param) {
  return guarded(__func__, [&](Runtime& runtime) {
    size_t& returned = require_out(paramRetSize, "paramRetSize");
    require_input(param, "param");
    const QueueRoute found = find_route(runtime, route)->get();
    switch (static_cast<int>(type)) {
      case ACL_TDT_QUEUE_ROUTE_SRC_UINT32:
        return param_out(len, returned, param, found.source);
      case ACL_TDT_QUEUE_ROUTE_DST_UINT32:
        return param_out(len, returned, param, found.destination);
      case ACL_TDT_QUEUE_ROUTE_STATUS_INT32:
        return param_out(len, returned, param, found.status);
      default:
        refuse_type(type, ACL_TDT_QUEUE_ROUTE_STATUS_INT32);
    }
  });
}

acltdtQueueRouteList* acltdtCreateQueueRouteList() {
  return create_description<acltdtQueueRouteList>(__func__, &QueueDescriptions::lists,
                                                  QueueRouteList{}, "a list of queue routes");
}

aclError acltdtDestroyQueueRouteList(const acltdtQueueRouteList* routeList) {
  return destroy_description(__func__, &QueueDescriptions::lists, routeList, "routeList",
                             "a list of queue routes");
}

aclError acltdtAddQueueRoute(acltdtQueueRouteList* routeList, const acltdtQueueRoute* route) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto list = find_list(runtime, routeList, "routeList");
    const QueueRoute added = find_route(runtime, route)->get();
    const sim::LockGuard guard(list->mutex);
    list->value.push_back(added);
  });
}

aclError acltdtGetQueueRoute(const acltdtQueueRouteList* routeList, size_t index,
                             acltdtQueueRoute* route) {
  return guarded(__func__, [&](Runtime& runtime) {
    const QueueRouteList list = find_list(runtime, routeList, "routeList")->get();
    const auto out = find_route(runtime, route);
    if (index >= list.size()) {
      fail(ACL_ERROR_INVALID_PARAM, "index is {}, and routeList has {} routes", index, list.size());
    }
    const sim::LockGuard guard(out->mutex);
    out->value = list[index];
  });
}

size_t acltdtGetQueueRouteNum(const acltdtQueueRouteList* routeList) {
  return guarded_value(__func__, size_t{0}, [&](Runtime& runtime) {
    return find_list(runtime, routeList, "routeList")->get().size();
  });
}

aclError acltdtBindQueueRoutes(acltdtQueueRouteList* qRouteList) {
  return change_routes(__func__, qRouteList, &Queues::bind);
}

aclError acltdtUnbindQueueRoutes(acltdtQueueRouteList* qRouteList) {
  return change_routes(__func__, qRouteList, &Queues::unbind);
}

acltdtQueueRouteQueryInfo* acltdtCreateQueueRouteQueryInfo() {
  return create_description<acltdtQueueRouteQueryInfo>(__func__, &QueueDescriptions::queries,
                                                       QueueRouteQuery{}, "a query for routes");
}

aclError acltdtDestroyQueueRouteQueryInfo(const acltdtQueueRouteQueryInfo* info) {
  return destroy_description(__func__, &QueueDescriptions::queries, info, "info",
                             "a query for routes");
}

aclError acltdtSetQueueRouteQueryInfo(acltdtQueueRouteQueryInfo* param,
                                      acltdtQueueRouteQueryInfoParamType type, size_t len,
                                      const void* value) {
  return guarded(__func__, [&](Runtime& runtime) {
    const auto found =
        find_handle(descriptions(runtime).queries, param, "param", "a query for routes");
    require_input(value, "value");
    const sim::LockGuard guard(found->mutex);
    QueueRouteQuery& query = found->value;
    switch (static_cast<int>(type)) {
      case ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM:
        query.mode = checked_mode(param_in<int>(len, value));
        break;
      case ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32:
        query.source = param_in<std::uint32_t>(len, value);
        break;
      case ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32:
        query.destination = param_in<std::uint32_t>(len, value);
        break;
      default:
        refuse_type(type, ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32);
    }
  });
}

aclError acltdtQueryQueueRoutes(const acltdtQueueRouteQueryInfo* queryInfo,
                                acltdtQueueRouteList* qRouteList) {
  return guarded(__func__, [&](Runtime& runtime) {
    const QueueRouteQuery query =
        find_handle(descriptions(runtime).queries, queryInfo, "queryInfo", "a query for routes")
            ->get();
    const auto list = find_list(runtime, qRouteList, "qRouteList");
    check_query(query);
    QueueRouteList found = runtime.section<Queues>().query(query);
    const sim::LockGuard guard(list->mutex);
    list->value = std::move(found);
  });
}

}  // extern "C"
