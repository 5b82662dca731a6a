// report_pages.hpp - runs `sculpt report` and reads its page, for tests.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "command/host_process.hpp"
#include "page_tree.hpp"

namespace sculpt::test {

// Runs `sculpt report` with these words, requires exit code 0, and returns the page.
inline Element report_page(const Scratch& scratch, std::vector<std::string> words,
                           const std::string& page = "run/report.html") {
  words.insert(words.begin(), "report");
  const Outcome outcome = scratch.sculpt(words);
  INFO(outcome.err);
  REQUIRE(outcome.exit == 0);
  CHECK(outcome.out.empty());
  CHECK(contains(outcome.err, "the report is "));
  const std::string text = scratch.read(page);
  CHECK(text.size() < 300000);
  return page_tree(text);
}

// All text of a section; "" if the page does not have it.
inline std::string section_text(const Element& page, const std::string& id) {
  const Element* const section = page.by_id(id);
  return section == nullptr ? "" : section->whole_text();
}

// The cells of the table of a figure: [rows][columns].
inline std::vector<std::vector<std::string>> table_of(const Element& page,
                                                      const std::string& figure) {
  std::vector<std::vector<std::string>> rows;
  const Element* const found = page.by_id(figure);
  if (found == nullptr) return rows;
  for (const Element* body : found->all("tbody")) {
    if (body->attribute("class") != "data") continue;
    for (const Element* row : body->all("tr")) {
      std::vector<std::string>& cells = rows.emplace_back();
      for (const Element& cell : row->children) {
        if (!cell.name.empty()) cells.push_back(cell.whole_text());
      }
    }
  }
  return rows;
}

// Three classes of points, some of them on the wrong side, and the experiment points.json.
inline void write_points(const Scratch& scratch) {
  scratch.write("points.txt",
                "1 1:2 2:1\n1 1:1.5 2:-0.5\n1 1:-1 2:-2\n2 1:-1 2:1\n2 1:-2 2:0.5\n"
                "2 1:0.5 2:2\n3 1:0.2 2:-2\n3 1:-0.5 2:-1.5\n3 1:2 2:2\n");
  scratch.write("points.json", R"({
    "dataset": {"use": "svmlight", "train": "points.txt"},
    "features": {"use": "multiclass", "bias": false}, "loss": "zero_one", "oracle": "enumerate",
    "solver": {"use": "n_slack", "C": 9, "relative_gap": 1e-9}})");
}

}  // namespace sculpt::test
