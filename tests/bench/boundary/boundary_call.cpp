// boundary_call - argmax of every example of the split train, for counting instructions.
//
//   boundary_call shipped|compiled EXPERIMENT PASSES
//
// shipped: chain and viterbi as they are loaded, asked through the host as predict asks them.
// compiled: their sources, compiled into this program, with no interface in between but that of the
// dataset, which both have. Prints a checksum of the outputs, for both must find the same.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "command/assembly.hpp"
#include "command/command.hpp"
#include "failure.hpp"
#include "problem/problem.hpp"
#include "sculpt/sculpt.hpp"

#undef SCULPT_PLUGIN
#define SCULPT_PLUGIN(...)
#include "../../../plugins/chain/chain.cpp"
#include "../../../plugins/viterbi/viterbi.cpp"

namespace {

using namespace sculpt::core;

// Some weights, none of them 0.
Vector some_weights(std::int64_t dimension) {
  Vector w(static_cast<std::size_t>(dimension));
  std::uint32_t state = 1;
  for (double& value : w) {
    state = state * 1664525U + 1013904223U;
    value = static_cast<double>(state >> 8) / (1 << 24) - 0.5;
  }
  return w;
}

class Checksum {
 public:
  void add(const Answer& answer) {
    for (const std::int32_t label : std::span(answer.labels().data, size_of(answer))) {
      sum_ = sum_ * 31 + static_cast<std::uint32_t>(label);
    }
  }
  std::uint64_t sum() const { return sum_; }

 private:
  static std::size_t size_of(const Answer& answer) {
    return static_cast<std::size_t>(answer.labels().size);
  }
  std::uint64_t sum_ = 0;
};

void ask_shipped(Problem& problem, const Vector& w, Answer& answer, Checksum& checksum) {
  sculpt_query query = {};
  query.struct_size = sizeof query;
  query.weights = sculpt_weights{w.data(), problem.dimension(), 1};
  const Range train = problem.training();
  for (query.example = train.begin; query.example < train.end; ++query.example) {
    problem.oracle().argmax(0, query, answer);
    checksum.add(answer);
  }
}

// chain with bias and without start_end, as the experiment has it; viterbi as it is by default.
class Compiled {
 public:
  explicit Compiled(Problem& problem) : chain_(chain_parameters()), viterbi_(viterbi_parameters()) {
    sculpt_bindings bindings = {};
    bindings.struct_size = sizeof bindings;
    bindings.dataset = problem.dataset().component().ref();
    chain_.bind(sculpt::Bindings(bindings));
    chain_session_.emplace(chain_);
    viterbi_session_.emplace(viterbi_);
  }

  std::int64_t dimension() const { return chain_.dimension(); }

  void ask(std::int64_t example, sculpt::Weights w, Answer& answer) {
    sculpt_map_query query = {};
    query.struct_size = sizeof query;
    query.graph = &chain_session_->factor_graph(example);
    theta_.assign(static_cast<std::size_t>(query.graph->theta_size), 0.0);
    chain_session_->potentials(example, w, theta_.data());
    query.theta = theta_.data();
    sculpt::Answer out(answer.raw());
    viterbi_session_->solve(sculpt::MapQuery(query), out);
  }

 private:
  static sculpt::Parameters chain_parameters() {
    static const sculpt_value values[] = {{SCULPT_PARAMETER_BOOL, 0, 1, 1, nullptr, nullptr, 0},
                                          {SCULPT_PARAMETER_BOOL, 0, 0, 0, nullptr, nullptr, 0},
                                          {SCULPT_PARAMETER_LIST, 0, 0, 0, nullptr, nullptr, 0}};
    return {Chain::parameters, 3, values};
  }
  static Viterbi viterbi_parameters() {
    static const sculpt_value cells = {SCULPT_PARAMETER_INT, 1, 30000000, 3e7, nullptr, nullptr, 0};
    return {sculpt::Parameters(Viterbi::parameters, 1, &cells), sculpt::Host(nullptr)};
  }

  Chain chain_;
  Viterbi viterbi_;
  std::optional<Chain::Session> chain_session_;
  std::optional<Viterbi::Session> viterbi_session_;
  std::vector<double> theta_;
};

void ask_compiled(Problem& problem, Compiled& compiled, const Vector& w, Answer& answer,
                  Checksum& checksum) {
  const sculpt_weights lent{w.data(), problem.dimension(), 1};
  const Range train = problem.training();
  for (std::int64_t example = train.begin; example < train.end; ++example) {
    compiled.ask(example, sculpt::Weights(lent), answer);
    checksum.add(answer);
  }
}

int run(const std::string& mode, const std::string& path, int passes) {
  const JsonDocument document = JsonDocument::read(path);
  Registry registry(registry_settings(document, {}));
  const Experiment experiment(document, {}, declared_in(registry));
  const Assembly assembly(experiment, registry);
  Problem problem(assembly.choices(sources_of(experiment)), Purpose::training, 1, {});
  Compiled compiled(problem);
  if (compiled.dimension() != problem.dimension()) return EXIT_FAILURE;
  const Vector w = some_weights(problem.dimension());
  Answer answer;
  Checksum checksum;
  for (int pass = 0; pass < passes; ++pass) {
    if (mode == "compiled") {
      ask_compiled(problem, compiled, w, answer, checksum);
    } else {
      ask_shipped(problem, w, answer, checksum);
    }
  }
  std::printf("%llu\n", static_cast<unsigned long long>(checksum.sum()));
  return EXIT_SUCCESS;
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) {
    std::fprintf(stderr, "usage: boundary_call shipped|compiled EXPERIMENT PASSES\n");
    return EXIT_FAILURE;
  }
  try {
    return run(words[1], words[2], std::atoi(words[3]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "boundary_call: %s\n", error.what());
    return EXIT_FAILURE;
  }
}
