// A page is well-formed, small, and needs nothing from elsewhere.

#include "report/page.hpp"

#include <doctest/doctest.h>

#include <set>

#include "page_tree.hpp"

using namespace sculpt::core;
using sculpt::test::Element;
using sculpt::test::page_tree;

namespace {

// Runs with as many passes as given, and hostile names.
ReportInput input_of(std::size_t runs, std::size_t passes, std::size_t examples) {
  ReportInput input;
  for (std::size_t k = 0; k < runs; ++k) {
    RunRecord& run = input.runs.emplace_back();
    run.name = run.label = "run <script>" + std::to_string(k);
    run.state = RunState::running;
    for (std::size_t p = 1; p <= passes; ++p) {
      PassRecord& pass = run.passes.emplace_back();
      const auto number = static_cast<double>(p);
      pass = {number,     3 * number, number / 7, 1 + 1 / number, 1 - 1 / number,
              2 / number, 2 / number, number,     number / 2,     true};
    }
    run.config = {{"name", "a & b"}, {"solver", {{"C", static_cast<double>(k)}}}};
    RunContent& content = input.contents.emplace_back();
    for (std::size_t e = 0; e < examples; ++e) {
      ExampleRecord& example = content.by_slack.emplace_back();
      example.number = static_cast<std::int64_t>(e);
      example.slack = 1;
      example.truth = {"a b c", 3, false, true};
      example.guess = {"a b d", 3, false, true};
      example.source.assign(100, std::string(150, '<'));
    }
    content.weights.assign(20, {"weight \"1\"", -1.5, ""});
    content.weight_count = 20;
  }
  return input;
}

}  // namespace

TEST_CASE("a page is well-formed, with unique ids, and has no address") {
  const std::string page = report_page(input_of(3, 50, 4));
  const Element root = page_tree(page);
  std::set<std::string> ids;
  const auto visit = [&](const Element& element, const auto& self) -> void {
    const std::string id = element.attribute("id");
    if (!id.empty()) CHECK(ids.insert(id).second);
    for (const auto& [key, value] : element.attributes) {
      CHECK(key.substr(0, 2) != "on");
      CHECK(key != "src");
      if (key == "href") CHECK(value.starts_with("#"));
    }
    for (const Element& child : element.children) self(child, self);
  };
  visit(root, visit);
  CHECK(root.all("script").size() == 1);
  // Links lead to something.
  for (const Element* link : root.all("a")) {
    CHECK(ids.count(link->attribute("href").substr(1)) == 1);
  }
  // Every picture has a role and a name, or is hidden.
  for (const Element* svg : root.all("svg")) {
    if (svg->attribute("aria-hidden") == "true") continue;
    CHECK(svg->attribute("role") == "img");
    CHECK(svg->all("title").size() == 1);
    CHECK(svg->all("desc").size() == 1);
  }
  CHECK(page.find("http:") == page.find("http://www.w3.org/1999/xhtml"));
  CHECK(page.find("https:") == std::string::npos);
  CHECK(is_report_page(page.substr(0, 512)));
  CHECK_FALSE(is_report_page("<!DOCTYPE html>\n<html>"));
}

TEST_CASE("a page stays below 300 kB, however much there is") {
  CHECK(report_page(input_of(1, 20000, 40)).size() <= max_page_bytes);
  CHECK(report_page(input_of(9, 5000, 40)).size() <= max_page_bytes);
  CHECK(report_page(input_of(40, 300, 8)).size() <= max_page_bytes);
}

TEST_CASE("a long run keeps its first and its last pass") {
  const std::string page = report_page(input_of(1, 20000, 0));
  const Element root = page_tree(page);
  const std::vector<const Element*> rows = root.by_id("gap-calls")->all("tbody").front()->all("tr");
  CHECK(rows.front()->whole_text() == "132");
  CHECK(rows.back()->whole_text().starts_with("20000"));
  CHECK(rows.size() > 50);
  CHECK(rows.size() < 400);
}

TEST_CASE("a page of nothing at all is a page") {
  ReportInput input;
  CHECK(page_tree(report_page(input)).all("section").empty());
  input.runs.emplace_back();
  input.contents.emplace_back();
  input.sweeps.emplace_back();
  CHECK(page_tree(report_page(input)).all("h1").size() == 1);
}
