// The times of a run as text and as an event, and the advice that follows from them.

#include "command/training/run_times.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "solver/frank_wolfe/frank_wolfe.hpp"
#include "solver/one_slack/one_slack.hpp"
#include "solver/online/perceptron.hpp"
#include "solver/online/subgradient.hpp"

using namespace sculpt::core;

namespace {

RunTimes ten_seconds() {
  RunTimes times;
  times.total = 10;
  times.reading = 0.5;
  times.solver = {1, 3, 2.5, 0.05, 0.25, 0.5};
  times.evaluation = 1.5;
  times.writing = 0.75;
  return times;
}

AdviceFacts with_qp() {
  AdviceFacts facts;
  facts.updated_by = UpdateKind::qp;
  return facts;
}

AdviceFacts facts_of(bool shares_slack, bool has_idle_cores = false, bool asks_one_by_one = false,
                     bool has_relative_gap = true) {
  AdviceFacts facts = with_qp();
  facts.shares_slack = shares_slack;
  facts.has_idle_cores = has_idle_cores;
  facts.asks_one_by_one = asks_one_by_one;
  facts.has_relative_gap = has_relative_gap;
  return facts;
}

std::string advice_by_part(double RunTimes::*part, const AdviceFacts& facts = {}) {
  RunTimes times = ten_seconds();
  times.*part = 9;
  return bottleneck_text(times, facts);
}

}  // namespace

TEST_CASE("the rest is the total minus all parts, and the event has all parts") {
  const RunTimes times = ten_seconds();
  CHECK(times.rest() == doctest::Approx(0.7));
  nlohmann::ordered_json event;
  add_run_times(event, times);
  double sum = 0;
  for (const auto& [key, value] : event.items()) sum += key == "seconds" ? 0 : value.get<double>();
  CHECK(sum == doctest::Approx(10));
  CHECK(event.size() == 9);
}

TEST_CASE("the text of the times has the parts by size, without those below 1 %") {
  CHECK(time_text(ten_seconds()) ==
        "10.00 s: sweeps 30 %, QP 25 %, evaluation 15 %, oracle 10 %, writing 8 %, rest 7 %, "
        "reading 5 %");
}

TEST_CASE("the bottleneck of a run is its largest part, with sweeps and QP as one part") {
  CHECK(bottleneck_text(ten_seconds(), with_qp()) ==
        "the QP (55 % with sweeps): try a larger relative_gap");
  RunTimes without_sweeps = ten_seconds();
  without_sweeps.solver.sweeps = 0.05;
  without_sweeps.solver.qp = 5.45;
  CHECK(bottleneck_text(without_sweeps, with_qp()) == "the QP (55 %): try a larger relative_gap");
  CHECK(advice_by_part(&RunTimes::reading) ==
        "reading the data (90 %): try less data, or fewer features");
  CHECK(advice_by_part(&RunTimes::evaluation) ==
        "predicting on the splits (90 %): leave out the split \"test\" and use sculpt evaluate");
  CHECK(advice_by_part(&RunTimes::writing) ==
        "writing (90 %): try a larger checkpoint_seconds, which writes less often");
}

TEST_CASE("a solver's time outside its known parts is named as apart from its oracle") {
  RunTimes times = ten_seconds();
  times.solver.rest = 9;
  CHECK(bottleneck_text(times, {}) ==
        "the solver apart from its oracle (90 %): try fewer weights, or fewer passes");
}

TEST_CASE("advice on the oracle depends on the solver and on idle cores") {
  RunTimes times = ten_seconds();
  times.solver.oracle = 9;
  CHECK(bottleneck_text(times, facts_of(true, true)) ==
        "the oracle (90 %): try the solver n_slack, which asks it less often");
  CHECK(bottleneck_text(times, facts_of(false, true)) ==
        "the oracle (90 %): try more threads, which share its calls");
  CHECK(bottleneck_text(times, facts_of(false, false)) ==
        "the oracle (90 %): try a faster oracle, or a larger relative_gap, which needs fewer "
        "calls");
  CHECK(bottleneck_text(times, facts_of(false, true, true)) ==
        "the oracle (90 %): try a larger batch (threads share its calls, but it needs more "
        "passes)");
  CHECK(bottleneck_text(times, facts_of(false, false, true, false)) ==
        "the oracle (90 %): try a faster oracle, or fewer passes");
  AdviceFacts without_batch = facts_of(false, true, true);  // stochastic steps of crf
  without_batch.has_batch = false;
  CHECK(bottleneck_text(times, without_batch) ==
        "the oracle (90 %): try a faster oracle, or a larger relative_gap, which needs fewer "
        "calls");
  without_batch.calls_are_divided = false;
  without_batch.has_sgd_batch = true;
  CHECK(bottleneck_text(times, without_batch) ==
        "the oracle (90 %): try an sgd_batch of 64 or more, so that threads share its calls");
  AdviceFacts mostly_one_by_one = facts_of(false, true);
  mostly_one_by_one.calls_are_divided = false;
  CHECK(bottleneck_text(times, mostly_one_by_one) ==
        "the oracle (90 %): try a faster oracle, or a larger relative_gap, which needs fewer "
        "calls");
}

TEST_CASE("advice on the QP names what the solver has: a cache, or steps in place of a QP") {
  AdviceFacts facts = with_qp();
  facts.caches_planes = true;
  CHECK(bottleneck_text(ten_seconds(), facts) ==
        "the QP (55 % with sweeps): try a smaller cache, or a larger relative_gap");
  facts.limits_planes = true;
  CHECK(
      bottleneck_text(ten_seconds(), facts) ==
      "the QP (55 % with sweeps): try a larger max_planes_megabytes, a smaller cache, or a larger "
      "relative_gap");
  facts.limits_planes = facts.caches_planes = false;
  facts.updated_by = UpdateKind::steps_to_planes;
  CHECK(bottleneck_text(ten_seconds(), facts) ==
        "steps to known planes (55 % with sweeps): try a larger relative_gap");
  facts.oracle_is_cheap = true;
  CHECK(
      bottleneck_text(ten_seconds(), facts) ==
      "steps to known planes (55 % with sweeps): try the solver n_slack, or a larger relative_gap");
  CHECK(bottleneck_text(ten_seconds(), facts_of(true)) ==
        "the QP (55 % with sweeps): try the solver n_slack, or a larger relative_gap");
  facts = with_qp();
  facts.columns_differ = facts.slacks_vanish = true;
  CHECK(bottleneck_text(ten_seconds(), facts) ==
        "the QP (55 % with sweeps): try \"scaling\": \"max_abs\" in \"dataset\", a smaller "
        "solver.C, or a larger "
        "relative_gap");
  facts.shares_slack = true;
  facts.slacks_vanish = false;
  CHECK(bottleneck_text(ten_seconds(), facts) ==
        "the QP (55 % with sweeps): try \"scaling\": \"max_abs\" in \"dataset\", the solver "
        "n_slack, or a "
        "larger relative_gap");
  OneSlackOptions options;
  CHECK(OneSlack(options).traits().caches_planes);
  options.cache = 0;
  CHECK_FALSE(OneSlack(options).traits().caches_planes);
  CHECK_FALSE(OneSlack(options).traits().limits_planes);
  options.max_planes_megabytes = 1;
  CHECK(OneSlack(options).traits().limits_planes);
  CHECK(OneSlack(options).traits().updated_by == UpdateKind::qp);
  CHECK(FrankWolfe(FrankWolfeOptions()).traits().updated_by == UpdateKind::steps_to_planes);
}

TEST_CASE("advice names nothing that the solver lacks, and no solver of another objective") {
  AdviceFacts other;  // for example, of a log-loss
  other.is_hinge = other.has_relative_gap = other.has_c = false;
  other.shares_slack = other.oracle_is_cheap = true;
  CHECK(bottleneck_text(ten_seconds(), other) == "steps (55 % with sweeps): try fewer passes");
  other.suits_one_slack = true;
  other.shares_slack = false;
  CHECK(bottleneck_text(ten_seconds(), other) == "steps (55 % with sweeps): try fewer passes");
  RunTimes times = ten_seconds();
  times.solver.oracle = 9;
  other.shares_slack = true;
  CHECK(bottleneck_text(times, other) == "the oracle (90 %): try a faster oracle, or fewer passes");
  times.solver.reduction = 20;
  CHECK(bottleneck_text(times, other) ==
        "the planes (200 %): try fewer features, which make them cheaper");
  CHECK(Perceptron(PerceptronOptions()).traits().updated_by == UpdateKind::steps);
  CHECK(Subgradient(SubgradientOptions()).traits().updated_by == UpdateKind::steps);
}

TEST_CASE("advice names scaling first, and one_slack for many examples per weight") {
  AdviceFacts facts = with_qp();
  facts.columns_differ = facts.suits_one_slack = facts.oracle_is_cheap = true;
  facts.caches_planes = true;
  CHECK(bottleneck_text(ten_seconds(), facts) ==
        "the QP (55 % with sweeps): try \"scaling\": \"max_abs\" in \"dataset\", a smaller cache, "
        "the solver "
        "one_slack, or a larger relative_gap");
  facts.caches_planes = false;
  facts.updated_by = UpdateKind::steps_to_planes;
  CHECK(bottleneck_text(ten_seconds(), facts) ==
        "steps to known planes (55 % with sweeps): try \"scaling\": \"max_abs\" in \"dataset\", "
        "the solver "
        "one_slack, or a larger relative_gap");
  RunTimes times = ten_seconds();
  times.solver.oracle = 9;
  CHECK(bottleneck_text(times, facts) ==
        "the oracle (90 %): try \"scaling\": \"max_abs\" in \"dataset\" for fewer passes; or a "
        "faster oracle, or a larger relative_gap, which needs fewer calls");
  facts.columns_differ = false;
  facts.shares_slack = true;
  facts.updated_by = UpdateKind::qp;  // n_slack is not advised after one_slack
  CHECK(bottleneck_text(ten_seconds(), facts) ==
        "the QP (55 % with sweeps): try a larger relative_gap");
  CHECK(bottleneck_text(times, facts) ==
        "the oracle (90 %): try a faster oracle, or a larger relative_gap, which needs fewer "
        "calls");
}

TEST_CASE("a run of less than a second gets no advice") {
  RunTimes times;
  times.total = 0.09;
  times.writing = 0.055;
  CHECK(bottleneck_text(times, {}) == "writing (61 %)");
  times.reading = 0.08;
  CHECK(bottleneck_text(times, {}) == "reading the data (89 %)");
}

TEST_CASE("advice on the planes depends on the limit of planes, the solver and the target") {
  RunTimes times = ten_seconds();
  times.solver.reduction = 9;
  CHECK(bottleneck_text(times, {}) ==
        "the planes (90 %): try a larger relative_gap, which makes them cheaper");
  AdviceFacts limited;
  limited.limits_planes = true;
  CHECK(bottleneck_text(times, limited) ==
        "the planes (90 %): try a larger max_planes_megabytes, which keeps more of them");
  CHECK(bottleneck_text(times, facts_of(true)) ==
        "the planes (90 %): try the solver n_slack, whose planes have fewer entries");
  CHECK(bottleneck_text(times, facts_of(false, false, true, false)) ==
        "the planes (90 %): try fewer features, which make them cheaper");
}

TEST_CASE("solvers with a batch of 1 ask one example at a time, online solvers by default") {
  FrankWolfeOptions frank_wolfe;
  CHECK_FALSE(FrankWolfe(frank_wolfe).traits().asks_one_by_one);
  frank_wolfe.batch = 1;
  CHECK(FrankWolfe(frank_wolfe).traits().asks_one_by_one);
  CHECK_FALSE(OneSlack(OneSlackOptions()).traits().asks_one_by_one);
  PerceptronOptions perceptron;
  CHECK(Perceptron(perceptron).traits().asks_one_by_one);
  CHECK(Subgradient(SubgradientOptions()).traits().asks_one_by_one);
  perceptron.batch = 0;
  CHECK_FALSE(Perceptron(perceptron).traits().asks_one_by_one);
}
