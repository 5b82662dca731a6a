// The table and the JSON of sculpt check: which tests have a row, and the lines that name the rest.
#include "check/check_report.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

using namespace sculpt::core;

namespace {

TestReport report_of(const std::string& name, Verdict verdict, const std::string& reason = "") {
  TestReport report;
  report.experiment = "words";
  report.name = name;
  report.verdict = verdict;
  if (!reason.empty()) report.reasons = {reason};
  return report;
}

TestReport not_offered(const std::string& name) {
  TestReport report = report_of(name, Verdict::skip, "not offered: something");
  report.is_not_offered = true;
  return report;
}

std::vector<TestReport> sample_reports() {
  return {report_of("loss.values", Verdict::pass),
          not_offered("loss.parts"),
          not_offered("scores.same"),
          not_offered("scores.linear"),
          not_offered("scores.graph"),
          not_offered("scores.predict"),
          not_offered("scores.psi"),
          report_of("oracle.bound", Verdict::skip, "never reports BOUND"),
          report_of("map_solver.value", Verdict::skip, "is of another library"),
          report_of("map_solver.exact", Verdict::skip, "is of another library"),
          report_of("frontier.graphs", Verdict::skip, "is of another library"),
          report_of("oracle.repeat", Verdict::warn, "is of another library")};
}

std::string printed(const std::vector<TestReport>& reports, CheckForm form,
                    bool is_strict = false) {
  std::ostringstream out;
  CheckReport report(TextOut(out), {"words.json", "", 2, 1, "sculpt check words.json"}, form);
  for (const TestReport& test : reports) report.add(test);
  report.finish(report.has_failures() || (is_strict && report.has_warnings()));
  return out.str();
}

}  // namespace

TEST_CASE("the report names what is not offered in one line for each experiment") {
  std::vector<TestReport> reports = sample_reports();
  for (TestReport report : sample_reports()) {
    report.experiment = "other words";
    reports.push_back(report);
  }
  const std::string text = printed(reports, CheckForm::rows);
  INFO(text);
  const std::string line = "  not offered: loss.parts, scores\n";
  const std::size_t first = text.find(line);
  REQUIRE(first != std::string::npos);
  CHECK(first < text.find("\nother words\n"));
  CHECK(text.find(line, first + 1) > text.find("\nother words\n"));
  CHECK(text.find("scores.") == std::string::npos);
  CHECK(text.find("something") == std::string::npos);
}

TEST_CASE("the report gives a skipped test a row with its reason, once for each reason") {
  const std::string text = printed(sample_reports(), CheckForm::rows);
  INFO(text);
  CHECK(text.find("      never reports BOUND\n") != std::string::npos);
  CHECK(text.find("  map_solver.value        skip") != std::string::npos);
  CHECK(text.find("  map_solver.exact        skip") == std::string::npos);
  CHECK(text.find("  skipped like map_solver.value: map_solver.exact, frontier.graphs\n") !=
        std::string::npos);
  CHECK(text.find("  oracle.repeat           warn") != std::string::npos);
}

TEST_CASE("the report counts tests without a row, too") {
  CHECK(printed(sample_reports(), CheckForm::rows)
            .find("\nresult: ok: 1 passed, 1 warned, 10 skipped (6 not offered)\n") !=
        std::string::npos);
  const nlohmann::json json = nlohmann::json::parse(printed(sample_reports(), CheckForm::json));
  CHECK(json["skipped"] == 10);
  CHECK(json["not_offered"] == 6);
  CHECK(json["tests"].size() == 12);
  CHECK(json["tests"][1]["not_offered"] == true);
  CHECK(json["tests"][1]["reasons"][0] == "not offered: something");
  CHECK(json["tests"][7]["not_offered"] == false);
}

TEST_CASE("the report names single tests if not all of their group were run") {
  const std::string text = printed({not_offered("scores.same")}, CheckForm::rows);
  INFO(text);
  CHECK(text.find("  not offered: scores.same\n") != std::string::npos);
}

TEST_CASE("the last line is the verdict, and the tests that failed are named above it") {
  std::vector<TestReport> reports = sample_reports();
  reports.push_back(report_of("oracle.exact", Verdict::fail, "another output is better"));
  reports.push_back(report_of("loss.parts", Verdict::crash, "signal 11"));
  for (const CheckForm form : {CheckForm::rows, CheckForm::brief}) {
    const std::string text = printed(reports, form);
    INFO(text);
    CHECK(
        text.ends_with("\nfailed:\n  oracle.exact of words\n  loss.parts of words\n\nresult: "
                       "FAILED: 1 failed, 1 crashed, 1 passed, 1 warned, 10 skipped (6 not "
                       "offered)\n"));
    CHECK(text.find("      another output is better\n") != std::string::npos);
    CHECK(text.find("      repeat: sculpt check words.json --only oracle.exact\n") !=
          std::string::npos);
  }
  // A warning is a fault with --strict alone.
  CHECK(printed(sample_reports(), CheckForm::rows, true).find("\nresult: FAILED: 1 passed") !=
        std::string::npos);
}

TEST_CASE("for people, tests of an experiment that passed have one row, and skipped ones none") {
  std::vector<TestReport> reports = {report_of("loss.values", Verdict::pass),
                                     not_offered("loss.counts"),
                                     report_of("oracle.value", Verdict::pass),
                                     report_of("oracle.repeat", Verdict::warn, "is slow"),
                                     report_of("oracle.order", Verdict::pass),
                                     report_of("bind", Verdict::pass),
                                     report_of("loss.values", Verdict::pass)};
  for (std::size_t k = 5; k < reports.size(); ++k) reports[k].experiment = "other words";
  const std::string text = printed(reports, CheckForm::brief);
  INFO(text);
  CHECK(text.starts_with("check words.json, level 2, seed 1\n\nwords\n  oracle.repeat"));
  CHECK(text.find("      is slow\n  all others              pass   3 tests") != std::string::npos);
  CHECK(text.find("\nother words                             pass   2 tests") != std::string::npos);
  CHECK(text.find("loss.values") == std::string::npos);
  CHECK(text.find("offered:") == std::string::npos);
  CHECK(text.ends_with("result: ok: 5 passed, 1 warned, 1 skipped (1 not offered)\n"));
}
