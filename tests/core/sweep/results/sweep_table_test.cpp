// The table of a sweep: means, standard errors, failed cells, and the choice of the best point.

#include <doctest/doctest.h>

#include <cmath>

#include "core/refusal.hpp"
#include "sweep/results/best_point.hpp"
#include "sweep/results/sweep_table.hpp"

using namespace sculpt::core;

namespace {

using Json = nlohmann::ordered_json;

CellRecord record(double loss, double f1, bool certified = true) {
  CellRecord cell;
  cell.exit_code = certified ? 0 : 3;
  cell.finished = {{"event", "finished"},
                   {"primal", 10 * loss},
                   {"dual", 9 * loss},
                   {"primal_low", 10 * loss},
                   {"primal_high", 10 * loss},
                   {"relative_gap", loss / 100},
                   {"certified", certified},
                   {"passes", 4},
                   {"oracle_calls", 40},
                   {"stopped_by", certified ? "relative_gap" : "max_passes"},
                   {"better", {{"loss", "lower"}, {"f1", "higher"}}},
                   {"validation",
                    {{"loss", loss},
                     {"f1", f1},
                     {"length", 5 * loss},
                     {"loss_standard_error", 0.5},
                     {"examples", 9}}},
                   {"test", {{"loss", 2 * loss}, {"examples", 5}}}};
  if (certified) cell.seconds_to_gap = loss;
  return cell;
}

CellRecord failed_cell() {
  CellRecord cell;
  cell.exit_code = 69;
  cell.reason = "tagger: crashed | in argmax";
  return cell;
}

struct Sweep {
  Sweep(const std::vector<std::string>& sets, std::int64_t folds, std::vector<CellRecord> all)
      : grid(sets),
        traits(grid.size(), PointTraits{1, false}),
        plan(plan_of(grid, with_folds(folds), traits)),
        records(std::move(all)),
        table(grid, plan, records) {}
  static HoldOutOptions with_folds(std::int64_t folds) {
    HoldOutOptions hold_out_options;
    hold_out_options.folds = folds;
    return hold_out_options;
  }
  Grid grid;
  std::vector<PointTraits> traits;
  SweepPlan plan;
  std::vector<CellRecord> records;
  SweepTable table;
};

}  // namespace

TEST_CASE("the figures of a point are means over K folds, with the standard error s / sqrt(K)") {
  const Sweep sweep({"x=1"}, 3, {record(1, 0.5), record(2, 0.7), record(6, 0.6, false)});
  const SweepRow& row = sweep.table.rows()[0];
  const Measurement* loss = find_measurement(row.validation.by_training_oracle, "loss");
  REQUIRE(loss != nullptr);
  CHECK(loss->value.mean == doctest::Approx(3));
  CHECK(*loss->value.standard_error == doctest::Approx(std::sqrt(7.0 / 3)));  // s^2 = 14/2
  CHECK(find_measurement(row.test.by_training_oracle, "loss")->value.mean == doctest::Approx(6));
  CHECK(find_measurement(row.validation.by_training_oracle, "examples") == nullptr);
  CHECK(row.primal->mean == doctest::Approx(30));
  CHECK(row.relative_gap == doctest::Approx(0.06));  // the largest
  CHECK(row.certified_count == 2);
  CHECK_FALSE(row.seconds_to_gap);  // one cell did not reach the target
  CHECK(row.stopped_by == "1 max_passes, 2 relative_gap");
}

TEST_CASE("without folds only the loss has a standard error, the one over the examples") {
  const Sweep sweep({"x=1"}, 0, {record(1, 0.5)});
  const SweepRow& row = sweep.table.rows()[0];
  CHECK(*find_measurement(row.validation.by_training_oracle, "loss")->value.standard_error == 0.5);
  CHECK_FALSE(find_measurement(row.validation.by_training_oracle, "f1")->value.standard_error);
  CHECK_FALSE(find_measurement(row.test.by_training_oracle, "loss")->value.standard_error);
}

TEST_CASE("a point with a failed cell shows the reason and no figures") {
  const Sweep sweep({"x=1,2"}, 2, {record(1, 0.5), failed_cell(), record(2, 0.5), record(4, 0.5)});
  const std::string text = sweep.table.markdown();
  CAPTURE(text);
  CHECK(text.find("| 1 |  |") != std::string::npos);
  CHECK(text.find("| 1 of 2 failed |") != std::string::npos);
  CHECK(text.find("- 000.fold1 (x=1): exit 69: tagger: crashed | in argmax") != std::string::npos);
  CHECK(text.find("| 3 ± 1 |") != std::string::npos);
  const Json json = sweep.table.json();
  CHECK(json[0]["failed"] == 1);
  CHECK_FALSE(json[0].contains("validation"));
  CHECK(json[0]["cells"][1]["reason"] == "tagger: crashed | in argmax");
  CHECK(json[1]["validation"]["loss"]["mean"] == 3.0);
  CHECK(sweep.table.csv().find("\n2,3,4,40,30,30,0.04,2,2,0,relative_gap,3,1,") !=
        std::string::npos);
}

TEST_CASE("the best point has the best value of the metric, then the smaller C") {
  const auto best = [](const std::string& metric, const std::vector<PointTraits>& traits,
                       const Sweep& sweep) {
    return best_point(Criterion(metric), sweep.table.rows(), traits);
  };
  const Sweep sweep({"x=1,2,3,4"}, 0,
                    {record(2, 0.9), record(1, 0.5), record(1, 0.95), failed_cell()});
  const std::vector<PointTraits> even(4, PointTraits{1, false});
  CHECK(best("loss", even, sweep) == 1);
  CHECK(best("loss", {{1, true}, {10, true}, {5, true}, {1, true}}, sweep) == 2);
  CHECK(best("loss:max", even, sweep) == 0);
  CHECK(best("f1", even, sweep) == 2);
  CHECK(best("f1:min", even, sweep) == 1);
  CHECK(best("length:max", even, sweep) == 0);
  CHECK(best("length:min", even, sweep) == 1);
  const Refusal undirected = refusal_of([&] { best("length", even, sweep); });
  CHECK(undirected.exit == Exit::usage);
  CHECK(
      undirected.text ==
      "--best: the metric \"length\" does not say what is better; write length:max or length:min");
  const Refusal unknown = refusal_of([&] { best("f2", even, sweep); });
  CHECK(unknown.exit == Exit::usage);
  CHECK(unknown.says("choose one of loss, f1, length"));
  CHECK(refusal_of([] { Criterion("f1:most"); }).exit == Exit::usage);
  const Sweep none({"x=1"}, 0, {failed_cell()});
  CHECK_FALSE(has_complete_point(none.table.rows()));
  CHECK(has_complete_point(sweep.table.rows()));
}

TEST_CASE("a best point at the smallest or largest value of a key is at an edge of the grid") {
  // 3 C, 2 batch, 3 oracle and 2 gap: 36 points. The loss is |log10 C - best|.
  const std::vector<std::string> texts = {"C=10,1,100", "batch=1,64", "oracle=icm,viterbi,greedy",
                                          "gap=1e-3,3"};
  const auto edges = [&](double best) {
    const Grid grid(texts);
    std::vector<CellRecord> records;
    for (std::size_t point = 0; point < grid.size(); ++point) {
      const double C = std::stod(grid.value(point, "C"));
      records.push_back(record(std::abs(std::log10(C) - best), 0.5));
    }
    const Sweep sweep(texts, 0, records);
    const std::size_t point = best_point(Criterion("loss"), sweep.table.rows(), sweep.traits);
    std::vector<std::string> found;
    for (const GridEdge& edge : grid_edges(Criterion("loss"), grid, sweep.table.rows(), point)) {
      found.push_back(edge.text() + ", further: " + edge.further_value);
    }
    return found;
  };
  CHECK(edges(1).empty());
  CHECK(edges(0) == std::vector<std::string>{"C=1 is the smallest tried, further: 0.1"});
  CHECK(edges(2) == std::vector<std::string>{"C=100 is the largest tried, further: 1000"});
  // 1 and 10 are equally good, so the smaller one is chosen, and nothing is to be found beyond it.
  CHECK(edges(0.5).empty());
}

TEST_CASE("equal points have no edge, and values of both signs no factor") {
  const std::vector<std::string> texts = {"shift=-1,0,1"};
  const auto edges = [&](std::vector<double> losses) {
    const Sweep sweep(texts, 0,
                      {record(losses[0], 0.5), record(losses[1], 0.5), record(losses[2], 0.5)});
    const std::size_t point = best_point(Criterion("loss"), sweep.table.rows(), sweep.traits);
    return grid_edges(Criterion("loss"), Grid(texts), sweep.table.rows(), point);
  };
  CHECK(edges({0, 0, 0}).empty());
  REQUIRE(edges({3, 2, 1}).size() == 1);
  CHECK(edges({3, 2, 1})[0].further_value.empty());
}

TEST_CASE("a primal that is only a lower bound is shown as one") {
  CellRecord loose = record(2, 0.5, false);
  loose.finished["primal_high"] = nullptr;
  loose.finished["primal_low"] = 19;
  const Sweep sweep({"x=1,2"}, 0, {record(1, 0.5), loose});
  CHECK(sweep.table.rows()[0].primal->mean == 10);
  CHECK_FALSE(sweep.table.rows()[1].primal);
  CHECK(sweep.table.markdown().find("| at least 19 |") != std::string::npos);
  CHECK(sweep.table.csv().find(",,19,") != std::string::npos);
  CHECK(sweep.table.json()[1]["primal"].is_null());
  CHECK(sweep.table.json()[1]["primal_low"]["mean"] == 19);
}

TEST_CASE("cells that missed their target are counted in the table and in the warnings") {
  const Sweep sweep({"solver.C=1,10,100"}, 2,
                    {record(0.5, 0.5), record(0.5, 0.5), record(0.1, 0.5), record(0.1, 0.5, false),
                     record(0.3, 0.5, false), record(0.3, 0.5, false)});
  const std::string text = sweep.table.markdown();
  CAPTURE(text);
  for (const char* word : {"| reached |", "| missed 1/2 |", "| missed 2/2 |"}) {
    CAPTURE(word);
    CHECK(text.find(word) != std::string::npos);
  }
  CHECK(sweep.table.json()[1]["target_missed"] == 1);
  const std::size_t best = best_point(Criterion("loss"), sweep.table.rows(), sweep.traits);
  REQUIRE(best == 1);
  CHECK(missed_targets(sweep.table.rows(), best) ==
        std::vector<std::string>{
            "the best point missed its target in 1 of 2 cells (1 max_passes, 1 relative_gap): its "
            "metrics are "
            "those of unfinished models",
            "1 other point missed the target, and may be better when the target is reached"});
  CHECK(missed_targets(sweep.table.rows(), 0) ==
        std::vector<std::string>{
            "2 other points missed the target, and may be better when the target is reached"});
}

TEST_CASE("a cell of a solver without a gap is not counted as missed") {
  CellRecord without = record(0.5, 0.5, false);
  without.finished["dual"] = nullptr;
  const Sweep sweep({"solver.C=1"}, 0, {without});
  CHECK(sweep.table.markdown().find("| - |") != std::string::npos);
  CHECK(missed_targets(sweep.table.rows(), 0).empty());
}
