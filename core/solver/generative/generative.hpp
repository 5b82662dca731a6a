// generative.hpp - weights by counting: the model that would have generated the truths.
//
// Found through its descriptor. The features must say which of their weights are the events of one
// multinomial (sculpt/ext/groups.h). The weights are the maximum likelihood estimate
//
//   w_j = log p(j | group of j),     p = relative frequencies over all truths, smoothed
//
// A truth counts as often as the weight of its example says.
// This gives a hidden Markov model for a chain and a probabilistic grammar for a grammar. It is the
// baseline of Tsochantaridis et al., ICML 2004, sections 4.3 and 4.4. It minimizes no objective; P
// is only reported.
#pragma once

#include <sculpt/parameter.h>

#include <span>

#include "solver/generative/relative_frequencies.hpp"
#include "solver/options.hpp"
#include "solver/solver.hpp"
#include "solver/solver_descriptor.hpp"

namespace sculpt::core {

struct GenerativeOptions {
  Formulation formulation;  // of the reported P
  Smoothing smoothing;
};

class Generative : public Solver {
 public:
  explicit Generative(const GenerativeOptions& options) : options_(options) {}

  std::optional<Formulation> formulation() const override { return options_.formulation; }
  using Solver::solve;
  Result solve(const Ports& ports, Listener& listener, const StopRequest& stop,
               Checkpoints& checkpoints) override;
  SolverTraits traits() const override;
  double expected_bytes(const ProblemStatistics& statistics) const override;
  double min_bytes(const ProblemStatistics& statistics) const override;

 private:
  GenerativeOptions options_;
};

const SolverDescriptor& generative_descriptor();
// Requires one checked value for each parameter of the descriptor, in order.
// Throws Failure(Exit::config) for a hard margin.
GenerativeOptions generative_options(std::span<const sculpt_value> values);

}  // namespace sculpt::core
