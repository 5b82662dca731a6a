// What oracles made of dynamic programs, and viterbi where it is one, do when the user asks to
// stop.
#include <doctest/doctest.h>

#include "bound_features.hpp"
#include "call_buffers.hpp"
#include "oracle_calls.hpp"

#include <functional>

using namespace plugin_test;

namespace {

// Asks once without a request, then with one: that call stops, and the next one is as the first.
template <class Call>
void check_call_stops(LiveComponent& asked, Call call) {
  const auto expected = call();
  asked.ask_to_stop(true);
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      call();
      FAIL("went on");
    } catch (const CallFailed& failure) {
      CHECK(failure.status() == SCULPT_E_CANCELLED);
    }
  }
  asked.ask_to_stop(false);
  CHECK(call() == expected);
}

// A sequence of 240 bases with pairs of its ends.
struct LongSequence {
  LongSequence()
      : parts("rna#dot_bracket", nlohmann::json::object(), text(), "rna"),
        loss("item_losses#f1"),
        oracle("rna", nlohmann::json::object(), SCULPT_KIND_ORACLE) {
    loss.bind(&parts.dataset, &parts.features);
    oracle.bind(&parts.dataset, &parts.features, &loss);
    Random random(137);
    question.w = normal_vector(random, static_cast<std::size_t>(dimension(parts.features)));
    question.truth = truth_of(parts.dataset, 0);
  }
  static std::string text() {
    std::string letters, pairs;
    for (int k = 0; k < 60; ++k) letters += "GCAU";
    pairs = std::string(240, '.');
    pairs.front() = '(';
    pairs.back() = ')';
    letters.front() = 'G';
    letters.back() = 'C';
    return ">x\n" + letters + "\n" + pairs + "\n";
  }

  BoundFeatures parts;
  LiveComponent loss;
  LiveComponent oracle;
  Question question;
};

}  // namespace

TEST_CASE("a request to stop ends an argmax of a program, a prediction's and a frontier's") {
  LongSequence sequence;
  check_call_stops(sequence.oracle,
                   [&] { return argmax(sequence.oracle, sequence.question).output; });
  sequence.question.loss_weight = 1;
  check_call_stops(sequence.oracle,
                   [&] { return argmax(sequence.oracle, sequence.question).output; });
}

TEST_CASE("a request to stop ends the mean, the k best and the draws of a program") {
  LongSequence sequence;
  check_call_stops(sequence.oracle, [&] { return mean(sequence.oracle, sequence.question).psi; });
  check_call_stops(sequence.oracle,
                   [&] { return k_best(sequence.oracle, sequence.question, 1).front().output; });
  check_call_stops(sequence.oracle, [&] { return draws(sequence.oracle, sequence.question, 2); });
}

TEST_CASE("a request to stop ends log Z of viterbi") {
  LiveComponent viterbi("viterbi");
  const auto& table = viterbi.extension<sculpt_ext_map_expectation>(SCULPT_EXT_MAP_EXPECTATION);
  sculpt::FactorGraphBuilder builder;
  for (std::int32_t v = 0; v < 3000; ++v) builder.add_variable(3);
  const std::int64_t pair = builder.add_table(9);
  for (std::int32_t v = 1; v < 3000; ++v) builder.add_factor({v - 1, v}, pair);
  const sculpt_factor_graph& graph = builder.graph(SCULPT_GRAPH_CHAIN, 0);
  Random random(139);
  const auto theta = normal_vector(random, static_cast<std::size_t>(graph.theta_size));
  sculpt_map_query query = {};
  query.struct_size = sizeof query;
  query.graph = &graph;
  query.theta = theta.data();
  check_call_stops(viterbi, [&] {
    std::vector<double> mu(theta.size());
    double log_z = 0;
    ErrorText error;
    error.check(table.mean(viterbi.session(), &query, &log_z, mu.data(), error.raw()));
    return mu;
  });
}
