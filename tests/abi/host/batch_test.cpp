// Oracles that answer several queries in one call (sculpt/ext/batch_argmax.h), through the host. A
// parameter of the stub switches that off.

#include <doctest/doctest.h>

#include <cstring>

#include "../stubs/batch_counts.hpp"
#include "base/cancelled.hpp"
#include "base/random.hpp"
#include "core/refusal.hpp"
#include "problem/prediction/predictor.hpp"
#include "problem/sources/problem_planes.hpp"
#include "solver/catalogue/solver_list.hpp"
#include "stub_components.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t example_count = 150;

// Classes that overlap.
std::string overlapping_points() {
  Random random(1, "points");
  std::string text;
  for (std::int64_t i = 0; i < example_count; ++i) {
    const std::int64_t label = random.integer(0, 3);
    text += std::to_string(label);
    for (std::int64_t j = 0; j < 4; ++j) {
      text += " " + std::to_string((j == label ? 1 : 0) + 0.7 * random.normal());
    }
    text += "\n";
  }
  return text;
}

std::unique_ptr<Problem> batching_problem(const std::string& keys, int threads,
                                          const Formulation& formulation = {}) {
  stub::Parts parts{"batching", "batching", "batching", "batching"};
  parts.dataset_keys = keys;
  return stub::problem(parts, overlapping_points(), threads, formulation);
}

const BatchCounts& counts_of(Problem& problem) {
  const Component& oracle = problem.oracle().component();
  return *static_cast<const BatchCounts*>(
      oracle.description().life->extension(oracle.self(), STUB_EXT_BATCH_COUNTS));
}

struct RecordedRun : Listener {
  std::vector<double> numbers;  // of all passes, and of the result
  Vector w;

  void add(std::initializer_list<double> values) {
    numbers.insert(numbers.end(), values.begin(), values.end());
  }
  void pass_done(const PassReport& report) override {
    add({report.primal_low, report.primal_high, report.best_primal, report.dual, report.gap,
         static_cast<double>(report.oracle_calls), static_cast<double>(report.planes),
         static_cast<double>(report.active_planes)});
  }
};

template <class Numbers>
bool is_same(const Numbers& a, const Numbers& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

struct TrainedSolver {
  const char* name;
  const char* keys;
  std::int64_t one_by_one = 0;  // at least so many calls are about the only known query
};

RecordedRun train(Problem& problem, const TrainedSolver& solver) {
  const SolverDescriptor& kind = *find_solver(solver.name);
  const CheckedParameters parameters(kind.parameters, stub::json(solver.keys), kind.name);
  ProblemPlanes source(problem, 1);
  RecordedRun run;
  Result result = kind.create(parameters.values())->solve(source, run, [] { return false; });
  run.add({result.primal, result.dual, static_cast<double>(result.oracle_calls),
           static_cast<double>(source.extra_oracle_calls())});
  run.w = std::move(result.w);
  return run;
}

TEST_CASE("threads: batches change no bit of a result, and no count of calls") {
  for (const TrainedSolver& solver :
       {TrainedSolver{"n_slack", R"({"C": 10})"},
        TrainedSolver{"n_slack", R"({"C": 10, "rescaling": "slack"})"},
        TrainedSolver{"n_slack", R"({"C": 10, "slack_norm": 2, "batch": 7})"},
        TrainedSolver{"one_slack", R"({"C": 10})"},
        TrainedSolver{"frank_wolfe", R"({"C": 10, "max_passes": 5})"},
        TrainedSolver{"subgradient", R"({"C": 10, "max_passes": 3, "batch": 1})",
                      3 * example_count},
        TrainedSolver{"perceptron", R"({"max_passes": 2})", 2 * example_count}}) {
    INFO(std::string(solver.name), " ", std::string(solver.keys));
    const bool is_slack = std::strstr(solver.keys, "\"slack\"") != nullptr;
    Formulation formulation;
    if (is_slack) formulation.rescaling = Rescaling::slack;
    if (std::strstr(solver.keys, "slack_norm") != nullptr) formulation.slack_norm = 2;
    const auto alone = batching_problem(R"({"batches": false})", 1, formulation);
    const RecordedRun expected = train(*alone, solver);
    CHECK(counts_of(*alone).batches == 0);
    REQUIRE(!expected.numbers.empty());
    for (const int threads : {1, 3}) {
      CAPTURE(threads);
      const auto problem = batching_problem("{}", threads, formulation);
      const RecordedRun run = train(*problem, solver);
      CHECK(is_same(run.w, expected.w));
      CHECK(is_same(run.numbers, expected.numbers));
      const BatchCounts& counts = counts_of(*problem);
      CHECK(counts.batches > 0);
      CHECK(counts.alone.load() >= solver.one_by_one);
      CHECK(counts.largest <= 64);
      CHECK(counts.alone + counts.in_batches == counts_of(*alone).alone);
    }
  }
}

TEST_CASE("threads: psi and losses of a batch in one call change no bit, also if the call fails") {
  const TrainedSolver solver{"n_slack", R"({"C": 10})"};
  const auto alone = batching_problem(R"({"values": "none"})", 1);
  const RecordedRun expected = train(*alone, solver);
  CHECK(counts_of(*alone).value_calls == 0);
  for (const char* values : {"right", "failing"}) {
    for (const int threads : {1, 3}) {
      CAPTURE(values);
      CAPTURE(threads);
      const auto problem =
          batching_problem(R"({"values": ")" + std::string(values) + "\"}", threads);
      const RecordedRun run = train(*problem, solver);
      CHECK(is_same(run.w, expected.w));
      CHECK(is_same(run.numbers, expected.numbers));
      const BatchCounts& counts = counts_of(*problem);
      CHECK(counts.value_calls == 2 * counts.batches);
    }
  }
}

TEST_CASE("a pass at one w takes its answers in blocks") {
  const auto problem = batching_problem("{}", 1);
  ProblemPlanes source(*problem, 1);
  const Vector w(static_cast<std::size_t>(problem->dimension()), 0.5);
  std::vector<std::int64_t> examples(example_count);
  for (std::size_t k = 0; k < examples.size(); ++k) examples[k] = static_cast<std::int64_t>(k);
  std::vector<Separation> answers;
  source.separate(w, examples, Pass(1), answers);
  const BatchCounts& counts = counts_of(*problem);
  CHECK(counts.batches == 3);  // 64 + 64 + 22
  CHECK(counts.largest == 64);
  CHECK(counts.in_batches == example_count);
  JointSeparation joint;
  source.separate_jointly(w, Pass(2), JointWeight::one, joint);
  CHECK(counts.in_batches == 2 * example_count);
  CHECK(counts.batches < 10);
  source.separate(w, std::span(examples).first(1), Pass(3), answers);
  CHECK(counts.alone == 1);
}

// Claims batches and relaxed answers. Queries about relaxed answers are not announced.
class RelaxingOracle : public Oracle {
 public:
  explicit RelaxingOracle(const Component& component) : component_(component) {}
  const Component& component() const override { return component_; }
  const std::string& obstacle_to_frontier() const override { return obstacle_; }
  bool relaxes() const override { return true; }
  bool answers_batches() const override { return true; }

 private:
  void compute_argmax(int, const sculpt_query&, double, Answer&) override {}
  sculpt_frontier_query frontier_query(int, const sculpt_query&) override { return {}; }
  void check_labels(int, std::int64_t, const Answer&) const override {}

  const Component& component_;
  std::string obstacle_ = "offers none";
};

TEST_CASE("tasks are as large as a batch only if their queries are announced") {
  const auto problem = batching_problem("{}", 2);
  ProblemPlanes announcing(*problem, 1);
  CHECK(announcing.range_size(Pass(1), 128) == 64);
  RelaxingOracle relaxing(problem->oracle().component());
  ProblemPlanes silent(*problem, 1, {relaxing, SeparationStrategy::one_argmax});
  CHECK(silent.range_size(Pass(1), 128) == Workers::range_size(128));
}

TEST_CASE("threads: predictions in batches are those of single calls") {
  const auto alone = batching_problem(R"({"batches": false})", 1);
  Vector w(static_cast<std::size_t>(alone->dimension()));
  for (std::size_t j = 0; j < w.size(); ++j) w[j] = std::sin(static_cast<double>(j));
  const auto predict = [&](Problem& problem, std::vector<std::vector<std::int32_t>>& outputs) {
    return Predictor(problem, w, 1)
        .run(Range{0, example_count}, [&](std::int64_t, const Prediction& prediction) {
          outputs.push_back(prediction.labels);
        });
  };
  std::vector<std::vector<std::int32_t>> expected_outputs;
  const Evaluation expected = predict(*alone, expected_outputs);
  for (const int threads : {1, 3}) {
    CAPTURE(threads);
    const auto problem = batching_problem("{}", threads);
    std::vector<std::vector<std::int32_t>> outputs;
    const Evaluation evaluation = predict(*problem, outputs);
    CHECK(outputs == expected_outputs);
    CHECK(evaluation.metrics[0].value == expected.metrics[0].value);
    CHECK(evaluation.loss_standard_error == expected.loss_standard_error);
    CHECK(counts_of(*problem).alone == 0);
    CHECK(counts_of(*problem).in_batches == example_count);
  }
}

TEST_CASE("threads: an error in a batch is that of the query alone") {
  const TrainedSolver solver{"one_slack", R"({"C": 10})"};
  for (const int example : {0, 40, 149}) {
    const std::string fails = R"("fails_at": )" + std::to_string(example);
    const auto alone = batching_problem(R"({"batches": false, )" + fails + "}", 1);
    const Refusal expected = refusal_of([&] { train(*alone, solver); });
    CHECK(expected.exit == Exit::data);
    CHECK(expected.says("batching: example " + std::to_string(example) + ": has no class"));
    for (const int threads : {1, 3}) {
      const auto problem = batching_problem("{" + fails + "}", threads);
      const Refusal refusal = refusal_of([&] { train(*problem, solver); });
      CHECK(refusal.exit == expected.exit);
      CHECK(refusal.text == expected.text);
    }
  }
}

TEST_CASE("threads: a stop inside a batch is a request to stop, as in a call about one query") {
  for (const char* keys : {R"({"stops_at": 70})", R"({"stops_at": 70, "batches": false})"}) {
    for (const int threads : {1, 3}) {
      const auto problem = batching_problem(keys, threads);
      ProblemPlanes source(*problem, 1);
      const Vector w(static_cast<std::size_t>(problem->dimension()), 0.5);
      JointSeparation joint;
      CHECK_THROWS_AS(source.separate_jointly(w, Pass(1), JointWeight::one, joint), Cancelled);
    }
  }
}

TEST_CASE("an error in a batch comes after those of the queries before it") {
  const TrainedSolver solver{"one_slack", R"({"C": 10})"};
  const std::string faults = R"("wrong_at": 10, "fails_at": 40)";
  const auto alone = batching_problem(R"({"batches": false, )" + faults + "}", 1);
  const Refusal expected = refusal_of([&] { train(*alone, solver); });
  CHECK(expected.says("batching: example 10: the value of its answer is"));
  const auto problem = batching_problem("{" + faults + "}", 1);
  const Refusal refusal = refusal_of([&] { train(*problem, solver); });
  CHECK(refusal.exit == expected.exit);
  CHECK(refusal.text == expected.text);
}

TEST_CASE("examples of weight 0 are in no batch") {
  const auto problem = batching_problem(R"({"weighted": true})", 1);
  ProblemPlanes source(*problem, 1);
  const Vector w(static_cast<std::size_t>(problem->dimension()), 0.5);
  JointSeparation joint;
  source.separate_jointly(w, Pass(1), JointWeight::one, joint);
  CHECK(counts_of(*problem).alone == 0);
  CHECK(counts_of(*problem).in_batches == example_count * 4 / 5);
}

TEST_CASE("an error that belongs to no query of a batch names no example") {
  const auto problem = batching_problem(R"({"breaks_at": 3})", 1);
  const Refusal refusal = refusal_of([&] { train(*problem, {"n_slack", R"({"C": 10})"}); });
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.says("batching: has no memory for a batch"));
  const auto misnaming = batching_problem(R"({"breaks_at": 3, "misnames": true})", 1);
  const Refusal misnamed = refusal_of([&] { train(*misnaming, {"n_slack", R"({"C": 10})"}); });
  CHECK(misnamed.exit == Exit::plugin);
  CHECK(misnamed.says(" failed; count them from 0, or leave -1"));
}

}  // namespace
}  // namespace sculpt::core
