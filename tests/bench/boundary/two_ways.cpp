#include "two_ways.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sculpt/sculpt.hpp"

#undef SCULPT_PLUGIN
#define SCULPT_PLUGIN(...)
#include "../../../plugins/chain/chain.cpp"
#include "../../../plugins/viterbi/viterbi.cpp"

namespace sculpt::core::bench {

namespace {

sculpt::Parameters chain_parameters() {
  static const sculpt_value values[] = {{SCULPT_PARAMETER_BOOL, 0, 1, 1, nullptr, nullptr, 0, 0},
                                        {SCULPT_PARAMETER_BOOL, 0, 0, 0, nullptr, nullptr, 0, 0},
                                        {SCULPT_PARAMETER_INT, 1, 1, 1, nullptr, nullptr, 0, 0},
                                        {SCULPT_PARAMETER_LIST, 0, 0, 0, nullptr, nullptr, 0, 0}};
  static_assert(std::size(values) == std::size(Chain::parameters));
  return {Chain::parameters, std::size(values), values};
}

sculpt::Parameters viterbi_parameters() {
  static const sculpt_value cells = {
      SCULPT_PARAMETER_INT, 1, 30000000, 3e7, nullptr, nullptr, 0, 0};
  return {Viterbi::parameters, 1, &cells};
}

}  // namespace

void Shipped::argmax(std::int64_t example, const Vector& w, Answer& answer) {
  sculpt_query query = {};
  query.struct_size = sizeof query;
  query.example = example;
  query.weights = sculpt_weights{w.data(), problem_.dimension(), 1};
  problem_.oracle().argmax(0, query, answer);
}

struct Compiled::Parts {
  Chain chain{chain_parameters()};
  Viterbi viterbi{viterbi_parameters(), sculpt::Host(nullptr)};
  std::optional<Chain::Session> chain_session;
  std::optional<Viterbi::Session> viterbi_session;
  std::vector<double> theta;
};

Compiled::Compiled(Problem& problem) : parts_(std::make_unique<Parts>()) {
  sculpt_bindings bindings = {};
  bindings.struct_size = sizeof bindings;
  bindings.dataset = problem.dataset().component().ref();
  parts_->chain.bind(sculpt::Bindings(bindings));
  parts_->chain_session.emplace(parts_->chain);
  parts_->viterbi_session.emplace(parts_->viterbi);
  if (parts_->chain.dimension() != problem.dimension()) {
    throw std::invalid_argument("the features are not a chain with a bias and without start_end");
  }
}

Compiled::~Compiled() = default;

void Compiled::argmax(std::int64_t example, const Vector& w, Answer& answer) {
  const sculpt_weights weights{w.data(), static_cast<std::int64_t>(w.size()), 1};
  sculpt_map_query query = {};
  query.struct_size = sizeof query;
  query.graph = &parts_->chain_session->factor_graph(example);
  parts_->theta.assign(static_cast<std::size_t>(query.graph->theta_size), 0.0);
  parts_->chain_session->potentials(example, sculpt::Weights(weights), parts_->theta.data());
  query.theta = parts_->theta.data();
  sculpt::Answer out(answer.raw());
  parts_->viterbi_session->solve(sculpt::MapQuery(query), out);
}

Vector some_weights(std::int64_t dimension) {
  Vector w(static_cast<std::size_t>(dimension));
  std::uint32_t state = 1;
  for (double& value : w) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<double>(state >> 8) / (1 << 24) - 0.5;
  }
  return w;
}

}  // namespace sculpt::core::bench
