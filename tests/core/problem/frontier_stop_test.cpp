// A stop is noticed between the calls and slices of one example. Frontiers that are too large are
// refused before training.

#include <doctest/doctest.h>

#include <algorithm>
#include <mutex>
#include <numeric>
#include <set>

#include "base/cancelled.hpp"
#include "core/problem/separation.hpp"

using namespace sculpt::core;

namespace {

// After this number of calls, a query that should have stopped fails.
constexpr std::int64_t max_calls = 8000000;

// The sizes of the truths in the split "train".
std::set<std::int64_t> sizes_of_training() {
  std::set<std::int64_t> sizes;
  const std::vector<ToyExample>& all = toy_plan().training;
  for (std::int64_t i = toy_plan().training_begin; i < std::ssize(all); ++i) {
    sizes.insert(std::ssize(all[static_cast<std::size_t>(i)].truth));
  }
  return sizes;
}

// The number of calls of `function` until separation at w = 0 ended in Cancelled. The pass polls
// stop(calls) if `by_pass`, else the callbacks do.
std::int64_t calls_until_stopped(const sculpt_component& oracle, const std::string& function,
                                 const std::function<bool(std::int64_t calls)>& stop,
                                 bool by_pass) {
  std::int64_t calls = 0;
  std::int64_t all_calls = 0;
  toy_plan().inject_error = [&](const std::string& called, std::int64_t) {
    calls += called == function ? 1 : 0;
    return ++all_calls < max_calls ? SCULPT_OK : SCULPT_E_INTERNAL;
  };
  bool training = false;
  const auto poll = [&] { return training && stop(calls); };
  Callbacks callbacks;
  if (!by_pass) callbacks.cancelled = poll;
  Problem problem(toy_spec(oracle, slack_rescaling), Purpose::training, 1, callbacks);
  ProblemPlanes source(problem, 1);
  training = true;
  std::vector<Separation> all;
  const Pass pass(1, by_pass ? std::function<bool()>(poll) : nullptr);
  CHECK_THROWS_AS(source.separate(zero_weights(), first(1), pass, all), Cancelled);
  toy_plan().inject_error = nullptr;
  return calls;
}

}  // namespace

TEST_CASE("a stop is noticed between two slices of a frontier") {
  for (const bool by_pass : {false, true}) {
    toy_plan() = three_positions();
    toy_plan().change_shape = [](sculpt_frontier_shape& shape) { shape.size[0] = INT64_MAX; };
    const auto stop = [](std::int64_t calls) { return calls >= 5; };
    CHECK(calls_until_stopped(toy_map_solver(), "frontier.slice", stop, by_pass) == 5);
  }
}

TEST_CASE("a stop is noticed between slices that are skipped") {
  toy_plan() = three_positions();
  toy_plan().change_shape = [](sculpt_frontier_shape& shape) { shape.size[0] = INT64_MAX; };
  toy_plan().loss_of_counts = [](const Counts& c) { return c[0] == 0 ? 0.0 : 1.0; };
  int polls = 0;
  const auto stop = [&](std::int64_t) { return ++polls >= 50; };
  CHECK(calls_until_stopped(toy_map_solver(), "frontier.slice", stop, true) == 0);
  CHECK(polls == 50);
}

TEST_CASE("threads: a stop is noticed inside a wide slice") {
  toy_plan() = three_positions();
  toy_plan().counts.push_back({"twos", unlimited, 0, 0});
  toy_plan().loss_of_counts = [](const Counts&) { return 0.0; };
  toy_plan().change_shape = [](sculpt_frontier_shape& shape) {
    shape.size[0] = 1;
    shape.size[1] = std::int64_t{1} << 22;
  };
  int polls = 0;
  const auto stop = [&](std::int64_t) { return ++polls >= 4; };
  CHECK(calls_until_stopped(toy_map_solver(), "frontier.slice", stop, true) == 0);
  CHECK(polls == 4);
}

TEST_CASE("a stop is noticed between two calls of the search over loss_weights") {
  for (const bool by_pass : {false, true}) {
    toy_plan() = three_positions();
    toy_plan().offers_frontier = false;
    toy_plan().change_answer = [](const sculpt_query&, sculpt_answer& answer) { answer.flags = 0; };
    const auto stop = [](std::int64_t calls) { return calls >= 1; };
    CHECK(calls_until_stopped(toy_oracle(), "oracle.argmax", stop, by_pass) == 1);
  }
}

TEST_CASE("threads: an oracle refuses a frontier before training, and the error has the example") {
  const auto training_with = [](const Formulation& formulation, Purpose purpose, int threads) {
    Problem(toy_spec(toy_oracle(), formulation), purpose, threads, {});
  };
  for (int threads : {1, 4}) {
    toy_plan() = random_toy(200, 1);
    toy_plan().training_begin = 20;
    toy_plan().offers_frontier = true;
    toy_plan().counts = {{"errors", unlimited, 0, 0}};
    std::mutex mutex;
    std::vector<int> begun(200);
    int slices = 0;
    bool too_large = false;
    toy_plan().inject_error = [&](const std::string& function, std::int64_t example) {
      const std::lock_guard<std::mutex> lock(mutex);
      if (function == "frontier.slice") ++slices;
      if (function != "oracle.begin_frontier") return SCULPT_OK;
      ++begun[static_cast<std::size_t>(example)];
      return too_large && example % 50 == 33 ? SCULPT_E_UNSUPPORTED : SCULPT_OK;
    };
    training_with(slack_rescaling, Purpose::training, threads);
    CHECK(std::count(begun.begin(), begun.begin() + 20, 0) == 20);
    CHECK(std::count(begun.begin() + 20, begun.end(), 0) == 0);
    // The outputs of one example of each size are compared, all others are only begun.
    const std::set<std::int64_t> sizes = sizes_of_training();
    CHECK(std::accumulate(begun.begin(), begun.end(), 0) == 180 + std::ssize(sizes));
    CHECK(slices == std::accumulate(sizes.begin(), sizes.end(), std::ssize(sizes)));

    too_large = true;
    const Refusal refusal =
        refusal_of([&] { training_with(slack_rescaling, Purpose::training, threads); });
    CHECK(refusal.exit == Exit::config);
    CHECK(refusal.text == "all: example 33: toy trouble");
    CHECK_NOTHROW(training_with({}, Purpose::training, threads));  // needs no frontier
    CHECK_NOTHROW(training_with(slack_rescaling, Purpose::prediction, threads));
  }
}

TEST_CASE("frontiers of a map_solver are tried before training without scores") {
  toy_plan() = random_toy(10, 6);
  toy_plan().offers_frontier = true;
  toy_plan().counts = {{"errors", unlimited, 0, 0}};
  int begun = 0;
  int scored = 0;
  toy_plan().inject_error = [&](const std::string& function, std::int64_t) {
    scored += function == "features.potentials" ? 1 : 0;
    begun += function == "map_solver.begin_frontier" ? 1 : 0;
    return SCULPT_OK;
  };
  const ProblemSpec spec = toy_spec(toy_map_solver(), slack_rescaling);
  CHECK_NOTHROW(Problem(spec, Purpose::training, 1, {}));
  // The outputs of one example of each size are compared.
  const std::int64_t sizes = std::ssize(sizes_of_training());
  CHECK(begun == 10 + sizes);
  CHECK(scored == sizes);
}
