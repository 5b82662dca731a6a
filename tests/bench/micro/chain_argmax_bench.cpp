// The argmax of a chain of 40 variables: by the search of viterbi, and by Best of the SDK on
// viterbi's program for forests. Both have prepared the graph before the timing, as in a run.
//
// log Z and marginals, and covariances, of a chain of 24 variables against its argmax, all by one
// session of viterbi. With a pair score too low for products, log Z is a sum over logarithms.

#include <benchmark/benchmark.h>

#include <random>
#include <vector>

#include "problem/plugin/answer_buffers.hpp"
#include "sculpt/cpp/factor_graph_builder.hpp"
#include "sculpt/program/best.hpp"
#include "sculpt/sculpt.hpp"

#undef SCULPT_PLUGIN
#define SCULPT_PLUGIN(...)
#include "../../../plugins/viterbi/viterbi.cpp"

namespace sculpt::core::bench {
namespace {

constexpr std::int32_t length = 40;

// One table for all pairs of neighbours, as in most features. Scores are normal noise.
struct MadeUpChain {
  MadeUpChain(std::int32_t length, std::int32_t labels) {
    for (std::int32_t t = 0; t < length; ++t) builder.add_variable(labels);
    const std::int64_t pair = builder.add_table(std::int64_t{labels} * labels);
    for (std::int32_t t = 1; t < length; ++t) builder.add_factor({t - 1, t}, pair);
    graph = builder.graph(SCULPT_GRAPH_CHAIN | SCULPT_GRAPH_FOREST | SCULPT_GRAPH_PAIRWISE, 0);
    graph.topology = 1;
    theta.resize(static_cast<std::size_t>(graph.theta_size));
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    for (double& score : theta) score = normal(random);
  }

  sculpt_map_query query() const {
    sculpt_map_query query = {};
    query.struct_size = sizeof query;
    query.graph = &graph;
    query.theta = theta.data();
    return query;
  }

  FactorGraphBuilder builder;
  sculpt_factor_graph graph{};
  std::vector<double> theta;
};

class HandWritten {
 public:
  void solve(const MadeUpChain& chain, Answer& answer) {
    const sculpt_map_query query = chain.query();
    sculpt::Answer out(answer.raw());
    session_.solve(MapQuery(query), out);
  }
  Viterbi::Session& session() { return session_; }

 private:
  static Parameters parameters() {
    static const sculpt_value cells = {
        SCULPT_PARAMETER_INT, 1, 30000000, 3e7, nullptr, nullptr, 0, 0};
    return {Viterbi::parameters, 1, &cells};
  }
  Viterbi viterbi_{parameters(), sculpt::Host(nullptr)};
  Viterbi::Session session_{viterbi_};
};

class ByProgram {
 public:
  void solve(const MadeUpChain& chain, Answer& answer) {
    program_.build(chain.graph);
    program_.score(chain.graph, chain.theta.data());
    const double value = best_.find(program_);
    best_.derivation(program_, derivation_);
    sculpt::Answer out(answer.raw());
    const auto y = out.labels().resize(chain.graph.variable_count);
    for (const ForestProgram::Edge& edge : derivation_) {
      if (!ForestProgram::is_label(edge)) continue;
      const auto [variable, state] = program_.label(edge);
      y[static_cast<std::size_t>(variable)] = state;
    }
    out.exact(value + program_.constant());
  }

 private:
  ForestProgram program_;
  program::Best<ForestProgram> best_;
  program::Derivation<ForestProgram> derivation_;
};

template <class Solver>
void chain_argmax(benchmark::State& state) {
  const MadeUpChain chain(40, static_cast<std::int32_t>(state.range(0)));
  Solver solver;
  Answer answer;
  for (auto _ : state) {
    solver.solve(chain, answer);
    benchmark::DoNotOptimize(answer.labels().data);
  }
}
BENCHMARK_TEMPLATE(chain_argmax, HandWritten)->Arg(3)->Arg(9)->Arg(26)->Arg(50);
BENCHMARK_TEMPLATE(chain_argmax, ByProgram)->Arg(3)->Arg(9)->Arg(26)->Arg(50);

enum class Marginals { argmax, mean, covariance, mean_by_logarithms };

template <Marginals which>
void chain_marginals(benchmark::State& state) {
  MadeUpChain chain(24, static_cast<std::int32_t>(state.range(0)));
  if (which == Marginals::mean_by_logarithms) chain.theta.back() = -1e4;
  HandWritten viterbi;
  Answer answer;
  const std::vector<double> direction(chain.theta.rbegin(), chain.theta.rend());
  std::vector<double> mu(chain.theta.size());
  const sculpt_map_query query = chain.query();
  for (auto _ : state) {
    if (which == Marginals::argmax) {
      viterbi.solve(chain, answer);
    } else if (which == Marginals::covariance) {
      viterbi.session().covariance_times(MapQuery(query), direction.data(), mu.data());
    } else {
      viterbi.session().mean(MapQuery(query), mu.data());
    }
    benchmark::DoNotOptimize(answer.labels().data);
    benchmark::DoNotOptimize(mu.data());
    benchmark::ClobberMemory();
  }
}
void few_and_many_labels(benchmark::internal::Benchmark* bench) {
  for (const int labels : {3, 9, 22, 26, 45}) bench->Arg(labels);
}
BENCHMARK_TEMPLATE(chain_marginals, Marginals::argmax)->Apply(few_and_many_labels);
BENCHMARK_TEMPLATE(chain_marginals, Marginals::mean)->Apply(few_and_many_labels);
BENCHMARK_TEMPLATE(chain_marginals, Marginals::covariance)->Apply(few_and_many_labels);
BENCHMARK_TEMPLATE(chain_marginals, Marginals::mean_by_logarithms)->Apply(few_and_many_labels);

}  // namespace
}  // namespace sculpt::core::bench
