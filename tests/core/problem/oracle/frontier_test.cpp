// Faults in a frontier query, and problems that are refused before the first one.

#include <doctest/doctest.h>

#include <cmath>

#include "core/problem/separation.hpp"
#include "solver/n_slack/n_slack.hpp"
#include "solver/one_slack/one_slack.hpp"

using namespace sculpt::core;

namespace {

Separation separated(const sculpt_component& oracle, const Formulation& formulation) {
  return separate_all(oracle, 1, zero_weights(), formulation).front();
}

Refusal refused(const sculpt_component& oracle = toy_map_solver(),
                const Formulation& formulation = slack_rescaling) {
  return refusal_of([&] { separated(oracle, formulation); });
}

}  // namespace

TEST_CASE(
    "a frontier with an entry that no output attains is refused with the name of the oracle") {
  toy_plan() = three_positions();
  CHECK(separated(toy_map_solver(), slack_rescaling).low == 3);
  toy_plan().change_slice = [](std::int64_t first, double* score) {
    score[0] += first == 3 ? 5 : 0;
  };
  const Refusal score = refused();
  CHECK(score.exit == Exit::plugin);
  CHECK(score.text ==
        "search: example 0: its frontier has the score 5 for 3 errors, but <w, psi> of the output "
        "it gives for them is 0");
  toy_plan().change_slice = nullptr;
  toy_plan().change_output = [](sculpt_label_buffer& out) { out.data[0] = 0; };  // right again
  CHECK(refused().text == "search: example 0: the output it gives for 3 errors has 2 errors");
}

TEST_CASE("impossible scores, sizes and outputs of a frontier are refused") {
  toy_plan() = three_positions();
  toy_plan().change_slice = [](std::int64_t first, double* score) {
    if (first == 3) score[0] = std::nan("");
  };
  CHECK(refused().says("search: example 0: the score of its frontier at 3 errors is nan"));
  toy_plan().change_slice = [](std::int64_t first, double* score) {
    if (first == 3) score[0] = infinity;
  };
  CHECK(refused().says("search: example 0: the score of its frontier at 3 errors is inf"));
  toy_plan().change_slice = nullptr;

  const auto sized = [](std::int64_t first, std::int64_t second) {
    toy_plan().change_shape = [=](sculpt_frontier_shape& shape) {
      shape.size[0] = first;
      shape.size[1] = second;
    };
    return refused().text;
  };
  CHECK(sized(0, 1) == "search: example 0: the frontier has 0 values of errors");
  CHECK(sized(4, 2) ==
        "search: example 0: the frontier has 2 values of a second count, but the loss has one "
        "count");
  toy_plan().counts = {{"errors", 2, 0, 0}};
  CHECK(sized(4, 1) ==
        "search: example 0: the frontier has 4 values of errors; the loss distinguishes none above "
        "2");
  toy_plan() = three_positions();
  toy_plan().counts.push_back({"twos", unlimited, 0, 0});
  CHECK(sized(4, INT64_MAX).find("the frontier has 9223372036854775807 values of twos") !=
        std::string::npos);

  toy_plan() = three_positions();
  toy_plan().change_output = [](sculpt_label_buffer& out) { out.data[2] = 3; };
  CHECK(refused().says(
      "search: example 0: gives label 3 to variable 2, which has the labels 0 to 2"));
  toy_plan().change_output = [](sculpt_label_buffer& out) { out.size = 2; };
  CHECK(refused().says("search: example 0: gives 2 labels for 3 variables"));
  toy_plan().change_output = [](sculpt_label_buffer& out) { out.size = -2; };
  CHECK(refused().says("search: example 0: gives -2 labels"));
}

TEST_CASE("an error in any function of a frontier query names the component and the example") {
  for (const auto& [function, name] :
       std::vector<std::pair<std::string, std::string>>{{"map_solver.begin_frontier", "search"},
                                                        {"frontier.slice", "search"},
                                                        {"frontier.output", "search"},
                                                        {"loss.value", "errors"},
                                                        {"loss.add_counts", "errors"}}) {
    toy_plan() = three_positions();
    const std::string failing = function;
    toy_plan().inject_error = [failing](const std::string& called, std::int64_t) {
      return called == failing ? SCULPT_E_INTERNAL : SCULPT_OK;
    };
    CHECK(refused().text == name + ": example 0: toy trouble");
  }
}

TEST_CASE("negative counts and impossible losses of counts are errors of the loss") {
  toy_plan() = three_positions();
  toy_plan().change_counts = [](std::vector<std::int32_t>& table) { table[4] = -1; };
  CHECK(refused().text ==
        "errors: example 0: counts -1 errors in cell 4 of the factor tables; counts must not be "
        "negative");
  toy_plan() = three_positions();
  // Too few counts for an argmax first, which would find the wrong loss.
  toy_plan().counts = {{"errors", 3, 0, 0}};
  toy_plan().change_loss = [](std::int64_t, double& loss) { loss = loss == 2 ? -1 : loss; };
  CHECK(refused().text ==
        "errors: example 0: the loss of 2 errors is -1.000000; it must be finite and not negative");
}

TEST_CASE("a frontier without the truth or without entries is refused unless its flags allow it") {
  toy_plan() = three_positions();
  toy_plan().counts = {{"errors", 3, 0, 0}};  // too few for an argmax first
  toy_plan().change_slice = [](std::int64_t, double* score) { score[0] = -INFINITY; };
  const Formulation root{Rescaling::margin, 2, 1};
  CHECK(refused(toy_map_solver(), root).says("has no output as good as the truth"));
  toy_plan().change_shape = [](sculpt_frontier_shape& shape) {
    shape.flags = SCULPT_ANSWER_TRUTH_OUTSIDE;
  };
  CHECK(refused(toy_map_solver(), root).says("has no output; it must set NO_OUTPUT"));
  toy_plan().change_shape = [](sculpt_frontier_shape& shape) {
    shape.flags = SCULPT_ANSWER_NO_OUTPUT;
  };
  const Separation none = separated(toy_map_solver(), root);
  CHECK(none.no_output);
  CHECK(none.high == 0);
  toy_plan().counts = {{"errors", unlimited, 0, 0}};  // now an argmax comes first
  CHECK(refused(toy_map_solver(), root).says("sets NO_OUTPUT, but it gave an output"));
}

TEST_CASE("exact answers are refused if a later answer has a larger violation") {
  for (const bool frontier : {false, true}) {
    toy_plan() = three_positions();
    toy_plan().offers_frontier = frontier;
    toy_plan().change_answer = [](const sculpt_query& query, sculpt_answer& answer) {
      if (query.loss_weight != 1) return;
      std::copy_n(toy_plan().training[0].truth.begin(), 3, answer.labels.data);
      answer.value = 0;
    };
    CHECK(refused(toy_oracle()).text ==
          "all: example 0: its answers prove that no output violates its margin by more than 0.25, "
          "but one of its outputs violates it by 3 at the same weights; it must not set EXACT or "
          "BOUND");
  }
}

TEST_CASE("a frontier entry above the bounds of argmax is refused") {
  toy_plan() = three_positions();
  toy_plan().change_answer = [](const sculpt_query&, sculpt_answer& answer) {
    answer.flags = SCULPT_ANSWER_BOUND;
    answer.bound = answer.value;
  };
  CHECK_NOTHROW(separated(toy_oracle(), slack_rescaling));
  // At loss_weight l, 3 errors have the value 3 + 3 l, but the bound is 1.5 + 3 l.
  Vector w = zero_weights();
  w[1] = w[5] = w[6] = 1;  // (observation, label): (0, 1), (1, 2), (2, 0)
  toy_plan().change_answer = [](const sculpt_query& query, sculpt_answer& answer) {
    answer.flags = SCULPT_ANSWER_BOUND;
    std::copy_n(toy_plan().training[0].truth.begin(), 3, answer.labels.data);
    answer.value = 0;
    answer.bound = 1.5 + 3 * query.loss_weight;
  };
  CHECK(refusal_of([&] { separate_all(toy_oracle(), 1, w, slack_rescaling); }).text ==
        "all: example 0: its frontier has the score 3 for 3 errors, but its other answers allow at "
        "most 1.5; it must not set EXACT or BOUND");
}

TEST_CASE("a loss with impossible counts is refused at bind") {
  const auto refusal = [](std::vector<sculpt_count> counts) {
    toy_plan() = three_positions();
    toy_plan().counts = std::move(counts);
    return refusal_of([] {
             Problem(toy_spec(toy_map_solver(), slack_rescaling), Purpose::training, 1, {});
           })
        .text;
  };
  CHECK(refusal({{"errors", 1, 0, 0}, {"twos", 1, 0, 0}, {"threes", 1, 0, 0}}) ==
        "errors: offers 3 counts; a loss must offer 1 or 2");
  CHECK(refusal({{nullptr, 1, 0, 0}}) == "errors: offers a count without a name");
  CHECK(refusal({{"errors", 0, 0, 0}}) ==
        "errors: offers the count errors with the limit 0; a limit must be at least 1");
  for (const sculpt_count& later : {sculpt_count{"errors", 1, 1, 0}, {"errors", 1, 0, 1}}) {
    CHECK(refusal({later}) ==
          "errors: offers the count errors with flags that this host does not know; set its flags "
          "and reserved fields to 0");
  }
}

TEST_CASE("an oracle that supports neither the loss nor a frontier is refused with a remedy") {
  const auto refusal = [](const Formulation& formulation) {
    return refusal_of(
        [&] { Problem(toy_spec(toy_map_solver(), formulation), Purpose::training, 1, {}); });
  };
  for (const Formulation& formulation : {Formulation{}, slack_rescaling}) {
    toy_plan() = three_positions();
    toy_plan().offers_frontier = false;
    CHECK(refusal(formulation).exit == Exit::config);
    CHECK(
        refusal(formulation).text ==
        "search needs a loss that splits over factors; errors does not (sculpt.factor-loss/1). A "
        "frontier would work instead, but search offers no frontier (sculpt.frontier/2). Use "
        "another loss, an oracle that supports this one, or an oracle and a loss that offer counts "
        "(describe NAME lists what one offers)");
    toy_plan() = three_positions();
    toy_plan().counts.clear();
    CHECK(refusal(formulation)
              .says("but errors has no counts that split over factors (sculpt.count-loss/2)"));
    toy_plan() = three_positions();
    toy_plan().counts_split = false;
    CHECK(refusal(formulation)
              .says("but errors has no counts that split over factors (sculpt.factor-counts/1)"));
    toy_plan() = three_positions();
    toy_plan().count_demands = SCULPT_GRAPH_SINGLE;
    CHECK(refusal(formulation).says("but errors needs single graphs; counts offers pairwise"));
    // The same obstacle is named once.
    toy_plan().loss_splits = true;
    toy_plan().loss_demands = SCULPT_GRAPH_SINGLE;
    CHECK(
        refusal(formulation)
            .text.starts_with("errors needs single graphs; counts offers pairwise, forest, chain; "
                              "a frontier has the same demand. Use another loss"));
  }
}

TEST_CASE("the formulation and the extensions decide the strategy") {
  const auto strategy = [](const sculpt_component& oracle, const Formulation& formulation) {
    return Problem(toy_spec(oracle, formulation), Purpose::training, 1, {}).strategy();
  };
  toy_plan() = random_toy(5, 1);
  CHECK(strategy(toy_oracle(), {}) == SeparationStrategy::one_argmax);
  CHECK(strategy(toy_map_solver(), slack_rescaling) == SeparationStrategy::loss_weight_search);
  CHECK(strategy(toy_oracle(), slack_rescaling) == SeparationStrategy::loss_weight_search);
  toy_plan().offers_frontier = true;
  CHECK(strategy(toy_oracle(), slack_rescaling) ==
        SeparationStrategy::loss_weight_search);  // no counts
  toy_plan().counts = {{"errors", unlimited, 0, 0}};
  CHECK(strategy(toy_oracle(), slack_rescaling) == SeparationStrategy::frontier);
  CHECK(strategy(toy_map_solver(), {Rescaling::margin, 2, 1}) == SeparationStrategy::frontier);
  CHECK(strategy(toy_map_solver(), {Rescaling::margin, 1, infinity}) ==
        SeparationStrategy::one_argmax);
}

TEST_CASE("a graph of another class than the counts need is refused with the example") {
  toy_plan() = three_positions();
  toy_plan().count_demands = SCULPT_GRAPH_CHAIN;
  toy_plan().actual_classes = SCULPT_GRAPH_PAIRWISE;
  CHECK(refused().text ==
        "errors: example 0: needs chain graphs, but the graph of counts declares only pairwise");
}

TEST_CASE("a run with an inexact oracle is not certified under slack rescaling") {
  toy_plan() = random_toy(30, 3);
  toy_plan().loss_of_counts = [](const Counts& c) { return std::sqrt(double(c[0])); };
  toy_plan().change_answer = [](const sculpt_query&, sculpt_answer& answer) { answer.flags = 0; };
  class SilentListener : public Listener {
    void pass_done(const PassReport&) override {}
  } listener;
  for (const Separation& one : separate_all(toy_oracle(), 2, random_weights(3), slack_rescaling)) {
    CHECK(one.high == infinity);
    CHECK(one.low >= 0);
  }
  Problem problem(toy_spec(toy_oracle(), slack_rescaling), Purpose::training, 2, {});
  ProblemPlanes source(problem, 1);
  NSlackOptions options;
  options.formulation = slack_rescaling;
  const Result result = NSlack(options).solve(source, listener, {});
  CHECK_FALSE(result.certified);
  CHECK_FALSE(result.reached);
  CHECK(result.uncertified_reason == UncertifiedReason::no_upper_bound);
  CHECK(result.planes > 0);
}

TEST_CASE("the optimum that the frontier certifies lies between the bounds of the search") {
  class SilentListener : public Listener {
    void pass_done(const PassReport&) override {}
  } listener;
  const auto solve = [&](bool frontier) {
    toy_plan() = random_toy(30, 7);
    toy_plan().offers_frontier = frontier;
    toy_plan().counts = {{"errors", unlimited, 0, 0}};
    Problem problem(toy_spec(toy_map_solver(), slack_rescaling), Purpose::training, 1, {});
    ProblemPlanes source(problem, 1);
    NSlackOptions options;
    options.formulation = slack_rescaling;
    options.stop.relative_gap = 1e-7;
    return NSlack(options).solve(source, listener, {});
  };
  const Result exact = solve(true);
  const Result searched = solve(false);
  CHECK(exact.reached);
  REQUIRE(searched.certified);
  CHECK_FALSE(searched.reached);
  CHECK(searched.stopped_by == StoppedBy::oracle_exhausted);
  CHECK(*searched.primal_high >= exact.primal * (1 - 1e-7));
  CHECK(searched.dual <= exact.primal * (1 + 1e-7));
  CHECK(searched.relative_gap < 0.5);
}

TEST_CASE("each call of argmax and each frontier query counts as an oracle call") {
  class SilentListener : public Listener {
    void pass_done(const PassReport&) override {}
  } listener;
  toy_plan() = random_toy(30, 4);
  std::int64_t calls = 0;
  toy_plan().inject_error = [&](const std::string& function, std::int64_t) {
    calls += function == "oracle.argmax" || function == "oracle.begin_frontier" ? 1 : 0;
    return SCULPT_OK;
  };
  for (const bool frontier : {false, true}) {
    toy_plan().offers_frontier = frontier;
    toy_plan().counts = {{"errors", unlimited, 0, 0}};
    for (const Formulation& formulation : {Formulation{}, slack_rescaling}) {
      Problem problem(toy_spec(toy_oracle(), formulation), Purpose::training, 1, {});
      ProblemPlanes source(problem, 1);
      OneSlackOptions options;
      options.formulation = formulation;
      options.stop.max_passes = 4;
      calls = 0;
      const Result result = OneSlack(options).solve(source, listener, {});
      CHECK(result.oracle_calls == calls);
      CHECK(result.oracle_calls == result.passes * 30 + source.extra_oracle_calls());
      CHECK((source.extra_oracle_calls() == 0) == formulation.needs_one_argmax());
    }
  }
}

TEST_CASE("scores are computed once for all queries of an example at one w") {
  toy_plan() = random_toy(10, 6);
  std::int64_t potentials = 0;
  toy_plan().inject_error = [&](const std::string& function, std::int64_t) {
    potentials += function == "features.potentials" ? 1 : 0;
    return SCULPT_OK;
  };
  for (const bool frontier : {false, true}) {
    toy_plan().offers_frontier = frontier;
    toy_plan().counts = {{"errors", unlimited, 0, 0}};
    Problem problem(toy_spec(toy_map_solver(), slack_rescaling), Purpose::training, 1, {});
    ProblemPlanes source(problem, 1);
    std::vector<Separation> all;
    potentials = 0;
    for (int pass = 1; pass <= 2; ++pass) {
      source.separate(random_weights(6), first(10), static_cast<std::uint64_t>(pass), all);
      CHECK(potentials == pass * 10);
    }
    CHECK(source.extra_oracle_calls() > 0);
  }
}
