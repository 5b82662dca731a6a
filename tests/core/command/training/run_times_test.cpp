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
  AdviceFacts shape;
  shape.updated_by = UpdateKind::qp;
  return shape;
}

AdviceFacts shape_of(bool shares_slack, bool more_threads = false, bool asks_one_by_one = false,
                     bool takes_gap = true) {
  AdviceFacts shape = with_qp();
  shape.shares_slack = shares_slack;
  shape.more_threads = more_threads;
  shape.asks_one_by_one = asks_one_by_one;
  shape.takes_gap = takes_gap;
  return shape;
}

std::string limit_by_part(double RunTimes::*part, const AdviceFacts& shape = {}) {
  RunTimes times = ten_seconds();
  times.*part = 9;
  return bottleneck_text(times, shape);
}

}  // namespace

TEST_CASE("the rest is what the parts leave of the whole, and the event has all of them") {
  const RunTimes times = ten_seconds();
  CHECK(times.rest() == doctest::Approx(0.7));
  nlohmann::ordered_json event;
  add_run_times(event, times);
  double sum = 0;
  for (const auto& [key, value] : event.items()) sum += key == "seconds" ? 0 : value.get<double>();
  CHECK(sum == doctest::Approx(10));
  CHECK(event.size() == 9);
}

TEST_CASE("the time is told with its parts in order, without those below 1 %") {
  CHECK(time_text(ten_seconds()) ==
        "10.00 s: sweeps 30 %, QP 25 %, evaluation 15 %, oracle 10 %, writing 8 %, rest 7 %, "
        "reading 5 %");
}

TEST_CASE("what limits a run is its largest part, sweeps and QP together") {
  CHECK(bottleneck_text(ten_seconds(), with_qp()) == "the QP (55 %): a larger relative_gap");
  CHECK(limit_by_part(&RunTimes::reading) ==
        "reading the data (90 %): less of it, or fewer features");
  CHECK(limit_by_part(&RunTimes::evaluation) ==
        "predicting on the splits (90 %): leave out test and sculpt evaluate it");
  CHECK(limit_by_part(&RunTimes::writing) ==
        "writing (90 %): a larger checkpoint_seconds writes less often");
}

TEST_CASE("what a solver does beside its oracle is its own, where its clock tells no more") {
  RunTimes times = ten_seconds();
  times.solver.rest = 9;
  CHECK(bottleneck_text(times, {}) ==
        "the solver beside its oracle (90 %): fewer weights, or fewer passes");
}

TEST_CASE("advice on the oracle depends on the solver and on the threads that are left") {
  RunTimes times = ten_seconds();
  times.solver.oracle = 9;
  CHECK(bottleneck_text(times, shape_of(true, true)) ==
        "the oracle (90 %): n_slack asks it less often");
  CHECK(bottleneck_text(times, shape_of(false, true)) ==
        "the oracle (90 %): more threads share its calls");
  CHECK(bottleneck_text(times, shape_of(false, false)) ==
        "the oracle (90 %): a cheaper one, or a larger relative_gap, which asks less often");
  CHECK(bottleneck_text(times, shape_of(false, true, true)) ==
        "the oracle (90 %): threads share the calls of a larger batch, which needs more passes");
  CHECK(bottleneck_text(times, shape_of(false, false, true, false)) ==
        "the oracle (90 %): a cheaper one, or fewer passes");
}

TEST_CASE("advice on the QP names what the solver has: a cache, or steps in place of a QP") {
  AdviceFacts shape = with_qp();
  shape.caches_planes = true;
  CHECK(bottleneck_text(ten_seconds(), shape) ==
        "the QP (55 %): a smaller cache, or a larger relative_gap");
  shape.limits_planes = true;
  CHECK(bottleneck_text(ten_seconds(), shape) ==
        "the QP (55 %): a larger max_planes_megabytes, a smaller cache, or a larger relative_gap");
  shape.limits_planes = shape.caches_planes = false;
  shape.updated_by = UpdateKind::steps_to_planes;
  CHECK(bottleneck_text(ten_seconds(), shape) ==
        "steps to known planes (55 %): a larger relative_gap");
  shape.oracle_is_cheap = true;
  CHECK(bottleneck_text(ten_seconds(), shape) ==
        "steps to known planes (55 %): n_slack, or a larger relative_gap");
  CHECK(bottleneck_text(ten_seconds(), shape_of(true)) ==
        "the QP (55 %): n_slack, or a larger relative_gap");
  shape = with_qp();
  shape.columns_differ = shape.slacks_vanish = true;
  CHECK(bottleneck_text(ten_seconds(), shape) ==
        "the QP (55 %): scaling of the columns, a smaller C, or a larger relative_gap");
  shape.shares_slack = true;
  shape.slacks_vanish = false;
  CHECK(bottleneck_text(ten_seconds(), shape) ==
        "the QP (55 %): scaling of the columns, n_slack, or a larger relative_gap");
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
  AdviceFacts other;  // of a log-loss, say
  other.is_hinge = other.takes_gap = other.takes_c = false;
  other.shares_slack = other.oracle_is_cheap = true;
  CHECK(bottleneck_text(ten_seconds(), other) == "steps (55 %): fewer passes");
  other.suits_one_slack = true;
  other.shares_slack = false;
  CHECK(bottleneck_text(ten_seconds(), other) == "steps (55 %): fewer passes");
  RunTimes times = ten_seconds();
  times.solver.oracle = 9;
  other.shares_slack = true;
  CHECK(bottleneck_text(times, other) == "the oracle (90 %): a cheaper one, or fewer passes");
  times.solver.reduction = 20;
  CHECK(bottleneck_text(times, other) == "the planes (200 %): fewer features make them cheaper");
  CHECK(Perceptron(PerceptronOptions()).traits().updated_by == UpdateKind::steps);
  CHECK(Subgradient(SubgradientOptions()).traits().updated_by == UpdateKind::steps);
}

TEST_CASE("advice names scaling first, and one_slack for many examples to a weight") {
  AdviceFacts shape = with_qp();
  shape.columns_differ = shape.suits_one_slack = shape.oracle_is_cheap = true;
  shape.caches_planes = true;
  CHECK(bottleneck_text(ten_seconds(), shape) ==
        "the QP (55 %): scaling of the columns, a smaller cache, one_slack, or a larger "
        "relative_gap");
  shape.caches_planes = false;
  shape.updated_by = UpdateKind::steps_to_planes;
  CHECK(bottleneck_text(ten_seconds(), shape) ==
        "steps to known planes (55 %): scaling of the columns, one_slack, or a larger "
        "relative_gap");
  RunTimes times = ten_seconds();
  times.solver.oracle = 9;
  CHECK(bottleneck_text(times, shape) ==
        "the oracle (90 %): scaling of the columns needs fewer passes; a cheaper one, or a larger "
        "relative_gap, which asks less often");
  shape.columns_differ = false;
  shape.shares_slack = true;
  shape.updated_by = UpdateKind::qp;  // it does not send back to n_slack
  CHECK(bottleneck_text(ten_seconds(), shape) == "the QP (55 %): a larger relative_gap");
  CHECK(bottleneck_text(times, shape) ==
        "the oracle (90 %): a cheaper one, or a larger relative_gap, which asks less often");
}

TEST_CASE("who waits for less than a second is not told how to wait less") {
  RunTimes times;
  times.total = 0.09;
  times.writing = 0.055;
  CHECK(bottleneck_text(times, {}) == "writing (61 %)");
  times.reading = 0.08;
  CHECK(bottleneck_text(times, {}) == "reading the data (89 %)");
}

TEST_CASE("advice on the planes depends on whether there is a target") {
  RunTimes times = ten_seconds();
  times.solver.reduction = 9;
  CHECK(bottleneck_text(times, {}) ==
        "the planes (90 %): a larger relative_gap makes them cheaper");
  AdviceFacts limited;
  limited.limits_planes = true;
  CHECK(bottleneck_text(times, limited) ==
        "the planes (90 %): a larger max_planes_megabytes keeps more of them");
  CHECK(bottleneck_text(times, shape_of(true)) ==
        "the planes (90 %): those of n_slack have fewer entries");
  CHECK(bottleneck_text(times, shape_of(false, false, true, false)) ==
        "the planes (90 %): fewer features make them cheaper");
}

TEST_CASE("solvers with a batch of 1 ask one by one, and the online ones do by default") {
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
