// Where the cells of a sweep run, if there are several places.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "command/interrupted_run.hpp"
#include "sweep/plan/grid.hpp"
#include "sweep/runs/cell_runner.hpp"

using namespace sculpt::test;
using namespace sculpt::core;

namespace {

constexpr std::int64_t plenty = std::int64_t{1} << 50;

// Places whose cells are no processes: each poll ends the one that was started first, without a
// model.
class ListedPlaces : public CellPlaces {
 public:
  explicit ListedPlaces(std::vector<PlaceState> states) : states_(std::move(states)) {}

  std::size_t count() const override { return states_.size(); }
  PlaceState state(std::size_t place) override { return states_[place]; }
  void start(std::size_t place, const CellStart& start) override {
    running.push_back({place, start.cell});
    place_of[start.cell] = place;
    words_of[start.cell] = start.words;
    std::map<std::size_t, std::int64_t> cells;
    for (const auto& one : running) most[one.first] = std::max(most[one.first], ++cells[one.first]);
  }
  void request_stop() override {}
  std::vector<EndedCell> poll() override {
    const std::size_t cell = running.front().second;
    running.erase(running.begin());
    return {{cell, {4, 0}}};
  }

  std::vector<std::pair<std::size_t, std::size_t>> running;  // place, cell
  std::map<std::size_t, std::size_t> place_of;               // by cell
  std::map<std::size_t, std::vector<std::string>> words_of;  // by cell
  std::map<std::size_t, std::int64_t> most;                  // cells at a time, by place

 private:
  std::vector<PlaceState> states_;
};

PlaceState place(int machine, int threads, std::int64_t free_memory = plenty) {
  return {machine, threads, free_memory, 0, 0};
}

// Runs cells in chains of two values of C. Their estimates are 1 MB each.
void run_cells(ListedPlaces& places, const std::string& oracles) {
  const Scratch scratch;
  write_noisy_experiment(scratch, "5");
  const Grid grid({"oracle=" + oracles, "solver.C=1,2"});
  std::vector<PointTraits> traits;
  for (std::size_t k = 0; k < grid.size(); ++k) traits.push_back({k % 2 == 0 ? 1.0 : 2.0, true});
  const SweepPlan plan = plan_of(grid, {}, traits);
  for (const Cell& cell : plan.cells) {
    fs::create_directories(scratch / "cells" / cell.name);
    scratch.write("cells/" + cell.name + "/events.jsonl",
                  "{\"event\":\"started\",\"memory_estimate_bytes\":1000000}\n");
  }
  CellRunner::Settings settings;
  settings.folder = scratch / "cells";
  settings.config = scratch / "noisy.json";
  settings.places = &places;
  std::vector<std::string> ended;
  CellRunner runner(plan, settings, [&](const Cell& cell, const CellRecord& record) {
    CHECK(!record.has_model());
    ended.push_back(cell.name);
  });
  CHECK(runner.run());
  CHECK(ended.size() == plan.cells.size());
  for (const auto& chain : plan.chains) {
    const auto at = [&](std::size_t k) {
      return std::find(ended.begin(), ended.end(), plan.cells[chain[k]].name);
    };
    CHECK(at(0) < at(1));
  }
}

std::int64_t cells_at(const ListedPlaces& places, std::size_t place) {
  return std::count_if(places.place_of.begin(), places.place_of.end(),
                       [&](const auto& one) { return one.second == place; });
}

std::string threads_in(const std::vector<std::string>& words) {
  const auto option = std::find(words.begin(), words.end(), "--threads");
  REQUIRE(option != words.end());
  return *std::next(option);
}

}  // namespace

TEST_CASE("cells go to the place with the fewest, and no place has more than its threads") {
  ListedPlaces places({place(0, 1), place(0, 2), place(1, 1)});
  run_cells(places, "viterbi,enumerate,icm,lp");
  CHECK(places.most == std::map<std::size_t, std::int64_t>{{0, 1}, {1, 2}, {2, 1}});
  for (const std::size_t k : {0U, 1U, 2U}) CHECK(cells_at(places, k) >= 2);
}

TEST_CASE("cells share the threads of their place") {
  ListedPlaces places({place(0, 4), place(1, 4)});
  run_cells(places, "viterbi,enumerate");
  for (const auto& one : places.words_of) CHECK(threads_in(one.second) == "4");
  ListedPlaces busy({place(0, 4), place(1, 4)});
  run_cells(busy, "viterbi,enumerate,icm");
  for (const auto& one : busy.words_of) CHECK(threads_in(one.second) == "2");
}

TEST_CASE("a machine without free memory runs one cell at a time, also if it has two places") {
  ListedPlaces places({place(0, 1, 0), place(0, 1, 0), place(1, 1)});
  run_cells(places, "viterbi,enumerate,icm,lp");
  CHECK(places.most[2] == 1);
  CHECK(places.most[0] == 1);
  CHECK(places.most[1] == 0);
}
