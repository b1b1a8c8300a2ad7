// SPDX-License-Identifier: Apache-2.0
#include "acl/acl_rt_compile.h"

#include <cstring>

#include "runtime/acl/capi/guard.h"
#include "runtime/acl/rtc/program.h"

using namespace acl;

namespace {

rtc::ProgramTable& programs(Runtime& runtime) { return runtime.section<rtc::Programs>().table(); }

rtc::ProgramTable::Pin find_program(Runtime& runtime, aclrtcProg prog) {
  rtc::ProgramTable::Pin found = programs(runtime).find(prog);
  if (!found) {
    fail_for_handle(prog, ACL_ERROR_RTC_INVALID_PROG,
                    "prog is {}, which aclrtcCreateProg did not make", prog);
  }
  return found;
}

std::vector<rtc::Header> headers_of(int count, const char** headers, const char** names) {
  if (count < 0) {
    fail(ACL_ERROR_RTC_INVALID_INPUT, "numHeaders is {}; expected 0 or more", count);
  }
  std::vector<rtc::Header> all;
  for (int i = 0; i < count; ++i) {
    require_input(headers, "headers", ACL_ERROR_RTC_INVALID_INPUT);
    require_input(names, "includeNames", ACL_ERROR_RTC_INVALID_INPUT);
    if (!headers[i] || !names[i] || !rtc::is_header_name(names[i])) {
      fail(ACL_ERROR_RTC_INVALID_INPUT,
           "header {} has {} and the name '{}'; expected a text, and a relative path without '..'",
           i, headers[i] ? "a text" : "no text", names[i] ? names[i] : "null");
    }
    all.push_back({names[i], headers[i]});
  }
  return all;
}

}  // namespace

extern "C" {

aclError aclrtcCreateProg(aclrtcProg* prog, const char* src, const char* name, int numHeaders,
                          const char** headers, const char** includeNames) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& out = require_out(prog, "prog", ACL_ERROR_RTC_INVALID_INPUT);
    out = nullptr;
    require_input(src, "src", ACL_ERROR_RTC_INVALID_INPUT);
    out = programs(runtime).add(sim::make_ref<rtc::Program>(
        name ? name : "default_program", src, headers_of(numHeaders, headers, includeNames)));
    if (!out) fail(ACL_ERROR_RTC_PROG_CREATION_FAILURE, "the process has too many programs");
  });
}

aclError aclrtcDestroyProg(aclrtcProg* prog) {
  return guarded(__func__, [&](Runtime& runtime) {
    void*& handle = require_out(prog, "prog", ACL_ERROR_RTC_INVALID_INPUT);
    const rtc::ProgramTable::Pin found = find_program(runtime, handle);
    programs(runtime).remove(found);
    handle = nullptr;
  });
}

aclError aclrtcAddNameExpr(aclrtcProg prog, const char* const nameExpression) {
  return guarded(__func__, [&](Runtime& runtime) {
    const rtc::ProgramTable::Pin found = find_program(runtime, prog);
    require_input(nameExpression, "nameExpression", ACL_ERROR_RTC_INVALID_INPUT);
    if (*nameExpression == '\0') {
      fail(ACL_ERROR_RTC_NAME_EXPR_NOT_VALID, "nameExpression is empty; expected a kernel");
    }
    found->add_name(nameExpression);
  });
}

aclError aclrtcCompileProg(aclrtcProg prog, int numOptions, const char** options) {
  return guarded(__func__, [&](Runtime& runtime) {
    const rtc::ProgramTable::Pin found = find_program(runtime, prog);
    if (numOptions < 0) {
      fail(ACL_ERROR_RTC_INVALID_INPUT, "numOptions is {}; expected 0 or more", numOptions);
    }
    std::vector<std::string> words;
    for (int i = 0; i < numOptions; ++i) {
      require_input(options, "options", ACL_ERROR_RTC_INVALID_INPUT);
      if (!options[i] || !rtc::is_option(options[i])) {
        fail(ACL_ERROR_RTC_INVALID_OPTION,
             "options[{}] is '{}'; expected an option of the compiler that does not name its input "
             "or output",
             i, options[i] ? options[i] : "null");
      }
      words.emplace_back(options[i]);
    }
    found->compile(words);
  });
}

aclError aclrtcGetLoweredName(aclrtcProg prog, const char* nameExpression,
                              const char** loweredName) {
  return guarded(__func__, [&](Runtime& runtime) {
    const char*& out = require_out(loweredName, "loweredName", ACL_ERROR_RTC_INVALID_INPUT);
    out = nullptr;
    const rtc::ProgramTable::Pin found = find_program(runtime, prog);
    require_input(nameExpression, "nameExpression", ACL_ERROR_RTC_INVALID_INPUT);
    out = found->lowered_name(nameExpression);
  });
}

aclError aclrtcGetBinDataSize(aclrtcProg prog, size_t* binDataSizeRet) {
  return guarded(__func__, [&](Runtime& runtime) {
    size_t& out = require_out(binDataSizeRet, "binDataSizeRet", ACL_ERROR_RTC_INVALID_INPUT);
    out = 0;
    out = find_program(runtime, prog)->binary().size();
  });
}

aclError aclrtcGetBinData(aclrtcProg prog, char* binData) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(binData, "binData", ACL_ERROR_RTC_INVALID_INPUT);
    const std::string bytes = find_program(runtime, prog)->binary();
    std::memcpy(binData, bytes.data(), bytes.size());
  });
}

aclError aclrtcGetCompileLogSize(aclrtcProg prog, size_t* logSizeRet) {
  return guarded(__func__, [&](Runtime& runtime) {
    size_t& out = require_out(logSizeRet, "logSizeRet", ACL_ERROR_RTC_INVALID_INPUT);
    out = 0;
    out = find_program(runtime, prog)->log().size() + 1;
  });
}

aclError aclrtcGetCompileLog(aclrtcProg prog, char* log) {
  return guarded(__func__, [&](Runtime& runtime) {
    require_input(log, "log", ACL_ERROR_RTC_INVALID_INPUT);
    const std::string text = find_program(runtime, prog)->log();
    std::memcpy(log, text.c_str(), text.size() + 1);
  });
}

}  // extern "C"
