// SPDX-License-Identifier: Apache-2.0
#include "runtime/acl/rtc/program.h"

#include <dlfcn.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "acl/acl_rt_compile.h"
#include "runtime/acl/base/error.h"
#include "runtime/acl/rtc/compiler.h"

namespace acl::rtc {
namespace {

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The symbols that the variables of the expressions point at. Adds the reason of a failure to the
/// log.
std::vector<std::string> lowered_names(const std::string& object,
                                       const std::vector<std::string>& expressions,
                                       std::string& log) {
  std::vector<std::string> names;
  if (expressions.empty()) return names;
  void* const handle = dlopen(object.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!handle) {
    log += dlerror();
    fail(ACL_ERROR_RTC_LINKING, "the compiled program cannot be loaded: {}", log);
  }
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    void* const variable = dlsym(handle, variable_of_name(i).c_str());
    void* const kernel = variable ? *static_cast<void**>(variable) : nullptr;
    Dl_info symbol{};
    const bool found = kernel && dladdr(kernel, &symbol) != 0 && symbol.dli_saddr == kernel;
    names.emplace_back(found ? symbol.dli_sname : "");
  }
  dlclose(handle);
  return names;
}

}  // namespace

Program::Program(std::string name, std::string source, std::vector<Header> headers)
    : name_(std::move(name)), source_(std::move(source)), headers_(std::move(headers)) {}

void Program::add_name(std::string expression) {
  const sim::LockGuard guard(mutex_);
  if (!binary_.empty()) {
    fail(ACL_ERROR_RTC_NO_NAME_EXPR_AFTER_COMPILATION,
         "nameExpression '{}' comes after aclrtcCompileProg; expected it before", expression);
  }
  if (std::find(expressions_.begin(), expressions_.end(), expression) == expressions_.end())
    expressions_.push_back(std::move(expression));
}

void Program::compile(const std::vector<std::string>& options) {
  const sim::LockGuard guard(mutex_);
  binary_.clear();
  log_.clear();
  lowered_.clear();
  const std::string toolkit = find_toolkit();
  const std::string compiler = compiler_of(toolkit);
  const Folder folder;
  const std::string source = file_name_of(name_);
  folder.write(source, with_names(source_, expressions_));
  for (const Header& header : headers_) folder.write("include/" + header.name, header.text);

  const std::string object = folder.file("program.o");
  const std::string library = folder.file("program.so");
  const std::string messages = folder.file("messages");
  Words compile = {compiler};
  compile.insert(compile.end(), options.begin(), options.end());
  const Words rest = {"-I" + folder.file("include"),
                      "-fPIC",
                      "-fdebug-prefix-map=" + folder.path() + "/=",
                      "-c",
                      "-x",
                      "asc",
                      folder.file(source),
                      "-o",
                      object};
  compile.insert(compile.end(), rest.begin(), rest.end());
  const bool compiled = run(compile, messages, object);
  // The program finds the toolkit's libraries wherever the process runs.
  const Words link = {compiler, "-shared", "-Wl,-z,defs", "-Wl,-rpath," + toolkit + "/lib64",
                      object,   "-o",      library};
  const bool linked = compiled && run(link, messages, library);
  log_ = without_folder(read(messages), folder.path());
  if (!linked) {
    fail(compiled ? ACL_ERROR_RTC_LINKING : ACL_ERROR_RTC_COMPILATION,
         "the program '{}' does not {}; aclrtcGetCompileLog has the messages", name_,
         compiled ? "link" : "compile");
  }
  lowered_ = lowered_names(library, expressions_, log_);
  binary_ = read(library);
}

void Program::require_compiled() const {
  if (binary_.empty()) {
    fail(ACL_ERROR_RTC_INVALID_PROG,
         "prog '{}' is not compiled; expected a successful aclrtcCompileProg before", name_);
  }
}

const char* Program::lowered_name(const std::string& expression) const {
  const sim::LockGuard guard(mutex_);
  if (binary_.empty()) {
    fail(ACL_ERROR_RTC_NO_LOWERED_NAMES_BEFORE_COMPILATION,
         "prog '{}' is not compiled; expected a successful aclrtcCompileProg before", name_);
  }
  const auto at = std::find(expressions_.begin(), expressions_.end(), expression);
  const auto index = static_cast<std::size_t>(at - expressions_.begin());
  if (index >= lowered_.size() || lowered_[index].empty()) {
    fail(ACL_ERROR_RTC_NAME_EXPR_NOT_VALID,
         "nameExpression is '{}'; expected a kernel that was given to aclrtcAddNameExpr before the "
         "compilation",
         expression);
  }
  return lowered_[index].c_str();
}

std::string Program::binary() const {
  const sim::LockGuard guard(mutex_);
  require_compiled();
  return binary_;
}

std::string Program::log() const {
  const sim::LockGuard guard(mutex_);
  return log_;
}

}  // namespace acl::rtc
