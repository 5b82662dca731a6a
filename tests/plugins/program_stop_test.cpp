// Oracles made of dynamic programs, and log Z of viterbi, stop on request and can be called again.
#include <doctest/doctest.h>

#include "bound_features.hpp"
#include "call_buffers.hpp"
#include "oracle_calls.hpp"

#include <functional>

using namespace plugin_test;

namespace {

// Checks that call() stops while a stop request is set, and then gives the same result as before.
template <class Call>
void check_call_stops(LiveComponent& component, Call call) {
  const auto expected = call();
  component.ask_to_stop(true);
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      call();
      FAIL("went on");
    } catch (const CallFailed& failure) {
      CHECK(failure.status() == SCULPT_E_CANCELLED);
    }
  }
  component.ask_to_stop(false);
  CHECK(call() == expected);
}

// A sequence of 240 bases. Its structure pairs the first with the last base.
struct LongSequence {
  LongSequence()
      : bound("rna#dot_bracket", nlohmann::json::object(), text(), "rna"),
        loss("item_losses#f1"),
        oracle("rna", nlohmann::json::object(), SCULPT_KIND_ORACLE) {
    loss.bind(&bound.dataset, &bound.features);
    oracle.bind(&bound.dataset, &bound.features, &loss);
    Random random(137);
    query.w = normal_vector(random, static_cast<std::size_t>(dimension(bound.features)));
    query.truth = truth_of(bound.dataset, 0);
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

  BoundFeatures bound;
  LiveComponent loss;
  LiveComponent oracle;
  OracleQuery query;
};

}  // namespace

TEST_CASE("a stop request ends an argmax of a program, with a frontier and without") {
  LongSequence sequence;
  check_call_stops(sequence.oracle, [&] { return argmax(sequence.oracle, sequence.query).output; });
  sequence.query.loss_weight = 1;
  check_call_stops(sequence.oracle, [&] { return argmax(sequence.oracle, sequence.query).output; });
}

TEST_CASE("a stop request ends the mean, the k best and the draws of a program") {
  LongSequence sequence;
  check_call_stops(sequence.oracle, [&] { return mean(sequence.oracle, sequence.query).psi; });
  check_call_stops(sequence.oracle,
                   [&] { return k_best(sequence.oracle, sequence.query, 1).front().output; });
  check_call_stops(sequence.oracle, [&] { return draws(sequence.oracle, sequence.query, 2); });
}

// A chain of 3000 variables with 40 states, or the same with triples, with one table for all. Five
// milliseconds of work and more.
TEST_CASE("a stop request ends log Z and covariances of viterbi") {
  LiveComponent viterbi("viterbi");
  const auto& table = viterbi.extension<sculpt_ext_map_expectation>(SCULPT_EXT_MAP_EXPECTATION);
  for (const bool order_two : {false, true}) {
    constexpr std::int32_t states = 40;
    const std::int32_t length = order_two ? 200 : 3000;
    sculpt::FactorGraphBuilder builder;
    for (std::int32_t v = 0; v < length; ++v) builder.add_variable(states);
    const std::int32_t size = order_two ? 3 : 2;
    const std::int64_t shared = builder.add_table(states * states * (order_two ? states : 1));
    for (std::int32_t v = size - 1; v < length; ++v) {
      order_two ? builder.add_factor({v - 2, v - 1, v}, shared)
                : builder.add_factor({v - 1, v}, shared);
    }
    const sculpt_factor_graph& graph =
        builder.graph(order_two ? SCULPT_GRAPH_ORDER_TWO : SCULPT_GRAPH_CHAIN, 0);
    Random random(139);
    auto theta = normal_vector(random, static_cast<std::size_t>(graph.theta_size));
    sculpt_map_query query = {};
    query.struct_size = sizeof query;
    query.graph = &graph;
    query.theta = theta.data();
    const auto mean = [&] {
      std::vector<double> mu(theta.size());
      sculpt_log_z log_z = {};
      ErrorText error;
      error.check(table.mean(viterbi.session(), &query, &log_z, mu.data(), error.raw()));
      return mu;
    };
    check_call_stops(viterbi, mean);
    check_call_stops(viterbi, [&] {
      std::vector<double> out(theta.size());
      ErrorText error;
      error.check(
          table.covariance_times(viterbi.session(), &query, theta.data(), out.data(), error.raw()));
      return out;
    });
    if (order_two) continue;
    theta.back() = -1e4;  // a pair: now by logarithms
    check_call_stops(viterbi, mean);
  }
}
