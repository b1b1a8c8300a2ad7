// SPDX-License-Identifier: Apache-2.0
// Reports for other programs: JSON, SARIF, JUnit.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "runtime/order/report/json_writer.h"
#include "runtime/order/report/report.h"
#include "tests/order/reports.h"
#include "tests/support/catch.h"

#if __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>
#define HAVE_JSON 1
#endif

using order::Level;
using order::Report;

namespace {

/// The place of the first mistake of a text in XML, in elements, attributes or entities; empty: the
/// text is well-formed.
std::string xml_fault(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = text.find("?>") + 2; at < text.size();) {
    if (text[at] == '&') {
      const std::string entity = text.substr(at, text.find(';', at) - at + 1);
      if (!std::set<std::string>{"&amp;", "&lt;", "&gt;", "&quot;"}.count(entity)) return entity;
    }
    if (text[at] != '<') {
      ++at;
      continue;
    }
    const std::size_t end = text.find('>', at);
    if (end == std::string::npos) return "open tag";
    const std::string tag = text.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos) return tag;
    if (std::count(tag.begin(), tag.end(), '"') % 2 != 0) return tag;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return tag;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
    at = end + 1;
  }
  return open.empty() ? "" : open.back();
}

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

Report nasty() {
  Report report = ordertest::report();
  report.program = "a & b < \"c\"";
  report.findings[1].op_info.what = "std::vector<int>::operator&&(\"\x01\xff\")\\";
  report.findings[1].op_info.place.file = "/home/me/my file#1.cpp";
  return report;
}

}  // namespace

TEST_CASE("JSON is written with its brackets, commas and escapes", "[report][json]") {
  order::JsonWriter json;
  json.open('{').member("a", 1).member("b", true).text("c", "").text("d", "\"\n");
  json.open_member("e", '[').value(1).value("x").open('{').close().close();
  json.open_member("f", '[').close().close();
  CHECK(json.take() ==
        "{\n  \"a\": 1,\n  \"b\": true,\n  \"d\": \"\\\"\\u000a\",\n  \"e\": [\n    1,\n"
        "    \"x\",\n    {}\n  ],\n  \"f\": []\n}\n");
}

TEST_CASE("a report without findings is a short JSON text", "[report][json]") {
  CHECK(to_json(Report{}) ==
        "{\n  \"format\": \"aclsim-findings\",\n  \"format_version\": 2,\n  \"errors\": 0,\n"
        "  \"warnings\": 0,\n  \"notes\": 0,\n  \"suppressed\": 0,\n  \"kernels\": 0,\n"
        "  \"undeclared_kernels\": 0,\n"
        "  \"unused_suppressions\": [],\n  \"findings\": []\n}\n");
}

TEST_CASE("what is not checked stands in every format", "[report]") {
  Report report = ordertest::report();
  CHECK(to_text(report).find("not checked") == std::string::npos);
  report.not_checked = {"races between processes"};
  CHECK(to_text(report).find("\nnot checked: races between processes\n") != std::string::npos);
  CHECK(verdict_text(report).ends_with(", some not checked"));
  CHECK(to_json(report).find("\"not_judged\": [\n    \"races between processes\"\n  ]") !=
        std::string::npos);
  CHECK(to_junit(report, Level::error).find("<property name=\"not_judged\" value=\"1\"/>") !=
        std::string::npos);
  CHECK(to_sarif(report).find("\"notJudged\": [") != std::string::npos);
}

TEST_CASE("JUnit has one test case, the program, with the findings in its failure",
          "[report][junit]") {
  Report report = ordertest::report();
  report.suppressed = 3;
  const std::string text = to_junit(report, Level::warning);
  CHECK(xml_fault(text).empty());
  CHECK(times(text, "<testcase ") == 1);
  CHECK(text.find("<testcase classname=\"aclsim.check\" name=\"./prog --fast\">") !=
        std::string::npos);
  CHECK(times(text, "tests=\"1\" failures=\"1\"") == 2);  // of the suite and of all suites
  CHECK(times(text, "<failure ") == 1);
  CHECK(text.find(
            "<failure type=\"ACL007\" message=\"data race at src/main.cpp:88: scale on stream 2 "
            "writes 1024 bytes of device memory") != std::string::npos);
  CHECK(text.find("\">src/main.cpp:88: error: data race: scale on stream 2 ") != std::string::npos);
  CHECK(
      text.find("<system-out>src/main.cpp:88: note: redundant synchronisation: aclrtStreamWait") !=
      std::string::npos);
  CHECK(text.find("<property name=\"suppressed\" value=\"3\"/>") != std::string::npos);
  CHECK(text.find("ACL012") == std::string::npos);  // what a run cannot report does not pass
  const std::string all = to_junit(ordertest::report(), Level::note);
  CHECK(times(all, "<failure ") == 1);
  CHECK(all.find("; and 1 more finding\">") != std::string::npos);
  CHECK(times(to_junit(Report{}, Level::note), "<failure ") == 0);
}

TEST_CASE("JUnit stays well-formed whatever names hold", "[report][junit]") {
  const std::string text = to_junit(nasty(), Level::note);
  CHECK(xml_fault(text).empty());
  CHECK(text.find("vector&lt;int&gt;::operator&amp;&amp;(&quot;\xef\xbf\xbd\xef\xbf\xbd&quot;)") !=
        std::string::npos);
  CHECK(text.find("name=\"aclsim check a &amp; b &lt; &quot;c&quot;\"") != std::string::npos);
}

#ifdef HAVE_JSON

using nlohmann::json;

TEST_CASE("JSON holds all of a finding", "[report][json]") {
  const json report = json::parse(to_json(ordertest::report()));
  CHECK(report.at("version") == "0.1.0");
  CHECK(report.at("program") == "./prog --fast");
  CHECK(report.at("errors") == 1);
  CHECK(report.at("notes") == 1);
  const json& finding = report.at("findings").at(1);
  CHECK(finding.at("rule") == "ACL007");
  CHECK(finding.at("level") == "error");
  CHECK(finding.at("times") == 3);
  CHECK(finding.at("title") == "data race");
  CHECK(finding.at("text") ==
        "scale on stream 2 writes 1024 bytes of device memory that the copy on the default stream "
        "(libuser.so+0x1f0) reads; no event orders them");
  CHECK(finding.at("pattern") == "{it} writes {bytes} that {other} reads; no event orders them");
  CHECK(finding.at("repair") ==
        "call aclrtRecordEvent on the default stream after the copy (libuser.so+0x1f0), and "
        "aclrtStreamWaitEvent on stream 2 before scale (src/main.cpp:88)");
  CHECK_FALSE(finding.contains("repair_pattern"));
  CHECK(finding.at("it") ==
        json{{"what", "scale"},
             {"stream", 2},
             {"default_stream", false},
             {"thread", 1},
             {"number", 4},
             {"device", 0},
             {"declared", true},
             {"place", {{"file", "src/main.cpp"}, {"line", 88}, {"function", "step(int)"}}}});
  CHECK(finding.at("other").at("place") ==
        json{{"module", "/opt/user/libuser.so"}, {"offset", 0x1f0}});
  CHECK(finding.at("bytes") == json{{"begin", 0x1000},
                                    {"size", 0x400},
                                    {"host", false},
                                    {"write", true},
                                    {"memory", "an allocation of 4096 bytes on device 0"},
                                    {"offset", 256},
                                    {"allocated", {{"file", "src/main.cpp"}, {"line", 20}}}});
  CHECK(json::parse(to_json(nasty())).at("program") == "a & b < \"c\"");
}

TEST_CASE("SARIF 2.1.0 names the tool, its rules and the results", "[report][sarif]") {
  const json log = json::parse(to_sarif(nasty()));
  CHECK(log.at("version") == "2.1.0");
  CHECK(log.at("$schema").get<std::string>().find("sarif-schema-2.1.0.json") != std::string::npos);
  REQUIRE(log.at("runs").size() == 1);
  const json& driver = log.at("runs").at(0).at("tool").at("driver");
  CHECK(driver.at("name") == "aclsim");
  REQUIRE(driver.at("rules").size() == order::rules().size());
  for (const json& rule : driver.at("rules")) {
    CHECK(order::find_rule(rule.at("id").get<std::string>()));
    CHECK(rule.at("shortDescription").at("text").is_string());
    CHECK(rule.at("fullDescription").at("text").is_string());
    CHECK(order::level_of(rule.at("defaultConfiguration").at("level").get<std::string>()));
  }
  const json& results = log.at("runs").at(0).at("results");
  REQUIRE(results.size() == 2);
  for (const json& result : results) {
    const auto index = result.at("ruleIndex").get<std::size_t>();
    CHECK(driver.at("rules").at(index).at("id") == result.at("ruleId"));
    CHECK(result.at("message").at("text").is_string());
    CHECK(result.at("locations").size() == 1);
    CHECK(result.at("occurrenceCount").get<int>() >= 1);
  }
}

TEST_CASE("places in SARIF are URIs and lines, or addresses where no line is known",
          "[report][sarif]") {
  const json log = json::parse(to_sarif(nasty()));
  const json& result = log.at("runs").at(0).at("results").at(1);
  const json& it = result.at("locations").at(0);
  CHECK(it.at("physicalLocation") ==
        json{{"artifactLocation", {{"uri", "file:///home/me/my%20file%231.cpp"}}},
             {"region", {{"startLine", 88}}}});
  CHECK(it.at("logicalLocations").at(0).at("name") == "step(int)");
  const json& other = result.at("relatedLocations").at(0);
  CHECK(other.at("id") == 1);
  CHECK(other.at("physicalLocation") ==
        json{{"artifactLocation", {{"uri", "file:///opt/user/libuser.so"}}},
             {"address", {{"relativeAddress", 0x1f0}}}});
}

TEST_CASE("a repair is a list of changes of lines in JSON, and of replacements in SARIF",
          "[report][json][sarif]") {
  using Where = order::LineEdit::Where;
  Report report = nasty();
  report.findings[1].both_ways = true;
  report.findings[1].other->streams_vary = true;
  report.findings[1].fixes = {{"/a b.cpp", 3, Where::before, "  wait();"},
                              {"/a b.cpp", 3, Where::instead, ""},
                              {"/c.cpp", 9, Where::after, "one();\ntwo();"}};
  const json finding = json::parse(to_json(report)).at("findings").at(1);
  CHECK(finding.at("both_ways") == true);
  CHECK(finding.at("other").at("several_streams") == true);
  CHECK(finding.at("fixes") ==
        json{{{"file", "/a b.cpp"}, {"line", 3}, {"where", "before"}, {"code", "  wait();"}},
             {{"file", "/a b.cpp"}, {"line", 3}, {"where", "instead"}, {"code", ""}},
             {{"file", "/c.cpp"}, {"line", 9}, {"where", "after"}, {"code", "one();\ntwo();"}}});
  const json log = json::parse(to_sarif(report));
  const json& results = log.at("runs").at(0).at("results");
  CHECK_FALSE(results.at(0).contains("fixes"));
  const json& changes = results.at(1).at("fixes").at(0).at("artifactChanges");
  REQUIRE(changes.size() == 2);
  CHECK(changes.at(0).at("artifactLocation").at("uri") == "file:///a%20b.cpp");
  const auto region = [](int first, int last) {
    return json{{"startLine", first}, {"startColumn", 1}, {"endLine", last}, {"endColumn", 1}};
  };
  const json& first = changes.at(0).at("replacements");
  REQUIRE(first.size() == 2);
  CHECK(first.at(0).at("deletedRegion") == region(3, 3));
  CHECK(first.at(0).at("insertedContent").at("text") == "  wait();\n");
  CHECK(first.at(1).at("deletedRegion") == region(3, 4));
  CHECK(first.at(1).at("insertedContent").at("text") == "");
  const json& second = changes.at(1).at("replacements").at(0);
  CHECK(second.at("deletedRegion") == region(10, 10));
  CHECK(second.at("insertedContent").at("text") == "one();\ntwo();\n");
}

namespace {

std::vector<std::string> fingerprints_of(const Report& report) {
  std::vector<std::string> prints;
  const json log = json::parse(to_sarif(report));
  for (const json& result : log.at("runs").at(0).at("results")) {
    prints.push_back(result.at("partialFingerprints").at("aclsim/v2").get<std::string>());
  }
  return prints;
}

}  // namespace

TEST_CASE("a finding keeps its fingerprint when lines move and when the program lies elsewhere",
          "[report][sarif]") {
  const std::vector<std::string> before = fingerprints_of(nasty());
  Report moved = nasty();
  moved.findings[1].op_info.place.line = 90;
  moved.findings[1].op_info.place.file = "/home/you/elsewhere/my file#1.cpp";
  moved.findings[1].other->place.module = "/usr/lib/libuser.so";
  CHECK(fingerprints_of(moved) == before);
  moved.findings[1].op_info.place.function = "another()";
  CHECK(fingerprints_of(moved)[1] != before[1]);
}

TEST_CASE("two pairs of equal words in one function have fingerprints of their own, by their lines",
          "[report][sarif]") {
  Report report = nasty();
  report.findings = {report.findings[1], report.findings[1]};
  report.findings[0].op_info.place.line = 90;
  const std::vector<std::string> prints = fingerprints_of(report);
  CHECK(prints[0] != prints[1]);
  std::swap(report.findings[0], report.findings[1]);
  CHECK(fingerprints_of(report) == std::vector<std::string>{prints[1], prints[0]});
}

#endif
