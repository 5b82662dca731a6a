// sculpt report: the page tells what the events, the model and the data of a run tell, for runs and
// sweeps of every kind.

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <map>
#include <sstream>
#include <thread>

#include "command/interrupted_run.hpp"
#include "command/report_pages.hpp"

using namespace sculpt::test;

namespace {

std::vector<Json> passes_of(const Scratch& scratch, const std::string& run) {
  std::vector<Json> passes;
  std::istringstream events(scratch.read(run + "/events.jsonl"));
  for (std::string line; std::getline(events, line);) {
    Json event = Json::parse(line);
    if (event["event"] == "pass") passes.push_back(std::move(event));
  }
  return passes;
}

// True if the cell has the number of the event, to nine digits, or "–" for null.
bool is_cell_of(const std::string& cell, const Json& value) {
  if (value.is_null()) return cell == "–";
  const auto number = value.get<double>();
  return std::abs(std::stod(cell) - number) <= 1e-8 * std::abs(number);
}

// {"feature 2, label 3": weight}: what describe prints of a multiclass model.
std::map<std::string, double> weights_in(const std::string& description) {
  std::map<std::string, double> weights;
  std::istringstream lines(description);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t label = line.find(", label ");
    const std::size_t name = line.find("feature ");
    if (label == std::string::npos || name == std::string::npos) continue;
    weights[line.substr(name)] = std::stod(line);
  }
  return weights;
}

}  // namespace

TEST_CASE("the tables of the figures have the numbers of the events") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "30");
  REQUIRE(train(scratch, {}, "run") == 0);
  const Element page = report_page(scratch, {"run"});
  const std::vector<Json> passes = passes_of(scratch, "run");
  REQUIRE(passes.size() > 5);
  const auto check = [&](const std::string& figure, const std::vector<std::string>& keys) {
    CAPTURE(figure);
    std::vector<std::vector<std::string>> rows = table_of(page, figure);
    std::size_t k = 0;
    for (const Json& pass : passes) {
      const bool has_value = std::any_of(keys.begin() + 2, keys.end(), [&](const std::string& key) {
        return !pass[key].is_null();
      });
      if (!has_value) continue;
      REQUIRE(k < rows.size());
      REQUIRE(rows[k].size() == keys.size());
      for (std::size_t c = 0; c < keys.size(); ++c) CHECK(is_cell_of(rows[k][c], pass[keys[c]]));
      ++k;
    }
    CHECK(k == rows.size());
  };
  check("bounds-calls", {"pass", "oracle_calls", "primal", "dual"});
  check("bounds-seconds", {"pass", "seconds", "primal", "dual"});
  check("gap-calls", {"pass", "oracle_calls", "gap"});
  check("gap-seconds", {"pass", "seconds", "gap"});
  check("planes", {"pass", "oracle_calls", "planes", "active_planes"});
  const Json finished = scratch.finished("run");
  for (const std::vector<std::string>& row : table_of(page, "times")) {
    const std::map<std::string, std::string> keys = {
        {"reading data", "reading_seconds"},  {"oracle", "oracle_seconds"},
        {"sweeps", "sweep_seconds"},          {"QP", "qp_seconds"},
        {"reduction", "reduction_seconds"},   {"evaluation", "evaluation_seconds"},
        {"writing files", "writing_seconds"}, {"rest", "rest_seconds"}};
    CHECK(is_cell_of(row[1], finished[keys.at(row[0])]));
  }
  const std::vector<std::vector<std::string>> losses = table_of(page, "losses");
  REQUIRE(losses.size() == 2);
  CHECK(is_cell_of(losses[0][1], finished["train"]["loss"]));
  CHECK(is_cell_of(losses[1][2], finished["test"]["loss_standard_error"]));
}

TEST_CASE("the hardest examples: slacks computed from the weights, largest first") {
  const Scratch scratch;
  write_points(scratch);
  REQUIRE(scratch.sculpt({"train", "points.json", "--output", "run"}).exit == 0);
  const Element page = report_page(scratch, {"run"});
  // By hand: max over wrong classes of 1 - (score of the right class - its score).
  const std::map<std::string, double> w = weights_in(scratch.sculpt({"describe", "run"}).out);
  REQUIRE(w.size() == 6);
  const std::vector<std::pair<int, std::array<double, 2>>> points = {
      {0, {2, 1}},   {0, {1.5, -0.5}}, {0, {-1, -2}},     {1, {-1, 1}}, {1, {-2, 0.5}},
      {1, {0.5, 2}}, {2, {0.2, -2}},   {2, {-0.5, -1.5}}, {2, {2, 2}}};
  std::vector<std::pair<double, int>> slacks;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto score = [&](int c) {
      const std::string label = ", label " + std::to_string(c + 1);
      return w.at("feature 1" + label) * points[i].second[0] +
             w.at("feature 2" + label) * points[i].second[1];
    };
    double slack = 0;
    for (int c = 0; c < 3; ++c) {
      const int truth = points[i].first;
      if (c != truth) slack = std::max(slack, 1 - score(truth) + score(c));
    }
    if (slack > 1e-7) slacks.emplace_back(-slack, static_cast<int>(i));
  }
  std::sort(slacks.begin(), slacks.end());
  REQUIRE(slacks.size() > 2);
  const std::vector<const Element*> examples = page.by_id("examples")->all("article");
  REQUIRE(examples.size() >= 3);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string text = examples[k]->whole_text();
    CAPTURE(text);
    CHECK(contains(text, "example " + std::to_string(slacks[k].second) + " "));
    CHECK(contains(text, "points.txt:" + std::to_string(slacks[k].second + 1)));
    const std::vector<const Element*> values = examples[k]->all("dd");
    CHECK(std::stod(values[0]->whole_text()) == doctest::Approx(-slacks[k].first).epsilon(1e-3));
  }
  // The text of the first one in the file.
  const auto first = static_cast<std::size_t>(slacks[0].second);
  CHECK(contains(examples[0]->all("pre").front()->whole_text(),
                 std::to_string(points[first].first + 1) + " 1:"));
  // The largest weight.
  const std::vector<std::string> row = table_of(page, "weights0").at(0);
  CHECK(std::stod(row[1]) == doctest::Approx(w.at(row[0])).epsilon(1e-5));
  for (const auto& [name, weight] : w)
    CHECK(std::abs(weight) <= std::abs(std::stod(row[1])) + 1e-6);
  CHECK(contains(section_text(page, "examples"), "largest dual mass"));
}

TEST_CASE("the page does not depend on the number of threads") {
  const Scratch scratch;
  write_points(scratch);
  REQUIRE(scratch.sculpt({"train", "points.json", "--output", "run"}).exit == 0);
  report_page(scratch, {"run", "--output", "one.html", "--threads", "1"}, "one.html");
  report_page(scratch, {"run", "--output", "two.html", "--threads", "2"}, "two.html");
  CHECK(scratch.read("one.html") == scratch.read("two.html"));
}

TEST_CASE("solvers of every kind, with and without slacks, duals and passes") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  std::vector<Variant> all = variants();
  all.push_back({"crf", {"solver.use=crf"}});
  all.push_back({"crf, sdca", {R"(solver={"use": "crf", "method": "sdca"})"}});
  all.push_back({"generative", {"solver.use=generative", "features.start_end=true"}});
  all.push_back({"soda", {"solver.use=soda"}});
  for (const Variant& variant : all) {
    // These differ from others in nothing that a report reads.
    if (contains(variant.name, "rescaling") || contains(variant.name, "norm 2")) continue;
    CAPTURE(variant.name);
    const Outcome trained =
        scratch.sculpt(train_command(variant, "run", {"--force", "--set", "solver.max_passes=8"}));
    if (trained.exit != 0 && trained.exit != 3) {
      REQUIRE(scratch.sculpt(train_command(variant, "run", {"--force"})).exit <= 3);
    }
    const Element page = report_page(scratch, {"run"});
    CHECK(page.by_id("summary") != nullptr);
    CHECK(page.by_id("settings") != nullptr);
    CHECK(page.by_id("weights0") != nullptr);
    CHECK(page.by_id("examples") != nullptr);
    CHECK(section_text(page, "remarks").find("not complete") == std::string::npos);
  }
}

TEST_CASE("a run that still runs, and the same run killed") {
  const Scratch scratch;
  Process process = scratch.start(endless_command("run", {"--set", "checkpoint_seconds=0"}));
  REQUIRE(scratch.wait_for_event(process, "run", "pass"));
  while (!fs::exists(scratch / "run/checkpoints/last.sculpt") && process.running()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  REQUIRE(process.running());
  Element page = report_page(scratch, {"run", "--output", "page.html"}, "page.html");
  CHECK(contains(section_text(page, "summary"), "running"));
  process.signal(SIGKILL);
  process.wait();
  page = report_page(scratch, {"run"});
  CHECK(contains(section_text(page, "summary"), "ended without a result"));
  CHECK(page.by_id("bounds-calls") != nullptr);
  CHECK(contains(section_text(page, "weights"), "of the last checkpoint"));
  CHECK(contains(section_text(page, "examples"), "weights of the last checkpoint"));
  // The folder is still one of a run, although it has a page.
  CHECK(scratch.sculpt(endless_command("run", {"--resume", "--set", "solver.max_passes=1"})).exit ==
        3);
  CHECK(scratch.sculpt(endless_command("run", {"--force", "--set", "solver.max_passes=1"})).exit ==
        3);
  CHECK_FALSE(fs::exists(scratch / "run/report.html"));
}

TEST_CASE("an oracle that would take too long is not asked") {
  const Scratch scratch;
  write_points(scratch);
  REQUIRE(scratch.sculpt({"train", "points.json", "--output", "run"}).exit == 0);
  const Element page = report_page(scratch, {"run", "--seconds", "0"});
  CHECK(contains(section_text(page, "remarks"), "give --seconds to allow more"));
  CHECK(
      contains(section_text(page, "examples"), "as far as the planes of the last checkpoint tell"));
  const Element none = report_page(scratch, {"run", "--examples", "0", "--weights", "0"});
  CHECK(none.by_id("examples") == nullptr);
  CHECK(none.by_id("weights") == nullptr);
}

TEST_CASE("several runs side by side, in the working directory") {
  const Scratch scratch;
  write_points(scratch);
  for (const std::string C : {"1", "9"}) {
    REQUIRE(scratch.sculpt({"train", "points.json", "--output", "C" + C, "--set", "solver.C=" + C})
                .exit == 0);
  }
  const Element page = report_page(scratch, {"C1", "C9"}, "report.html");
  CHECK(contains(page.all("h1").front()->whole_text(), "C1, C9"));
  CHECK(page.by_id("summary")->all("article").size() == 2);
  const Element& gap = *page.by_id("gap-calls");
  CHECK(gap.all("li").size() == 2);
  std::vector<std::string> dashes;
  for (const Element* path : gap.all("path")) {
    if (!path->attribute("data-g").empty()) dashes.push_back(path->attribute("stroke-dasharray"));
  }
  CHECK(dashes == std::vector<std::string>{"none", "7 4"});
  CHECK(contains(section_text(page, "settings"), "solver.C ≠"));
  CHECK_FALSE(contains(section_text(page, "settings"), "solver.slack_norm ≠"));
  // The same run twice is a strange wish, but no error.
  report_page(scratch, {"C1", "C1"}, "report.html");
}

TEST_CASE("a sweep with folds: heat map, folds and table, also before its end") {
  const Scratch scratch;
  write_noisy_experiment(scratch, "30");
  REQUIRE(
      scratch
          .sculpt(sweep_command("sweep", {"--set", "solver.C=1,30", "--set", "solver.batch=0,16",
                                          "--folds", "2", "--best", "label_error"}))
          .exit == 0);
  Element page = report_page(scratch, {"sweep"}, "sweep/report.html");
  const Json table = Json::parse(scratch.read("sweep/sweep.json"));
  const auto mean = [&](std::size_t point) { return table[point]["validation"]["loss"]["mean"]; };
  // The points are 1/0, 1/16, 30/0, 30/16. C is across.
  const std::vector<std::vector<std::string>> map = table_of(page, "sweep0-map0-0");
  REQUIRE(map.size() == 2);
  CHECK(is_cell_of(map[0][1], mean(0)));
  CHECK(is_cell_of(map[1][1], mean(1)));
  CHECK(is_cell_of(map[0][2], mean(2)));
  CHECK(is_cell_of(map[1][2], mean(3)));
  const std::vector<std::vector<std::string>> folds = table_of(page, "sweep0-folds");
  REQUIRE(folds.size() == 4);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(is_cell_of(folds[k][1], mean(k)));
    CHECK(is_cell_of(folds[k][2], table[k]["validation"]["loss"]["standard_error"]));
    CHECK(is_cell_of(folds[k][3], table[k]["cells"][0]["validation"]["loss"]));
    CHECK(is_cell_of(folds[k][4], table[k]["cells"][1]["validation"]["loss"]));
  }
  // The final run is shown too.
  CHECK(page.by_id("summary") != nullptr);
  // A sweep that was killed has no table, and a cell has no end.
  for (const char* file : {"sweep.json", "sweep.md", "sweep.csv"}) {
    fs::remove(scratch / ("sweep/" + std::string(file)));
  }
  fs::remove_all(scratch / "sweep/best");
  fs::remove_all(scratch / "sweep/cells/003.fold1");
  page = report_page(scratch, {"sweep"}, "sweep/report.html");
  CHECK(table_of(page, "sweep0-folds")[3][4] == "–");
  CHECK(contains(section_text(page, "sweep0"), "1 of 1"));
  // A page in its folder does not keep the sweep from going on, or from being replaced.
  const std::vector<std::string> grid = {
      "--set", "solver.C=1,30", "--set", "solver.batch=0,16", "--folds", "2"};
  std::vector<std::string> resumed = grid;
  resumed.emplace_back("--resume");
  CHECK(scratch.sculpt(sweep_command("sweep", resumed)).exit == 0);
  CHECK(scratch.sculpt(sweep_command("sweep", {"--set", "solver.C=1", "--force"})).exit == 0);
  CHECK_FALSE(fs::exists(scratch / "sweep/report.html"));
}
