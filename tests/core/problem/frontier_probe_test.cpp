// Before training and under --guard, the loss of outputs is compared with the loss of their counts.

#include "problem/frontier_probe.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <vector>

#include "core/problem/separation.hpp"
#include "core/problem/toy.hpp"
#include "core/problem/training_refusal.hpp"

using namespace sculpt::core;

namespace {

// Examples of these sizes, with a frontier over the errors.
ToyPlan with_sizes(const std::vector<std::size_t>& sizes) {
  ToyPlan plan;
  plan.offers_frontier = true;
  plan.counts = {{"errors", unlimited, 0, 0}};
  for (const std::size_t size : sizes) {
    plan.training.push_back(
        {std::vector<std::int32_t>(size, 1), std::vector<std::int32_t>(size, 0)});
  }
  return plan;
}

// Makes g of an example too small where it counts `errors`.
void lower_loss_of(std::int64_t wrong_example, std::int64_t errors) {
  toy_plan().change_loss_of_counts = [=](std::int64_t example, const Counts& counts, double& loss) {
    if (example == wrong_example && counts[0] == errors) loss -= 1;
  };
}

Refusal refusal(const sculpt_component& oracle, bool is_guarded = false,
                const Formulation& formulation = slack_rescaling) {
  ProblemSpec spec = toy_spec(oracle, formulation);
  spec.is_guarded = is_guarded;
  return training_refusal(spec);
}

}  // namespace

TEST_CASE("a loss of counts that is too small where all labels are wrong is refused by its name") {
  for (const sculpt_component* oracle : {&toy_oracle(), &toy_map_solver()}) {
    toy_plan() = with_sizes({2, 4, 2, 4});
    CHECK(refusal(*oracle).exit == Exit::reached);
    lower_loss_of(1, 4);
    const Refusal refused = refusal(*oracle);
    CHECK(refused.exit == Exit::plugin);
    CHECK(refused.text ==
          "errors: example 1: the loss of an output with 4 errors is 4, but its loss of these "
          "counts is 3; the two must be equal");
  }
}

TEST_CASE("without a graph the message names the oracle, and what may be wrong") {
  toy_plan() = with_sizes({3});
  toy_plan().features_offer_graph = false;
  lower_loss_of(0, 1);
  CHECK(refusal(toy_oracle()).text ==
        "all: example 0: the output it gives for 1 errors has the loss 1, but the loss of these "
        "counts is 0. Either the output has other counts, or errors gives the output and its "
        "counts different losses");
}

TEST_CASE("one example of each size is probed, under --guard all of them") {
  for (const sculpt_component* oracle : {&toy_oracle(), &toy_map_solver()}) {
    toy_plan() = with_sizes({2, 4, 2, 4});
    lower_loss_of(3, 4);
    CHECK(refusal(*oracle).exit == Exit::reached);
    CHECK(refusal(*oracle, true).says("errors: example 3: the loss of an output with 4 errors is"));
  }
  toy_plan() = with_sizes({2, 4, 2, 4, 3});
  Problem problem(toy_spec(toy_oracle()), Purpose::training, 1, {});
  CHECK(one_example_of_each_size(problem.dataset(), problem.training()) ==
        std::vector<std::uint8_t>{1, 1, 0, 0, 1});
}

TEST_CASE("frontiers with many entries are probed too, because two counts have many") {
  for (const std::int64_t entries : {289, 4096, 4097}) {
    CAPTURE(entries);
    const bool is_probed = entries <= 4096;
    toy_plan() = with_sizes({3});
    toy_plan().change_shape = [=](sculpt_frontier_shape& shape) { shape.size[0] = entries; };
    std::atomic<std::int64_t> slices = 0;
    toy_plan().change_slice = [&](std::int64_t, double*) { ++slices; };
    lower_loss_of(0, 3);
    CHECK(refusal(toy_oracle()).exit == (is_probed ? Exit::plugin : Exit::reached));
    CHECK(slices == (is_probed ? entries : 0));
  }
}

TEST_CASE("the frontier of a long truth is probed only if its entries are few") {
  for (const std::int64_t entries : {2048, 2049}) {
    toy_plan() = with_sizes({32});
    toy_plan().state_count = 1;
    toy_plan().change_shape = [=](sculpt_frontier_shape& shape) { shape.size[0] = entries; };
    std::atomic<std::int64_t> slices = 0;
    toy_plan().change_slice = [&](std::int64_t, double*) { ++slices; };
    CHECK(refusal(toy_oracle()).exit == Exit::reached);
    CHECK(slices == (entries == 2048 ? 2048 : 0));
  }
}

TEST_CASE("an output with other counts than it is given for is an error of the oracle") {
  toy_plan() = with_sizes({3});
  toy_plan().loss_splits = false;
  toy_plan().loss_of_counts = [](const Counts&) { return 0.0; };  // hides the difference
  toy_plan().change_output = [](sculpt_label_buffer& labels) { labels.data[0] = 0; };
  CHECK(refusal(toy_map_solver()).text ==
        "search: example 0: the output it gives for 3 errors has 2 errors");
}

TEST_CASE("counts above the limit of a loss are the limit") {
  toy_plan() = with_sizes({3});
  toy_plan().loss_splits = false;
  toy_plan().counts = {{"errors", 1, 0, 0}};
  toy_plan().loss_of_counts = [](const Counts& counts) { return counts[0] > 0 ? 1.0 : 0.0; };
  CHECK(refusal(toy_map_solver()).exit == Exit::reached);
  toy_plan().change_loss_of_counts = [](std::int64_t, const Counts& counts, double& loss) {
    if (counts[0] > 0) loss = 0;
  };
  CHECK(
      refusal(toy_map_solver()).says("the loss of an output with 1 errors is 1, but its loss of"));
}

TEST_CASE("under --guard each answer's loss is compared with that of its counts") {
  toy_plan() = with_sizes({2});
  ProblemSpec spec = toy_spec(toy_map_solver());
  spec.is_guarded = true;
  Problem problem(spec, Purpose::training, 1, {});
  REQUIRE(problem.strategy() == SeparationStrategy::one_argmax);
  REQUIRE(problem.output_counts() != nullptr);
  ProblemPlanes source(problem, 1);
  std::vector<Separation> all;
  const Vector w = zero_weights();
  source.separate(w, first(1), 1, all);
  CHECK(all[0].low == 2);
  lower_loss_of(0, 2);
  const Refusal refused = refusal_of([&] { source.separate(w, first(1), 1, all); });
  CHECK(refused.exit == Exit::plugin);
  CHECK(
      refused.says("errors: example 0: the loss of an output with 2 errors is 2, but its loss of "
                   "these counts is 1"));
}

TEST_CASE("the counts of an output come from the tables of the loss, if it is an assignment") {
  toy_plan() = with_sizes({3});
  toy_plan().counts.push_back({"twos", 1, 0, 0});
  Problem problem(toy_spec(toy_map_solver(), slack_rescaling), Purpose::training, 1, {});
  OutputCounts& counts = *problem.output_counts();
  const auto counts_of = [&](const std::vector<std::int32_t>& y) {
    return counts.of(0, 0, problem.dataset().truth(0), {y.data(), std::ssize(y)});
  };
  CHECK(counts_of({0, 0, 0}) == Counts{0, 0});
  CHECK(counts_of({0, 1, 0}) == Counts{1, 0});
  CHECK(counts_of({2, 1, 2}) == Counts{3, 1});  // at most 1 of the second count
  CHECK_FALSE(counts_of({0, 1}).has_value());
  CHECK_FALSE(counts_of({0, 1, 3}).has_value());
  CHECK_FALSE(counts_of({0, 1, -1}).has_value());
}

TEST_CASE(
    "without --guard a margin-rescaled run has no counts, nor has a loss that does not split") {
  toy_plan() = with_sizes({2});
  CHECK(Problem(toy_spec(toy_map_solver()), Purpose::training, 1, {}).output_counts() == nullptr);
  toy_plan().counts_split = false;
  CHECK(
      Problem(toy_spec(toy_oracle(), slack_rescaling), Purpose::training, 1, {}).output_counts() ==
      nullptr);
}
