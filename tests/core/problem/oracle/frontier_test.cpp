// What goes wrong in a conversation about a frontier, and what is refused before there is one.

#include <doctest/doctest.h>

#include <cmath>

#include "core/problem/separation.hpp"
#include "solver/n_slack/n_slack.hpp"
#include "solver/one_slack/one_slack.hpp"

using namespace sculpt::core;

namespace {

Separation separated(const sculpt_component& oracle, const Formulation& formulation) {
  return separate_all(oracle, 1, Vector(21, 0.0), formulation).front();
}

Refusal refused(const sculpt_component& oracle = toy_map_solver(),
                const Formulation& formulation = slack_rescaling) {
  return refusal_of([&] { separated(oracle, formulation); });
}

}  // namespace

TEST_CASE("a frontier whose entry no output attains is refused by the oracle's name") {
  toy_plan() = three_positions();
  CHECK(separated(toy_map_solver(), slack_rescaling).low == 3);
  toy_plan().bend_slice = [](std::int64_t first, double* score) { score[0] += first == 3 ? 5 : 0; };
  const Refusal score = refused();
  CHECK(score.exit == Exit::plugin);
  CHECK(score.text ==
        "search: example 0: its frontier has the score 5 for 3 errors, but <w, psi> of the output "
        "it gives for them is 0");
  toy_plan().bend_slice = nullptr;
  toy_plan().bend_output = [](sculpt_label_buffer& out) { out.data[0] = 0; };  // right again
  CHECK(refused().text ==
        "search: example 0: the output it gives for 3 errors has the loss 2, but these counts are "
        "worth 3");
}

TEST_CASE("scores, sizes and outputs that cannot be are refused") {
  toy_plan() = three_positions();
  toy_plan().bend_slice = [](std::int64_t first, double* score) {
    if (first == 3) score[0] = std::nan("");
  };
  CHECK(refused().says("search: example 0: the score of its frontier at 3 errors is nan"));
  toy_plan().bend_slice = [](std::int64_t first, double* score) {
    if (first == 3) score[0] = infinity;
  };
  CHECK(refused().says("search: example 0: the score of its frontier at 3 errors is inf"));
  toy_plan().bend_slice = nullptr;

  const auto sized = [](std::int64_t first, std::int64_t second) {
    toy_plan().bend_shape = [=](sculpt_frontier_shape& shape) {
      shape.size[0] = first;
      shape.size[1] = second;
    };
    return refused().text;
  };
  CHECK(sized(0, 1) == "search: example 0: the frontier has 0 values of errors");
  CHECK(sized(4, 2) ==
        "search: example 0: the frontier has 2 values of a second count, which there is not");
  toy_plan().counts = {{"errors", 2}};
  CHECK(sized(4, 1) ==
        "search: example 0: the frontier has 4 values of errors; the loss tells none apart above "
        "2");
  toy_plan() = three_positions();
  toy_plan().counts.push_back({"twos", unlimited});
  CHECK(sized(4, INT64_MAX).find("the frontier has 9223372036854775807 values of twos") !=
        std::string::npos);

  toy_plan() = three_positions();
  toy_plan().bend_output = [](sculpt_label_buffer& out) { out.data[2] = 3; };
  CHECK(refused().says("search: example 0: gives label 3 to variable 2 of 3 states"));
  toy_plan().bend_output = [](sculpt_label_buffer& out) { out.size = 2; };
  CHECK(refused().says("search: example 0: gives 2 labels for 3 variables"));
  toy_plan().bend_output = [](sculpt_label_buffer& out) { out.size = -2; };
  CHECK(refused().says("search: example 0: gives -2 labels"));
}

TEST_CASE("trouble in any function of a conversation names the component and the example") {
  for (const auto& [function, name] :
       std::vector<std::pair<std::string, std::string>>{{"map_solver.begin_frontier", "search"},
                                                        {"frontier.slice", "search"},
                                                        {"frontier.output", "search"},
                                                        {"loss.value", "errors"},
                                                        {"loss.add_counts", "errors"}}) {
    toy_plan() = three_positions();
    const std::string failing = function;
    toy_plan().trouble = [failing](const std::string& called, std::int64_t) {
      return called == failing ? SCULPT_E_INTERNAL : SCULPT_OK;
    };
    CHECK(refused().text == name + ": example 0: toy trouble");
  }
}

TEST_CASE("counts that are negative and losses of counts that cannot be are the loss's fault") {
  toy_plan() = three_positions();
  toy_plan().bend_counts = [](std::vector<std::int32_t>& table) { table[4] = -1; };
  CHECK(refused().text ==
        "errors: example 0: counts -1 errors in cell 4 of the factor tables; counts must not be "
        "negative");
  toy_plan() = three_positions();
  toy_plan().counts = {{"errors", 3}};  // too few for a probe, which would meet the loss first
  toy_plan().bend_loss = [](std::int64_t, double& loss) { loss = loss == 2 ? -1 : loss; };
  CHECK(refused().text ==
        "errors: example 0: the loss of 2 errors is -1.000000; it must be finite and not negative");
}

TEST_CASE("a frontier that leaves out the truth or holds nothing is refused unless it says so") {
  toy_plan() = three_positions();
  toy_plan().counts = {{"errors", 3}};  // too few for a probe
  toy_plan().bend_slice = [](std::int64_t, double* score) { score[0] = -INFINITY; };
  const Formulation root{Rescaling::margin, 2, 1};
  CHECK(refused(toy_map_solver(), root).says("holds no output as good as the truth"));
  toy_plan().bend_shape = [](sculpt_frontier_shape& shape) {
    shape.flags = SCULPT_ANSWER_TRUTH_OUTSIDE;
  };
  CHECK(refused(toy_map_solver(), root).says("holds no output; where there is none"));
  toy_plan().bend_shape = [](sculpt_frontier_shape& shape) {
    shape.flags = SCULPT_ANSWER_NO_OUTPUT;
  };
  const Separation none = separated(toy_map_solver(), root);
  CHECK(none.no_output);
  CHECK(none.high == 0);
  toy_plan().counts = {{"errors", unlimited}};  // with an argmax in front
  CHECK(refused(toy_map_solver(), root).says("says NO_OUTPUT after it gave an output"));
}

TEST_CASE("answers that call themselves exact and are beaten by a later one are refused") {
  for (const bool frontier : {false, true}) {
    toy_plan() = three_positions();
    toy_plan().offers_frontier = frontier;
    toy_plan().bend_answer = [](const sculpt_query& query, sculpt_answer& answer) {
      if (query.loss_weight != 1) return;
      std::copy_n(toy_plan().training[0].truth.begin(), 3, answer.labels.data);
      answer.value = 0;
    };
    CHECK(refused(toy_oracle()).text ==
          "all: example 0: its answers prove that no output violates its margin by more than 0.25, "
          "yet one that it gave does so by 3 at the same weights; it may not say EXACT or BOUND");
  }
}

TEST_CASE("a frontier that goes beyond what argmax called exact is refused") {
  toy_plan() = three_positions();
  toy_plan().bend_answer = [](const sculpt_query&, sculpt_answer& answer) {
    answer.flags = SCULPT_ANSWER_BOUND;
    answer.bound = answer.value;
  };
  CHECK_NOTHROW(separated(toy_oracle(), slack_rescaling));
  // 3 errors are worth 3 + 3 l, but the bound at each l allows them 1.5 + 3 l.
  Vector w(21, 0.0);
  w[1] = w[5] = w[6] = 1;  // (observation, label): (0, 1), (1, 2), (2, 0)
  toy_plan().bend_answer = [](const sculpt_query& query, sculpt_answer& answer) {
    answer.flags = SCULPT_ANSWER_BOUND;
    std::copy_n(toy_plan().training[0].truth.begin(), 3, answer.labels.data);
    answer.value = 0;
    answer.bound = 1.5 + 3 * query.loss_weight;
  };
  CHECK(refusal_of([&] { separate_all(toy_oracle(), 1, w, slack_rescaling); }).text ==
        "all: example 0: its frontier has the score 3 for 3 errors, but its other answers allow no "
        "more than 1.5; it may not say EXACT or BOUND");
}

TEST_CASE("a loss that says impossible things of its counts is refused at bind") {
  const auto refusal = [](std::vector<sculpt_count> counts) {
    toy_plan() = three_positions();
    toy_plan().counts = std::move(counts);
    return refusal_of([] {
             Problem(toy_choices(toy_map_solver(), slack_rescaling), Purpose::training, 1, {});
           })
        .text;
  };
  CHECK(refusal({{"errors", 1}, {"twos", 1}, {"threes", 1}}) ==
        "errors: counts 3 things; a loss counts one or 2");
  CHECK(refusal({{nullptr, 1}}) == "errors: counts something that has no name");
  CHECK(refusal({{"errors", 0}}) == "errors: counts errors up to 0; a limit is 1 or more");
}

TEST_CASE("what neither takes the loss nor offers a frontier is refused with the remedy") {
  const auto refusal = [](const Formulation& formulation) {
    return refusal_of(
        [&] { Problem(toy_choices(toy_map_solver(), formulation), Purpose::training, 1, {}); });
  };
  for (const Formulation& formulation : {Formulation{}, slack_rescaling}) {
    toy_plan() = three_positions();
    toy_plan().offers_frontier = false;
    CHECK(refusal(formulation).exit == Exit::config);
    CHECK(
        refusal(formulation).text ==
        "search needs a loss that splits over factors; errors does not (sculpt.factor-loss/1); a "
        "frontier would do without, but search offers no frontier (sculpt.frontier/1); choose "
        "another loss, an oracle that knows this one, or an oracle and a loss that count together "
        "(describe NAME lists what one offers)");
    toy_plan() = three_positions();
    toy_plan().counts.clear();
    CHECK(refusal(formulation)
              .says("but errors has no counts that split over factors (sculpt.count-loss/1)"));
    toy_plan() = three_positions();
    toy_plan().counts_split = false;
    CHECK(refusal(formulation)
              .says("but errors has no counts that split over factors (sculpt.factor-counts/1)"));
    toy_plan() = three_positions();
    toy_plan().count_demands = SCULPT_GRAPH_SINGLE;
    CHECK(refusal(formulation).says("but errors needs single graphs; counts offers pairwise"));
  }
}

TEST_CASE("the strategy follows from formulation and extensions") {
  const auto strategy = [](const sculpt_component& oracle, const Formulation& formulation) {
    return Problem(toy_choices(oracle, formulation), Purpose::training, 1, {}).strategy();
  };
  toy_plan() = random_toy(5, 1);
  CHECK(strategy(toy_oracle(), {}) == SeparationStrategy::plain);
  CHECK(strategy(toy_map_solver(), slack_rescaling) == SeparationStrategy::search);
  CHECK(strategy(toy_oracle(), slack_rescaling) == SeparationStrategy::search);
  toy_plan().offers_frontier = true;
  CHECK(strategy(toy_oracle(), slack_rescaling) == SeparationStrategy::search);  // no counts
  toy_plan().counts = {{"errors", unlimited}};
  CHECK(strategy(toy_oracle(), slack_rescaling) == SeparationStrategy::frontier);
  CHECK(strategy(toy_map_solver(), {Rescaling::margin, 2, 1}) == SeparationStrategy::frontier);
  CHECK(strategy(toy_map_solver(), {Rescaling::margin, 1, infinity}) == SeparationStrategy::plain);
}

TEST_CASE("a graph of another class than the counts need is refused at the example") {
  toy_plan() = three_positions();
  toy_plan().count_demands = SCULPT_GRAPH_CHAIN;
  toy_plan().actual_classes = SCULPT_GRAPH_PAIRWISE;
  CHECK(refused().text ==
        "errors: example 0: needs chain graphs; counts gives a graph of pairwise");
}

TEST_CASE("an inexact oracle is not certified under slack rescaling, whatever its loss") {
  toy_plan() = random_toy(30, 3);
  toy_plan().loss_of_counts = [](const Counts& c) { return std::sqrt(double(c[0])); };
  toy_plan().bend_answer = [](const sculpt_query&, sculpt_answer& answer) { answer.flags = 0; };
  class Silent : public Listener {
    void pass_done(const PassReport&) override {}
  } silent;
  for (const Separation& one : separate_all(toy_oracle(), 2, random_weights(3), slack_rescaling)) {
    CHECK(one.high == infinity);
    CHECK(one.low >= 0);
  }
  Problem problem(toy_choices(toy_oracle(), slack_rescaling), Purpose::training, 2, {});
  ProblemPlanes source(problem, 1);
  NSlackOptions options;
  options.formulation = slack_rescaling;
  const Result result = NSlack(options).solve(source, silent, {});
  CHECK_FALSE(result.certified);
  CHECK_FALSE(result.reached);
  CHECK(result.uncertified_reason == UncertifiedReason::no_upper_bound);
  CHECK(result.planes > 0);
}

TEST_CASE("the search brackets the optimum that the frontier certifies") {
  class Silent : public Listener {
    void pass_done(const PassReport&) override {}
  } silent;
  const auto solve = [&](bool frontier) {
    toy_plan() = random_toy(30, 7);
    toy_plan().offers_frontier = frontier;
    toy_plan().counts = {{"errors", unlimited}};
    Problem problem(toy_choices(toy_map_solver(), slack_rescaling), Purpose::training, 1, {});
    ProblemPlanes source(problem, 1);
    NSlackOptions options;
    options.formulation = slack_rescaling;
    options.stop.relative_gap = 1e-7;
    return NSlack(options).solve(source, silent, {});
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

TEST_CASE("every call of argmax and every conversation is counted as a call") {
  class Silent : public Listener {
    void pass_done(const PassReport&) override {}
  } silent;
  toy_plan() = random_toy(30, 4);
  std::int64_t asked = 0;
  toy_plan().trouble = [&](const std::string& function, std::int64_t) {
    asked += function == "oracle.argmax" || function == "oracle.begin_frontier" ? 1 : 0;
    return SCULPT_OK;
  };
  for (const bool frontier : {false, true}) {
    toy_plan().offers_frontier = frontier;
    toy_plan().counts = {{"errors", unlimited}};
    for (const Formulation& formulation : {Formulation{}, slack_rescaling}) {
      Problem problem(toy_choices(toy_oracle(), formulation), Purpose::training, 1, {});
      ProblemPlanes source(problem, 1);
      OneSlackOptions options;
      options.formulation = formulation;
      options.stop.max_passes = 4;
      asked = 0;
      const Result result = OneSlack(options).solve(source, silent, {});
      CHECK(result.oracle_calls == asked);
      CHECK(result.oracle_calls == result.passes * 30 + source.extra_oracle_calls());
      CHECK((source.extra_oracle_calls() == 0) == formulation.needs_one_argmax());
    }
  }
}

TEST_CASE("scores are computed once for all questions about an example at one w") {
  toy_plan() = random_toy(10, 6);
  std::int64_t potentials = 0;
  toy_plan().trouble = [&](const std::string& function, std::int64_t) {
    potentials += function == "features.potentials" ? 1 : 0;
    return SCULPT_OK;
  };
  for (const bool frontier : {false, true}) {
    toy_plan().offers_frontier = frontier;
    toy_plan().counts = {{"errors", unlimited}};
    Problem problem(toy_choices(toy_map_solver(), slack_rescaling), Purpose::training, 1, {});
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
