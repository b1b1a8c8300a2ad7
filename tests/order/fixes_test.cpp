// SPDX-License-Identifier: Apache-2.0
// Repairs as changes of source lines: where a statement begins and ends, and the code that is
// inserted. tests/check/repairs.py builds and runs repaired programs.
#include <algorithm>
#include <string>
#include <utility>

#include "runtime/order/repairs/fixes.h"
#include "runtime/order/repairs/source_text.h"
#include "runtime/order/repairs/statements.h"
#include "tests/support/catch.h"
#include "tests/support/temp_dir.h"

namespace {

using order::LineEdit;
using order::PlacedFinding;
using order::PlacedOp;
using order::Rule;
using order::SourceText;

struct Source {
  support::TempDir folder;
  std::string file;
  std::string text;
  explicit Source(std::string content, const std::string& name = "main.cpp")
      : file(folder.write(name, content)), text(std::move(content)) {}

  std::uint32_t line_of(const std::string& part) const {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(text.find(part));
    return static_cast<std::uint32_t>(std::count(text.begin(), end, '\n')) + 1;
  }
  PlacedOp op(const std::string& what, const std::string& part, int stream) const {
    PlacedOp made;
    made.what = what;
    made.place.file = file;
    made.place.line = line_of(part);
    if (stream >= 0) made.stream = static_cast<std::uint32_t>(stream);
    return made;
  }
};

PlacedFinding finding_of(Rule rule, PlacedOp it, std::optional<PlacedOp> other) {
  PlacedFinding made;
  made.rule = rule;
  made.level = order::Level::error;
  made.op_info = std::move(it);
  made.other = std::move(other);
  return made;
}

std::vector<LineEdit> fixes_of(PlacedFinding finding) {
  order::Report report;
  report.findings.push_back(std::move(finding));
  add_fixes(report);
  return report.findings[0].fixes;
}

/// The text after the edits, by the rules of docs/checker-rules.md.
std::string applied(const std::string& text, const std::vector<LineEdit>& edits) {
  std::string made;
  std::uint32_t number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string before, after, line = text.substr(begin, end - begin) + "\n";
    for (const LineEdit& edit : edits) {
      if (edit.line != number) continue;
      if (edit.where == LineEdit::Where::before) before += edit.code + "\n";
      if (edit.where == LineEdit::Where::after) after += edit.code + "\n";
      if (edit.where == LineEdit::Where::instead) line = edit.code.empty() ? "" : edit.code + "\n";
    }
    made += before + line + after;
    begin = end + 1;
  }
  return made;
}

constexpr const char* kMake =
    "if (!aclsim_event_1) aclrtCreateEventExWithFlag(&aclsim_event_1, ACL_EVENT_SYNC);";

}  // namespace

TEST_CASE("a race between streams is repaired by an event between its two statements",
          "[order][fixes]") {
  const Source source(
      "#include <acl/acl.h>\n"
      "static aclrtStream a;\n"
      "void f(aclrtStream b) {\n"
      "  aclrtMemsetAsync(x, n,\n"
      "                   1, n, a);  // first\n"
      "  MUST(aclrtMemcpyAsync(y, n, x, n, kind, streams[b]));\n"
      "}\n");
  const auto edits = fixes_of(finding_of(Rule::race, source.op("copy", "aclrtMemcpyAsync", 2),
                                         source.op("fill", "aclrtMemsetAsync", 1)));
  CHECK(applied(source.text, edits) ==
        "#include <acl/acl.h>\n"
        "static aclrtEvent aclsim_event_1;\n"
        "static aclrtStream a;\n"
        "void f(aclrtStream b) {\n"
        "  aclrtMemsetAsync(x, n,\n"
        "                   1, n, a);  // first\n"
        "  " +
            std::string(kMake) +
            "\n"
            "  aclrtRecordEvent(aclsim_event_1, a);\n"
            "  if (aclsim_event_1) aclrtStreamWaitEvent(streams[b], aclsim_event_1);\n"
            "  MUST(aclrtMemcpyAsync(y, n, x, n, kind, streams[b]));\n"
            "}\n");
}

TEST_CASE("a repair puts braces around a body that has none", "[order][fixes]") {
  const Source source(
      "#include <acl/acl.h>\n"
      "void f() {\n"
      "  aclrtStream a;\n"
      "  for (int i = 0; i < 2; ++i)\n"
      "    aclrtMemsetAsync(x, n, 1, n, a);\n"
      "  if (y) aclrtMemcpyAsync(y, n, x, n, kind, b); else g();\n"
      "}\n");
  const auto edits = fixes_of(finding_of(Rule::race, source.op("copy", "aclrtMemcpyAsync", 2),
                                         source.op("fill", "aclrtMemsetAsync", 1)));
  CHECK(applied(source.text, edits) ==
        "#include <acl/acl.h>\n"
        "static aclrtEvent aclsim_event_1;\n"
        "void f() {\n"
        "  aclrtStream a;\n"
        "  for (int i = 0; i < 2; ++i)\n"
        "    {\n"
        "    aclrtMemsetAsync(x, n, 1, n, a);\n"
        "    " +
            std::string(kMake) +
            "\n"
            "    aclrtRecordEvent(aclsim_event_1, a);\n"
            "    }\n"
            "  if (y) { if (aclsim_event_1) aclrtStreamWaitEvent(b, aclsim_event_1); "
            "aclrtMemcpyAsync(y, n, x, n, kind, b); } else g();\n"
            "}\n");
}

TEST_CASE("a repair after a call that a function returns keeps the result", "[order][fixes]") {
  const Source source(
      "int f(void* x, aclrtStream s) {\n"
      "  return aclrtMemsetAsync(x, 1, 1, 1, s);\n"
      "}\n",
      "main.c");
  const auto edits = fixes_of(finding_of(Rule::race, source.op("fill", "aclrtMemsetAsync", 2),
                                         source.op("fill", "aclrtMemsetAsync", 1)));
  CHECK(applied(source.text, edits) ==
        "static aclrtEvent aclsim_event_1;\n"
        "int f(void* x, aclrtStream s) {\n"
        "  {\n"
        "  if (aclsim_event_1) aclrtStreamWaitEvent(s, aclsim_event_1);\n"
        "  int aclsim_result = aclrtMemsetAsync(x, 1, 1, 1, s);\n"
        "  " +
            std::string(kMake) +
            "\n"
            "  aclrtRecordEvent(aclsim_event_1, s);\n"
            "  return aclsim_result;\n"
            "  }\n"
            "}\n");
}

TEST_CASE("an operation in several streams records one event for each", "[order][fixes]") {
  const Source source(
      "void f() {\n"
      "  aclrtMemsetAsync(x, n, 1, n, a[i]);\n"
      "  aclrtMemcpyAsync(y, n, x, n, kind, b);\n"
      "}\n");
  PlacedFinding finding = finding_of(Rule::race, source.op("copy", "aclrtMemcpyAsync", 2),
                                     source.op("fill", "aclrtMemsetAsync", 1));
  finding.other->streams_vary = true;
  const std::string text = applied(source.text, fixes_of(finding));
  CHECK(text.starts_with("#include <map>\nstatic std::map<aclrtStream, aclrtEvent> "));
  CHECK(text.find("aclrtRecordEvent(aclsim_event_1[a[i]], a[i]);") != std::string::npos);
  CHECK(text.find("for (auto& aclsim_each : aclsim_event_1) "
                  "aclrtStreamWaitEvent(b, aclsim_each.second);") != std::string::npos);
}

TEST_CASE("a parameter may be another stream in each call, so each gets an event of its own",
          "[order][fixes]") {
  const SourceText source(
      "aclrtStream global;\n"
      "void f(aclrtStream parameter) {\n"
      "  aclrtStream local;\n"
      "  for (auto each : all) g(each, local, parameter, global, member_, of[0]);\n"
      "}\n");
  const std::size_t call = source.code().find("g(each");
  for (const char* const one : {"parameter", "each", "member_", "of[0]", "parameter.stream"})
    CHECK(may_vary(source, one, call));
  for (const char* const one : {"local", "global", "nullptr", "local.stream()"})
    CHECK_FALSE(may_vary(source, one, call));
}

TEST_CASE("a race that was seen in both directions gets an event for each", "[order][fixes]") {
  const Source source(
      "aclrtStream a, b;\n"
      "void f() {\n"
      "  aclrtMemsetAsync(x, n, 1, n, a);\n"
      "  aclrtMemcpyAsync(y, n, x, n, kind, b);\n"
      "}\n");
  PlacedFinding finding = finding_of(Rule::race, source.op("copy", "aclrtMemcpyAsync", 2),
                                     source.op("fill", "aclrtMemsetAsync", 1));
  finding.both_ways = true;
  const std::string text = applied(source.text, fixes_of(finding));
  CHECK(text.find("aclrtStreamWaitEvent(b, aclsim_event_1);") != std::string::npos);
  CHECK(text.find("aclrtStreamWaitEvent(a, aclsim_event_1_1);") != std::string::npos);
}

TEST_CASE("two files share an event that one of them defines", "[order][fixes]") {
  const Source first("aclrtStream a;\nvoid f() {\n  aclrtMemsetAsync(x, n, 1, n, a);\n}\n",
                     "first.cpp");
  const Source second("void g() {\n  aclrtMemsetAsync(x, n, 2, n, b);\n}\n", "second.cpp");
  const auto edits = fixes_of(finding_of(Rule::race, second.op("fill", "aclrtMemsetAsync", 2),
                                         first.op("fill", "aclrtMemsetAsync", 1)));
  const auto of = [&](const std::string& file) {
    std::vector<LineEdit> mine;
    std::copy_if(edits.begin(), edits.end(), std::back_inserter(mine),
                 [&](const LineEdit& edit) { return edit.file == file; });
    return mine;
  };
  CHECK(applied(first.text, of(first.file)).starts_with("aclrtEvent aclsim_event_1;\n"));
  CHECK(applied(second.text, of(second.file)).starts_with("extern aclrtEvent aclsim_event_1;\n"));
}

TEST_CASE("a host call waits for the stream if it can name it, and else for an event",
          "[order][fixes]") {
  const Source source(
      "static void end() { aclrtFree(x); }\n"
      "void f(aclrtStream s) {\n"
      "  aclrtMemsetAsync(x, n, 1, n, s);\n"
      "  aclrtFreeHost(h);\n"
      "  { aclrtStream inner; aclrtMemsetAsync(x, n, 2, n, inner); }\n"
      "}\n");
  const auto text = [&](const char* call, const char* op) {
    return applied(source.text, fixes_of(finding_of(Rule::freed_in_use,
                                                    source.op(call, std::string(call) + "(", -1),
                                                    source.op("fill", op, 1))));
  };
  CHECK(
      text("aclrtFreeHost", "1, n, s").find("  aclrtSynchronizeStream(s);\n  aclrtFreeHost(h);") !=
      std::string::npos);
  for (const auto& [call, op] :
       {std::pair("aclrtFree", "1, n, s"), std::pair("aclrtFreeHost", "2, n, inner")}) {
    CHECK(text(call, op).find("aclrtSynchronizeEvent(") != std::string::npos);
  }
}

TEST_CASE("a free moves behind the last use, and the host waits there first", "[order][fixes]") {
  const Source source(
      "void f(aclrtStream s) {\n"
      "  MUST(aclrtFree(x));\n"
      "  aclrtMemsetAsync(x, n, 1, n, s);\n"
      "}\n");
  PlacedFinding finding = finding_of(Rule::dead_handle, source.op("fill", "aclrtMemset", 1),
                                     source.op("aclrtFree", "aclrtFree", -1));
  finding.title = "use after free";
  CHECK(applied(source.text, fixes_of(finding)) ==
        "void f(aclrtStream s) {\n"
        "  aclrtMemsetAsync(x, n, 1, n, s);\n"
        "  aclrtSynchronizeStream(s);\n"
        "  MUST(aclrtFree(x));\n"
        "}\n");
}

TEST_CASE("a wait moves behind the record that it was meant for", "[order][fixes]") {
  const Source source(
      "void f() {\n"
      "  aclrtStreamWaitEvent(b, e);\n"
      "  aclrtRecordEvent(e, a);\n"
      "}\n");
  CHECK(applied(source.text,
                fixes_of(finding_of(Rule::wait_before_record, source.op("wait", "aclrtStreamW", 2),
                                    source.op("record", "aclrtRecord", 1)))) ==
        "void f() {\n"
        "  aclrtRecordEvent(e, a);\n"
        "  aclrtStreamWaitEvent(b, e);\n"
        "}\n");
}

TEST_CASE("a call whose result is used is not removed", "[order][fixes]") {
  const Source source(
      "void f() {\n"
      "  if (aclrtSynchronizeStream(a)) return;\n"
      "  const int code = aclrtSynchronizeStream(b);\n"
      "  aclrtSynchronizeStream(c);\n"
      "}\n");
  const auto fixes = [&](const char* part) {
    return fixes_of(
        finding_of(Rule::redundant_wait, source.op("aclrtSynchronizeStream", part, -1), {}));
  };
  CHECK(fixes("(a)").empty());
  CHECK(fixes("(b)").empty());
  CHECK(fixes("(c)").size() == 1);
}

TEST_CASE("ranks of SHMEM meet at one barrier, in each branch if each rank has one",
          "[order][fixes]") {
  const auto barriers = [](const std::string& text) {
    const Source source(text);
    PlacedFinding finding = finding_of(Rule::race, source.op("aclrtMemcpy", "aclrtMemcpy", -1),
                                       source.op("aclshmem_putmem", "aclshmem_putmem", -1));
    finding.op_info.process = "rank 1";
    finding.other->process = "rank 0";
    return applied(source.text, fixes_of(finding));
  };
  CHECK(
      barriers("void f() {\n  aclshmem_putmem(x, v, n, 1);\n  aclrtMemcpy(r, n, x, n, k);\n}\n") ==
      "void f() {\n  aclshmem_putmem(x, v, n, 1);\n  aclshmem_barrier_all();\n"
      "  aclrtMemcpy(r, n, x, n, k);\n}\n");
  CHECK(barriers("void f() {\n  if (me == 0) {\n    aclshmem_putmem(x, v, n, 1);\n  } else {\n"
                 "    aclrtMemcpy(r, n, x, n, k);\n  }\n}\n") ==
        "void f() {\n  if (me == 0) {\n    aclshmem_putmem(x, v, n, 1);\n"
        "    aclshmem_barrier_all();\n  } else {\n    aclshmem_barrier_all();\n"
        "    aclrtMemcpy(r, n, x, n, k);\n  }\n}\n");
}

TEST_CASE("lines that do not name the call give no repair as code", "[order][fixes]") {
  const Source source("void f() {\n  copy(x, y);\n  next(s++);\n}\n");
  const auto it = source.op("copy", "copy", 2);
  CHECK(fixes_of(finding_of(Rule::race, it, it)).empty());
  PlacedOp gone = it;
  gone.place.file = "/nowhere/main.cpp";
  CHECK(fixes_of(finding_of(Rule::race, gone, it)).empty());
  gone.place.line = 99;
  CHECK(fixes_of(finding_of(Rule::race, it, gone)).empty());
}

TEST_CASE("a call that begins behind its macro is found at the line of the macro",
          "[order][fixes]") {
  const SourceText source(
      "void f() {\n"
      "  MUST(\n"
      "      aclrtMemsetAsync(x, n, 1, n, a));\n"
      "  aclrtMemsetAsync(x, n, 2, n, b);\n"
      "}\n");
  const auto call = find_call(source, 2, "fill");
  REQUIRE(call);
  CHECK(stream_argument(*call) == "a");
  CHECK_FALSE(find_call(source, 1, "fill"));
}

TEST_CASE("comments, literals and directives hold no code", "[order][fixes]") {
  const SourceText source(
      "#define F(x) { x\n"
      "int a = '{' + 1'000; // {\n"
      "const char* b = \"}\\\"{\"; /* {\n"
      "{ */ auto c = R\"x(\n{\")x\";\n");
  CHECK(source.code().find_first_of("{}") == std::string::npos);
  CHECK(source.code().size() == source.text().size());
  CHECK(source.mentions("c"));
  CHECK_FALSE(source.mentions("x"));
}

TEST_CASE("declarations follow the includes, outside of conditions", "[order][fixes]") {
  const auto line = [](const char* text, std::uint32_t of) {
    return SourceText(text).end_of_includes(of);
  };
  CHECK(line("int f();\n", 1) == 0);
  CHECK(line("#include <a>\n#include <b>\nint f();\n", 3) == 2);
  CHECK(line("#include <a>\n#if X\n#include <b>\n#endif\nint f();\n", 5) == 4);
  CHECK(line("#ifndef G\n#define G\n#include <b>\nint f();\n#endif\n", 4) == 3);
  CHECK(line("#include <a>\nvoid f() {\n#include <b>\n  g();\n}\n", 4) == 1);
}
