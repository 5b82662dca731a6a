// ProblemPlanes with answers that are exact, inexact, impossible or late.

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <thread>

#include "base/cancelled.hpp"
#include "core/problem/separation.hpp"
#include "objective/certificate.hpp"
#include "solver/one_slack/one_slack.hpp"

using namespace sculpt::core;

TEST_CASE("an answer without a promise has no upper bound, an answer with a bound has that bound") {
  const Vector w = zero_weights();
  CHECK(separate_changed([](sculpt_answer& answer) { answer.flags = 0; }, w).high == infinity);
  const Separation bounded = separate_changed(
      [](sculpt_answer& answer) {
        answer.flags = SCULPT_ANSWER_BOUND;
        answer.bound = answer.value + 2;
      },
      w);
  CHECK(bounded.low == 3);
  CHECK(bounded.high == 5);
}

TEST_CASE("an inexact answer below the truth is replaced by the truth's zero plane") {
  Vector w = zero_weights();
  for (int t = 0; t < 3; ++t) {  // (observation t, label t): of the truth
    w[static_cast<std::size_t>(t * toy_state_count + t)] = 10;
  }
  const auto worse = [](std::uint32_t flags) {
    return [flags](sculpt_answer& answer) {
      answer.labels.data[0] = 1;  // was 0: one label wrong
      answer.labels.data[1] = 1;
      answer.labels.data[2] = 2;
      answer.value = 20 + 1;
      answer.bound = 30;
      answer.flags = flags;
    };
  };
  const Separation one = separate_changed(worse(SCULPT_ANSWER_BOUND), w);
  CHECK(one.plane.a.index.empty());
  CHECK(one.plane.b == 0);
  CHECK(one.low == 0);
  CHECK(one.high == 0);
  // A truth that is no output of the oracle cannot replace the answer.
  const Separation outside =
      separate_changed(worse(SCULPT_ANSWER_EXACT | SCULPT_ANSWER_TRUTH_OUTSIDE), w);
  CHECK(outside.truth_outside);
  CHECK(outside.low == -9);
  CHECK(outside.high == -9);
  CHECK_FALSE(outside.plane.a.index.empty());
}

TEST_CASE("an example without an output has slack 0 and is counted") {
  const auto none = [](sculpt_answer& answer) {
    answer.flags = SCULPT_ANSWER_NO_OUTPUT;
    answer.value = std::nan("");
    answer.labels.size = -5;
  };
  const Separation one = separate_changed(none, zero_weights());
  CHECK(one.no_output);
  CHECK(one.low == 0);
  CHECK(one.high == 0);
  toy_plan() = random_toy(20, 1);
  toy_plan().change_answer = [&](const sculpt_query& query, sculpt_answer& answer) {
    if (query.example % 4 == 0) none(answer);
    if (query.example % 4 == 1) answer.flags |= SCULPT_ANSWER_TRUTH_OUTSIDE;
  };
  const JointSeparation joint = joint_of(toy_oracle(), 2, zero_weights());
  CHECK(joint.counts.no_output_count == 5);
  CHECK(joint.counts.truth_outside_count == 5);
}

TEST_CASE("each answer that cannot be true is refused with its own message") {
  const auto check_refused = [](std::function<void(sculpt_answer&)> change,
                                const std::string& text) {
    const Refusal refusal = changed_answer_refusal(std::move(change));
    CHECK(refusal.exit == Exit::plugin);
    CAPTURE(refusal.text);
    CHECK(refusal.says("all: example 0: " + text));
  };
  check_refused([](auto& answer) { answer.value = std::nan(""); },
                "the value of its answer is nan");
  check_refused([](auto& answer) { answer.value += 0.01; },
                "the value of its answer is 3.01, but <w, psi> + loss of its output is 0 + 3");
  check_refused([](auto& answer) { answer.flags = SCULPT_ANSWER_BOUND, answer.bound = 2.5; },
                "its bound 2.5 is smaller than the value of its answer, 3");
  check_refused([](auto& answer) { answer.flags = SCULPT_ANSWER_BOUND, answer.bound = INFINITY; },
                "the bound of its answer is inf");
  check_refused([](auto& answer) { answer.labels.data[1] = -1; },
                "its answer has the label -1 at position 1");
  check_refused([](auto& answer) { answer.labels.size = -1; },
                "gives an output of the impossible size -1");
  check_refused([](auto& answer) { answer.labels.size = 1 << 20; },
                "gives an output of the impossible size 1048576");
}

TEST_CASE("an exact answer and a bound below the score of the truth are refused") {
  Vector w = zero_weights();
  w[0] = 10;  // (observation 0, label 0): of the truth
  const auto worse = [](std::uint32_t flags) {
    return [flags](sculpt_answer& answer) {
      for (int t = 0; t < 3; ++t) answer.labels.data[t] = t == 2 ? 2 : 1;
      answer.value = 1;
      answer.bound = 5;
      answer.flags = flags;
    };
  };
  CHECK(refusal_of([&] {
          separate_changed(worse(SCULPT_ANSWER_EXACT), w);
        }).says("it sets EXACT, but the value 1 is smaller than the score 10 of the truth"));
  CHECK(refusal_of([&] {
          separate_changed(worse(SCULPT_ANSWER_BOUND), w);
        }).says("its bound 5 is smaller than the score 10 of the truth"));
}

TEST_CASE("wrong features and losses in training are errors of their plugin") {
  toy_plan() = random_toy(40, 1);
  Problem problem(toy_spec(toy_oracle()), Purpose::training, 4, {});
  ProblemPlanes source(problem, 1);
  std::vector<Separation> all;
  const auto refusal = [&] {
    return refusal_of([&] { source.separate(zero_weights(), first(40), 1, all); });
  };
  toy_plan().change_feature = [&](std::int64_t, std::int32_t& index, double&) { index = 21; };
  CHECK(refusal().says("feature index 21 is outside [0, 21)"));
  CHECK(refusal().says("counts: example "));
  CHECK(refusal().exit == Exit::plugin);
  toy_plan().change_feature = [&](std::int64_t, std::int32_t&, double& value) { value = INFINITY; };
  CHECK(refusal().says("is infinite"));
  toy_plan().change_feature = nullptr;
  toy_plan().change_loss = [&](std::int64_t, double& loss) { loss = -1; };
  CHECK(refusal().text ==
        "errors: example 0: the loss is -1.000000; it must be finite and not negative");
  toy_plan().change_loss = [&](std::int64_t, double& loss) { loss = std::nan(""); };
  CHECK(refusal().says("the loss is nan"));
}

TEST_CASE("threads: the first of several failing examples is named with any number of threads") {
  for (int threads : {1, 2, 4}) {
    toy_plan() = random_toy(200, 1);
    Problem problem(toy_spec(toy_oracle()), Purpose::training, threads, {});
    toy_plan().inject_error = [](const std::string& function, std::int64_t example) {
      return function == "oracle.argmax" && example % 50 == 33 ? SCULPT_E_INTERNAL : SCULPT_OK;
    };
    ProblemPlanes source(problem, 1);
    JointSeparation joint;
    const Refusal refusal =
        refusal_of([&] { source.separate_jointly(zero_weights(), 1, JointWeight::one, joint); });
    CHECK(refusal.text == "all: example 33: toy trouble");
  }
}

TEST_CASE("a wrong answer and an error of a map_solver are refused with the example") {
  toy_plan() = random_toy(40, 1);
  toy_plan().training[0] = {{0, 1}, {1, 1}};
  Problem problem(toy_spec(toy_map_solver()), Purpose::training, 1, {});
  ProblemPlanes source(problem, 1);
  std::vector<Separation> all;
  const auto refusal = [&] {
    return refusal_of([&] { source.separate(zero_weights(), first(1), 1, all); });
  };
  toy_plan().change_answer = [](const sculpt_query&, sculpt_answer& answer) {
    answer.labels.size = 1;
  };
  CHECK(refusal().text == "search: example 0: gives 1 label for 2 variables");
  toy_plan().change_answer = [](const sculpt_query&, sculpt_answer& answer) {
    answer.labels.data[1] = 3;
  };
  CHECK(refusal().text ==
        "search: example 0: gives label 3 to variable 1, which has the labels 0 to 2");
  toy_plan().change_answer = nullptr;
  toy_plan().inject_error = [](const std::string& function, std::int64_t) {
    return function == "map_solver.solve" ? SCULPT_E_MEMORY : SCULPT_OK;
  };
  CHECK(refusal().text == "search: example 0: toy trouble");
}

TEST_CASE("a graph of another class than promised is refused with the example") {
  toy_plan() = random_toy(5, 1);
  toy_plan().solver_demands = {SCULPT_GRAPH_CHAIN};
  Problem problem(toy_spec(toy_map_solver()), Purpose::training, 1, {});
  toy_plan().actual_classes = SCULPT_GRAPH_PAIRWISE;
  ProblemPlanes source(problem, 1);
  std::vector<Separation> all;
  const Refusal refusal = refusal_of([&] { source.separate(zero_weights(), first(1), 1, all); });
  CHECK(refusal.text ==
        "search: example 0: needs chain graphs, but the graph of counts declares only pairwise");
}

TEST_CASE("threads: an oracle whose parallel tasks fail is refused with the text of a task") {
  toy_plan() = random_toy(1, 1);
  toy_plan().training[0] = {{0, 1, 2, 3}, {0, 0, 0, 0}};
  Problem problem(toy_spec(toy_parallel_oracle()), Purpose::training, 4, {});
  toy_plan().inject_error = [](const std::string& function, std::int64_t task) {
    return function == "oracle.task" && task % 8 == 5 ? SCULPT_E_DATA : SCULPT_OK;
  };
  ProblemPlanes source(problem, 1);
  std::vector<Separation> all;
  const Refusal refusal = refusal_of([&] { source.separate(zero_weights(), first(1), 1, all); });
  CHECK(refusal.exit == Exit::data);
  CHECK(refusal.text == "together: example 0: toy trouble");
}

TEST_CASE("threads: separation stops if the user cancels") {
  toy_plan() = random_toy(50, 1);
  std::atomic<bool> stop{false};
  Callbacks callbacks;
  callbacks.cancelled = [&] { return stop.load(); };
  Problem problem(toy_spec(toy_oracle()), Purpose::training, 2, callbacks);
  ProblemPlanes source(problem, 1);
  JointSeparation joint;
  stop = true;
  CHECK_THROWS_AS(source.separate_jointly(zero_weights(), 1, JointWeight::one, joint), Cancelled);
}

TEST_CASE("threads: a pass stops before the next example if its poll returns true") {
  toy_plan() = random_toy(500, 1);
  std::atomic<int> calls{0};
  toy_plan().inject_error = [&](const std::string& function, std::int64_t) {
    if (function == "oracle.argmax") ++calls;
    return SCULPT_OK;
  };
  for (int threads : {1, 4}) {
    Problem problem(toy_spec(toy_oracle()), Purpose::training, threads, {});
    ProblemPlanes source(problem, 1);
    const Pass pass(1, [&] { return calls >= 20; });
    const Vector w = zero_weights();
    calls = 0;
    JointSeparation joint;
    CHECK_THROWS_AS(source.separate_jointly(w, pass, JointWeight::one, joint), Cancelled);
    CHECK(calls < 20 + threads);
    calls = 0;
    std::vector<Separation> all;
    CHECK_THROWS_AS(source.separate(w, first(500), pass, all), Cancelled);
    CHECK(calls < 20 + threads);
  }
}

TEST_CASE("threads: max_seconds ends a run inside the pass of a slow component") {
  toy_plan() = random_toy(400, 1);
  toy_plan().inject_error = [](const std::string& function, std::int64_t) {
    if (function == "oracle.argmax") std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return SCULPT_OK;
  };
  class SilentListener : public Listener {
    void pass_done(const PassReport&) override {}
  } listener;
  Problem problem(toy_spec(toy_oracle()), Purpose::training, 2, {});
  ProblemPlanes source(problem, 1);
  OneSlackOptions options;  // a pass takes at least 1 second on two threads
  options.stop.max_seconds = 0.05;
  const Result result = OneSlack(options).solve(source, listener, {});
  CHECK(result.stopped_by == StoppedBy::max_seconds);
  CHECK(result.passes == 0);
  CHECK(result.elapsed_seconds < 0.5);
}

TEST_CASE("a contradiction says what the weights of examples do to its numbers, by formulation") {
  const auto text = [](const Formulation& formulation, double weight) {
    toy_plan() = random_toy(3, 1);
    toy_plan().weights = {weight, 1, 1};
    Problem problem(toy_spec(toy_oracle(), formulation), Purpose::training, 1, {});
    const ProblemPlanes source(problem, 1);
    return refusal_of([&] { source.report_contradiction(0, "wrong"); }).text;
  };
  const std::string plain = "all: example 0: wrong";
  const double hard = std::numeric_limits<double>::infinity();
  CHECK(text({Rescaling::margin, 1, 2}, 1) == plain);
  CHECK(text({Rescaling::margin, 1, 2}, 3) ==
        plain + "; violations are multiplied by the weight of the example");
  CHECK(text({Rescaling::margin, 2, 2}, 3) ==
        plain + "; violations are multiplied by the square root of the weight of the example");
  CHECK(text({Rescaling::margin, 1, hard}, 3) == plain);
  CHECK(text({Rescaling::margin, 2, hard}, 3) == plain);
}

TEST_CASE(
    "contradictions are reported with the component and the example's number in the dataset") {
  toy_plan() = random_toy(40, 1);
  toy_plan().training_begin = 30;
  Problem problem(toy_spec(toy_oracle()), Purpose::training, 1, {});
  const ProblemPlanes source(problem, 1);
  CHECK(source.example_count() == 10);
  CHECK(refusal_of([&] { source.report_contradiction(4, "wrong"); }).text ==
        "all: example 34: wrong");
  CHECK(refusal_of([&] { source.report_contradiction(0, "wrong"); }).text ==
        "all: example 30: wrong");
  CHECK(refusal_of([&] { source.report_contradiction(-1, "wrong"); }).text == "all: wrong");
  const std::vector<std::int64_t> many = {0, 2, 3, 4, 5, 6, 7};
  const auto one = std::span(many).first(1);
  CHECK(refusal_of([&] { source.report_inseparable(one, "no"); }).text == "chains: example 30: no");
  const Refusal refusal = refusal_of([&] { source.report_inseparable(many, "no"); });
  CHECK(refusal.text == "chains: examples 30, 32, 33, 34, 35 and 2 more: no");
  CHECK(refusal.exit == Exit::data);
  CHECK(refusal_of([&] {
          bound_slack({2, 1, 1.5, 3, 0}, source, 4);
        })
            .says("all: example 34: it claimed that no output violates its margin by more than "
                  "1.5, but one of its outputs violates it by 2 "));
}
