// The argmax of a chain of 40 variables: by the search of viterbi, and by Best of the SDK on
// viterbi's program for forests. Both have prepared the graph before the timing, as in a run.

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
  explicit MadeUpChain(std::int32_t labels) {
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

  FactorGraphBuilder builder;
  sculpt_factor_graph graph{};
  std::vector<double> theta;
};

class HandWritten {
 public:
  void solve(const MadeUpChain& chain, Answer& answer) {
    sculpt_map_query query = {};
    query.struct_size = sizeof query;
    query.graph = &chain.graph;
    query.theta = chain.theta.data();
    sculpt::Answer out(answer.raw());
    session_.solve(MapQuery(query), out);
  }

 private:
  static Parameters parameters() {
    static const sculpt_value cells = {SCULPT_PARAMETER_INT, 1, 30000000, 3e7, nullptr, nullptr, 0};
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
    const auto y = out.labels().resize(length);
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
  const MadeUpChain chain(static_cast<std::int32_t>(state.range(0)));
  Solver solver;
  Answer answer;
  for (auto _ : state) {
    solver.solve(chain, answer);
    benchmark::DoNotOptimize(answer.labels().data);
  }
}
BENCHMARK_TEMPLATE(chain_argmax, HandWritten)->Arg(3)->Arg(9)->Arg(26)->Arg(50);
BENCHMARK_TEMPLATE(chain_argmax, ByProgram)->Arg(3)->Arg(9)->Arg(26)->Arg(50);

}  // namespace
}  // namespace sculpt::core::bench
