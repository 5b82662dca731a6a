#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <thread>

#include "cancelled.hpp"
#include "core/problem/toy.hpp"
#include "core/refusal.hpp"
#include "linalg/products.hpp"
#include "problem/problem_separator.hpp"
#include "solver/certificate.hpp"
#include "solver/one_slack.hpp"

using namespace sculpt::core;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Vector random_weights(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Vector w(21);
  for (double& weight : w) weight = normal(random);
  return w;
}

std::vector<std::int64_t> first(std::int64_t count) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

std::vector<Separation> separate_all(const sculpt_component& oracle, int threads, const Vector& w) {
  Problem problem(toy_choices(oracle), Purpose::training, threads, {});
  ProblemSeparator separator(problem, 5);
  std::vector<Separation> all;
  separator.separate(w, first(separator.example_count()), 1, all);
  return all;
}

JointSeparation joint_of(const sculpt_component& oracle, int threads, const Vector& w) {
  Problem problem(toy_choices(oracle), Purpose::training, threads, {});
  ProblemSeparator separator(problem, 5);
  JointSeparation joint;
  separator.separate_jointly(w, 1, joint);
  return joint;
}

template <class Numbers>
bool same_bytes(const Numbers& a, const Numbers& b) {
  if (a.empty()) return b.empty();
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof a[0]) == 0;
}

bool same(const std::vector<Separation>& a, const std::vector<Separation>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i].output != b[i].output || a[i].plane.a.index != b[i].plane.a.index ||
        !same_bytes(a[i].plane.a.value, b[i].plane.a.value) || a[i].plane.b != b[i].plane.b ||
        std::memcmp(&a[i].low, &b[i].low, sizeof a[i].low) != 0 || a[i].high != b[i].high) {
      return false;
    }
  }
  return true;
}

// One example of three positions, separated at `w` with the answer bent.
Separation bent(std::function<void(sculpt_answer&)> bend, const Vector& w) {
  toy_plan() = {};
  toy_plan().training = {{{0, 1, 2}, {0, 1, 2}}};
  toy_plan().bend_answer = [&](const sculpt_query&, sculpt_answer& answer) { bend(answer); };
  return separate_all(toy_oracle(), 1, w).front();
}
Refusal bent_refusal(std::function<void(sculpt_answer&)> bend) {
  return refusal_of([&] { bent(bend, Vector(21, 0.0)); });
}

}  // namespace

TEST_CASE("planes are those of brute force: <w, a> and b give back the value") {
  toy_plan() = random_toy(100, 2);
  const Vector w = random_weights(2);
  int violated = 0;
  for (const Separation& one : separate_all(toy_oracle(), 2, w)) {
    CHECK(one.low == doctest::Approx(one.plane.b - dot(one.plane.a, w)).epsilon(1e-12));
    CHECK(one.high >= one.low);
    CHECK(one.high == doctest::Approx(one.low).epsilon(1e-9));
    CHECK(one.high >= 0);
    violated += one.low > 0 ? 1 : 0;
  }
  CHECK(violated > 20);
}

TEST_CASE("the adapter of a map_solver agrees with brute force over outputs") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    toy_plan() = random_toy(50, seed);
    const Vector w = random_weights(seed);
    const auto direct = separate_all(toy_oracle(), 1, w);
    const auto adapted = separate_all(toy_map_solver(), 2, w);
    REQUIRE(direct.size() == adapted.size());
    for (std::size_t i = 0; i < direct.size(); ++i) {
      CHECK(direct[i].output == adapted[i].output);
      CHECK(direct[i].low == adapted[i].low);
      CHECK(direct[i].high == doctest::Approx(adapted[i].high));
    }
  }
}

TEST_CASE("one, two and four threads give the same bytes") {
  toy_plan() = random_toy(300, 3);
  const Vector w = random_weights(3);
  for (const sculpt_component* oracle :
       {&toy_oracle(), &toy_map_solver(), &toy_parallel_oracle()}) {
    const auto one = separate_all(*oracle, 1, w);
    const auto joint = joint_of(*oracle, 1, w);
    for (int threads : {2, 4}) {
      CHECK(same(one, separate_all(*oracle, threads, w)));
      const auto other = joint_of(*oracle, threads, w);
      CHECK(same_bytes(joint.a, other.a));
      CHECK(std::memcmp(&joint.b, &other.b, sizeof joint.b) == 0);
      CHECK(same_bytes(joint.low, other.low));
      CHECK(same_bytes(joint.high, other.high));
    }
  }
}

TEST_CASE("the joint plane is the mean of the violated planes") {
  toy_plan() = random_toy(70, 4);
  const Vector w = random_weights(4);
  const auto all = separate_all(toy_oracle(), 1, w);
  const JointSeparation joint = joint_of(toy_oracle(), 2, w);
  Vector sum(21, 0.0);
  double b = 0;
  double violation = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(joint.low[i] == all[i].low);
    CHECK(joint.high[i] == all[i].high);
    violation += std::max(0.0, all[i].low) / 70;
    if (all[i].low <= 0) continue;
    axpy(1.0 / 70, all[i].plane.a, sum);
    b += all[i].plane.b / 70;
  }
  for (std::size_t j = 0; j < 21; ++j) CHECK(joint.a[j] == doctest::Approx(sum[j]));
  CHECK(joint.b == doctest::Approx(b));
  CHECK(joint.b - dot(joint.a, w) == doctest::Approx(violation));
}

TEST_CASE("equal outputs have equal hashes, other outputs others") {
  toy_plan() = {};
  toy_plan().training = {{{0, 1}, {0, 0}}, {{0, 1}, {0, 0}}, {{0, 1, 1}, {1, 1, 1}}, {{}, {}}};
  const auto all = separate_all(toy_oracle(), 1, random_weights(5));
  CHECK(all[0].output == all[1].output);
  CHECK(all[0].output != all[2].output);
  CHECK(all[3].plane.a.index.empty());  // there is one output only: the truth
  CHECK(all[3].low == 0);
  CHECK(all[3].high == 0);
}

TEST_CASE("seeds depend on run, pass and example, and stamps never repeat") {
  toy_plan() = random_toy(3, 1);
  std::vector<std::uint64_t> seeds;
  std::vector<std::uint64_t> stamps;
  toy_plan().bend_answer = [&](const sculpt_query& query, sculpt_answer&) {
    seeds.push_back(query.seed);
    stamps.push_back(query.weights.stamp);
    CHECK(reinterpret_cast<std::uintptr_t>(query.weights.data) % 64 == 0);
    CHECK(query.loss_weight == 1);
  };
  Problem problem(toy_choices(toy_oracle()), Purpose::training, 1, {});
  const Vector w(21, 0.0);
  std::vector<Separation> all;
  for (std::uint64_t run : {1U, 2U}) {
    for (std::uint64_t pass : {1U, 2U, 1U}) {
      ProblemSeparator(problem, run).separate(w, first(3), pass, all);
    }
  }
  REQUIRE(seeds.size() == 18);
  CHECK(std::vector<std::uint64_t>(seeds.begin(), seeds.begin() + 3) ==
        std::vector<std::uint64_t>(seeds.begin() + 6, seeds.begin() + 9));
  std::vector<std::uint64_t> distinct = seeds;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  CHECK(distinct.size() == 12);
  CHECK(stamps[0] == stamps[2]);
  CHECK(stamps[0] != stamps[3]);
  CHECK(stamps[0] != stamps[6]);
  CHECK(stamps[0] != 0);
}

TEST_CASE("an answer without promise has no upper bound, one with a bound has that") {
  const Vector w(21, 0.0);
  CHECK(bent([](sculpt_answer& answer) { answer.flags = 0; }, w).high == infinity);
  const Separation bounded = bent(
      [](sculpt_answer& answer) {
        answer.flags = SCULPT_ANSWER_BOUND;
        answer.bound = answer.value + 2;
      },
      w);
  CHECK(bounded.low == 3);
  CHECK(bounded.high == 5);
}

TEST_CASE("an inexact answer below the truth is replaced by the truth's zero plane") {
  Vector w(21, 0.0);
  for (std::int32_t t = 0; t < 3; ++t) w[static_cast<std::size_t>(t * 3 + t)] = 10;
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
  const Separation one = bent(worse(SCULPT_ANSWER_BOUND), w);
  CHECK(one.plane.a.index.empty());
  CHECK(one.plane.b == 0);
  CHECK(one.low == 0);
  CHECK(one.high == 0);
  // Where the truth is no output of the oracle it cannot stand in.
  const Separation outside = bent(worse(SCULPT_ANSWER_EXACT | SCULPT_ANSWER_TRUTH_OUTSIDE), w);
  CHECK(outside.truth_outside);
  CHECK(outside.low == -9);
  CHECK(outside.high == -9);
  CHECK_FALSE(outside.plane.a.index.empty());
}

TEST_CASE("no output at all is a slack of zero, and is counted") {
  const auto none = [](sculpt_answer& answer) {
    answer.flags = SCULPT_ANSWER_NO_OUTPUT;
    answer.value = std::nan("");
    answer.labels.size = -5;
  };
  const Separation one = bent(none, Vector(21, 0.0));
  CHECK(one.no_output);
  CHECK(one.low == 0);
  CHECK(one.high == 0);
  toy_plan() = random_toy(20, 1);
  toy_plan().bend_answer = [&](const sculpt_query& query, sculpt_answer& answer) {
    if (query.example % 4 == 0) none(answer);
    if (query.example % 4 == 1) answer.flags |= SCULPT_ANSWER_TRUTH_OUTSIDE;
  };
  const JointSeparation joint = joint_of(toy_oracle(), 2, Vector(21, 0.0));
  CHECK(joint.no_output == 5);
  CHECK(joint.truth_outside == 5);
}

TEST_CASE("answers that cannot be true are refused, each in a sentence") {
  const auto says = [](std::function<void(sculpt_answer&)> bend, const std::string& text) {
    const Refusal refusal = bent_refusal(std::move(bend));
    CHECK(refusal.exit == Exit::plugin);
    CAPTURE(refusal.text);
    CHECK(refusal.says("all: example 0: " + text));
  };
  says([](auto& answer) { answer.value = std::nan(""); }, "the value of its answer is nan");
  says([](auto& answer) { answer.value += 0.01; },
       "the value of its answer is 3.01, but <w, psi> + loss of its output is 0 + 3");
  says([](auto& answer) { answer.flags = SCULPT_ANSWER_BOUND, answer.bound = 2.5; },
       "its bound 2.5 lies below the value of its own answer, 3");
  says([](auto& answer) { answer.flags = SCULPT_ANSWER_BOUND, answer.bound = INFINITY; },
       "the bound of its answer is inf");
  says([](auto& answer) { answer.labels.data[1] = -1; },
       "the output has the label -1 at position 1");
  says([](auto& answer) { answer.labels.size = -1; }, "left an output with an impossible size");
  says([](auto& answer) { answer.labels.size = 1 << 20; },
       "left an output with an impossible size");
}

TEST_CASE("an exact answer and a bound below the truth's own score are refused") {
  Vector w(21, 0.0);
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
          bent(worse(SCULPT_ANSWER_EXACT), w);
        }).says("it calls its answer exact, but the value 1 lies below the truth's own score 10"));
  CHECK(refusal_of([&] {
          bent(worse(SCULPT_ANSWER_BOUND), w);
        }).says("its bound 5 lies below the truth's own score 10"));
}

TEST_CASE("features and losses that go wrong during training are the plugin's fault") {
  toy_plan() = random_toy(40, 1);
  Problem problem(toy_choices(toy_oracle()), Purpose::training, 4, {});
  ProblemSeparator separator(problem, 1);
  std::vector<Separation> all;
  const auto refusal = [&] {
    return refusal_of([&] { separator.separate(Vector(21, 0.0), first(40), 1, all); });
  };
  toy_plan().bend_feature = [&](std::int64_t, std::int32_t& index, double&) { index = 21; };
  CHECK(refusal().says("feature index 21 is outside [0, 21)"));
  CHECK(refusal().says("counts: example "));
  CHECK(refusal().exit == Exit::plugin);
  toy_plan().bend_feature = [&](std::int64_t, std::int32_t&, double& value) { value = INFINITY; };
  CHECK(refusal().says("is infinite"));
  toy_plan().bend_feature = nullptr;
  toy_plan().bend_loss = [&](std::int64_t, double& loss) { loss = -1; };
  CHECK(refusal().text ==
        "errors: example 0: the loss is -1.000000; it must be finite and not negative");
  toy_plan().bend_loss = [&](std::int64_t, double& loss) { loss = std::nan(""); };
  CHECK(refusal().says("the loss is nan"));
}

TEST_CASE("of several examples that fail the first is named, with any number of threads") {
  for (int threads : {1, 2, 4}) {
    toy_plan() = random_toy(200, 1);
    Problem problem(toy_choices(toy_oracle()), Purpose::training, threads, {});
    toy_plan().trouble = [](const std::string& function, std::int64_t example) {
      return function == "oracle.argmax" && example % 50 == 33 ? SCULPT_E_INTERNAL : SCULPT_OK;
    };
    ProblemSeparator separator(problem, 1);
    JointSeparation joint;
    const Refusal refusal =
        refusal_of([&] { separator.separate_jointly(Vector(21, 0.0), 1, joint); });
    CHECK(refusal.text == "all: example 33: toy trouble");
  }
}

TEST_CASE("a graph or an answer that breaks what was promised is refused at the example") {
  toy_plan() = random_toy(40, 1);
  toy_plan().training[0] = {{0, 1}, {1, 1}};
  Problem problem(toy_choices(toy_map_solver()), Purpose::training, 1, {});
  ProblemSeparator separator(problem, 1);
  std::vector<Separation> all;
  const auto refusal = [&] {
    return refusal_of([&] { separator.separate(Vector(21, 0.0), first(1), 1, all); });
  };
  toy_plan().bend_answer = [](const sculpt_query&, sculpt_answer& answer) {
    answer.labels.size = 1;
  };
  CHECK(refusal().text == "search: example 0: gives 1 labels for 2 variables");
  toy_plan().bend_answer = [](const sculpt_query&, sculpt_answer& answer) {
    answer.labels.data[1] = 3;
  };
  CHECK(refusal().text == "search: example 0: gives label 3 to variable 1 of 3 states");
  toy_plan().bend_answer = nullptr;
  toy_plan().trouble = [](const std::string& function, std::int64_t) {
    return function == "map_solver.solve" ? SCULPT_E_MEMORY : SCULPT_OK;
  };
  CHECK(refusal().text == "search: example 0: toy trouble");
}

TEST_CASE("a graph of another class than promised is refused at the example") {
  toy_plan() = random_toy(5, 1);
  toy_plan().solver_demands = SCULPT_GRAPH_CHAIN;
  Problem problem(toy_choices(toy_map_solver()), Purpose::training, 1, {});
  toy_plan().actual_classes = SCULPT_GRAPH_PAIRWISE;
  ProblemSeparator separator(problem, 1);
  std::vector<Separation> all;
  const Refusal refusal =
      refusal_of([&] { separator.separate(Vector(21, 0.0), first(1), 1, all); });
  CHECK(refusal.text == "search: example 0: needs chain graphs; counts gives a graph of pairwise");
}

TEST_CASE("a failed task of the parallel service fails the oracle with the smallest one's text") {
  toy_plan() = random_toy(1, 1);
  toy_plan().training[0] = {{0, 1, 2, 3}, {0, 0, 0, 0}};
  Problem problem(toy_choices(toy_parallel_oracle()), Purpose::training, 4, {});
  toy_plan().trouble = [](const std::string& function, std::int64_t task) {
    return function == "oracle.task" && task % 8 == 5 ? SCULPT_E_DATA : SCULPT_OK;
  };
  ProblemSeparator separator(problem, 1);
  std::vector<Separation> all;
  const Refusal refusal =
      refusal_of([&] { separator.separate(Vector(21, 0.0), first(1), 1, all); });
  CHECK(refusal.exit == Exit::data);
  CHECK(refusal.text == "together: example 0: toy trouble");
}

TEST_CASE("separation stops when the user asks to") {
  toy_plan() = random_toy(50, 1);
  std::atomic<bool> stop{false};
  Callbacks callbacks;
  callbacks.cancelled = [&] { return stop.load(); };
  Problem problem(toy_choices(toy_oracle()), Purpose::training, 2, callbacks);
  ProblemSeparator separator(problem, 1);
  JointSeparation joint;
  stop = true;
  CHECK_THROWS_AS(separator.separate_jointly(Vector(21, 0.0), 1, joint), Cancelled);
}

TEST_CASE("a pass is broken off before the next example when its poll says so") {
  toy_plan() = random_toy(500, 1);
  std::atomic<int> calls{0};
  toy_plan().trouble = [&](const std::string& function, std::int64_t) {
    if (function == "oracle.argmax") ++calls;
    return SCULPT_OK;
  };
  for (int threads : {1, 4}) {
    Problem problem(toy_choices(toy_oracle()), Purpose::training, threads, {});
    ProblemSeparator separator(problem, 1);
    const Pass pass(1, [&] { return calls >= 20; });
    const Vector w(21, 0.0);
    calls = 0;
    JointSeparation joint;
    CHECK_THROWS_AS(separator.separate_jointly(w, pass, joint), Cancelled);
    CHECK(calls < 20 + threads);
    calls = 0;
    std::vector<Separation> all;
    CHECK_THROWS_AS(separator.separate(w, first(500), pass, all), Cancelled);
    CHECK(calls < 20 + threads);
  }
}

TEST_CASE("max_seconds ends a run inside the pass of a slow component") {
  toy_plan() = random_toy(400, 1);
  toy_plan().trouble = [](const std::string& function, std::int64_t) {
    if (function == "oracle.argmax") std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return SCULPT_OK;
  };
  class Silent : public Listener {
    void pass_done(const PassReport&) override {}
  } silent;
  Problem problem(toy_choices(toy_oracle()), Purpose::training, 2, {});
  ProblemSeparator separator(problem, 1);
  OneSlackOptions options;  // a pass: at least 1 second on two threads
  options.stop.max_seconds = 0.05;
  const Result result = OneSlack(options).solve(separator, silent, {});
  CHECK(result.stopped_by == StoppedBy::max_seconds);
  CHECK(result.passes == 0);
  CHECK(result.elapsed_seconds < 0.5);
}

TEST_CASE("answers that contradict each other are blamed by component and dataset's number") {
  toy_plan() = random_toy(40, 1);
  toy_plan().training_begin = 30;
  Problem problem(toy_choices(toy_oracle()), Purpose::training, 1, {});
  const ProblemSeparator separator(problem, 1);
  CHECK(separator.example_count() == 10);
  CHECK(refusal_of([&] { separator.refute(4, "lies"); }).text == "all: example 34: lies");
  CHECK(refusal_of([&] { separator.refute(-1, "lies"); }).text == "all: lies");
  CHECK(refusal_of([&] {
          bound_slack(2, 1, 1.5, 3, separator, 4);
        }).says("all: example 34: claims that no output violates its margin by more than 1.5"));
}
