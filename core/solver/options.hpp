// options.hpp - settings that several solvers share.
//
// Those of one solver are in its own header, with the parameters that they come from.
#pragma once

#include <cstdint>
#include <optional>

#include "objective/formulation.hpp"
#include "solver/example_order.hpp"

namespace sculpt::core {

// When a run ends; of several rules the first reached stops.
struct StopOptions {
  // P - D <= relative_gap |P|, for the best P and D seen.
  double relative_gap = 1e-3;
  // n_slack: no H_i > xi_i + epsilon in a pass at one frozen w (Tsochantaridis et al. 2005,
  // Algorithm 1). one_slack: 1/n sum H_i <= xi + epsilon (Joachims, Finley & Yu 2009, Algorithm 3);
  // under norm 2 the mean half square, 1/2n sum H_i^2 <= xi + epsilon. All then have
  // P - D <= C epsilon, but n_slack under norm 2 C (epsilon 1/n sum xi_i + epsilon^2 / 2). Hard
  // margin: no H_i > epsilon, or no 1/n sum of them; P may be infinite then.
  std::optional<double> epsilon;
  std::optional<std::int64_t> max_passes;        // passes <= max_passes
  std::optional<std::int64_t> max_oracle_calls;  // no pass begins at or after so many calls
  std::optional<double> max_seconds;             // of wall clock in solve(), resumed runs in all
};

struct SolverOptions {
  Formulation formulation;
  // The QP is re-solved until its own gap, over the planes in the working set, is at most
  // qp_fraction times the gap that the last pass found, or times the dual where that is less and
  // cheap: a tighter solution is spoiled by the next planes. 0 < qp_fraction < 1; from 0.2 to 0.6
  // the time differs by a third on the OCR letters.
  double qp_fraction = 0.4;
  // Hard margin: data are called inseparable on proof that no w with ||w|| <= 1 / floor separates
  // them, floor = separation_floor times WorkingSet::longest_after_column_scaling(). Below 1e-12
  // doubles prove nothing.
  double separation_floor = 1e-4;
  // Planes with alpha = 0 after this many QPs in a row are dropped; 0 keeps all. Dropping never
  // lowers D. 50 is svm_struct's choice and good for the few planes of one_slack. With 20, n_slack
  // keeps half of the planes on the OCR letters and needs no more passes; 5 keeps a quarter, but
  // may double the passes where examples have few outputs.
  std::int64_t drop_after = 20;
  // What planes may take behind a QP; see qp/working_set/plane_limit.hpp. A pass adds up to one for
  // each example to that.
  std::optional<double> max_planes_megabytes;
  StopOptions stop;
};

// Of the solvers that make a step for each example and prove no dual: no targets.
struct OnlineOptions {
  Formulation formulation;
  StopOptions stop;
  // Examples asked at one w; 0 is a whole pass. 1 is the algorithm of the papers, more than one
  // keeps all threads busy.
  std::int64_t batch = 1;
  ExampleOrder order = ExampleOrder::shuffled;
  // Passes between two evaluations of P, each another pass at one w; 0: only at the end.
  std::int64_t evaluate_every = 0;
};

}  // namespace sculpt::core
