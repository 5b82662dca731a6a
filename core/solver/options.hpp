// options.hpp - settings that several solvers share.
//
// Filled by parameter_tables.cpp, read by the solvers. The settings of a single solver are in its
// own header.
#pragma once

#include <cstdint>
#include <optional>

#include "objective/formulation.hpp"
#include "solver/example_order.hpp"

namespace sculpt::core {

// When a run ends. The first rule that applies ends it.
struct StopOptions {
  // P - D <= relative_gap |P|, for the best P and D seen.
  double relative_gap = 1e-3;
  // The largest violation allowed beyond the slack:
  //   n_slack      no H_i > xi_i + epsilon in a pass at one fixed w
  //                (Tsochantaridis et al. 2005, Algorithm 1)
  //   one_slack    1/n sum H_i <= xi + epsilon  (Joachims, Finley & Yu 2009, Algorithm 3);
  //                norm 2: the mean half square, 1/2n sum H_i^2 <= xi + epsilon
  //   hard margin  n_slack: no H_i > epsilon; one_slack: 1/n sum H_i <= epsilon
  // Then the gap is bounded, but P may be infinite under hard margin:
  //   P - D <= C epsilon
  //   P - D <= C (epsilon 1/n sum xi_i + epsilon^2 / 2)      n_slack under norm 2
  // If examples have weights, H_i and xi_i in n_slack and frank_wolfe are without them, and the
  // bound is multiplied by their mean (norm 2: c_i xi_i in place of xi_i). The sums of one_slack
  // have the weights.
  std::optional<double> epsilon;
  std::optional<std::int64_t> max_passes;        // passes <= max_passes
  std::optional<std::int64_t> max_oracle_calls;  // no pass begins at or after this many calls
  std::optional<double> max_seconds;  // wall clock of solve(), with the runs before it was resumed
};

// With a kernel: the memory of its rows. Rows beyond it are computed again.
struct KernelOptions {
  double kernel_megabytes = 1000;
  std::int64_t kernel_bytes() const { return static_cast<std::int64_t>(kernel_megabytes * 1e6); }
};

struct SolverOptions : KernelOptions {
  Formulation formulation;
  // The QP is solved again until its own gap, over the working set, is small enough: at most
  // qp_fraction times the gap of the last pass. If the dual is smaller than that gap, the limit is
  // qp_fraction times the dual, as long as that costs little work. A more exact solution is wasted,
  // because the next planes change it. 0 < qp_fraction < 1. On the OCR letters the time differs by
  // a third from 0.2 to 0.6.
  double qp_fraction = 0.4;
  // Hard margin: the data are called inseparable if no w with ||w|| <= 1 / floor separates them.
  // floor = separation_floor * WorkingSet::largest_norm_after_column_scaling(). Values below 1e-12
  // prove nothing in double precision.
  double separation_floor = 1e-4;
  // Planes with alpha = 0 after this many QPs in a row are dropped; 0 keeps all. Dropping never
  // lowers D. 50 is the choice of svm_struct, and good for the few planes of one_slack. With 20,
  // n_slack keeps half of the planes on the OCR letters and needs no more passes. 5 keeps a
  // quarter, but may double the passes if examples have few outputs.
  std::int64_t drop_after = 20;
  // The largest size of all planes after a QP, in megabytes; see qp/working_set/plane_limit.hpp. A
  // pass may add one plane for each example to that.
  std::optional<double> max_planes_megabytes;
  // Planes are made of samples of the examples. So D proves nothing, and is not reported.
  bool samples_cuts = false;
  StopOptions stop;
};

// For the solvers that make a step for each example and prove no dual. They have no targets.
struct OnlineOptions : KernelOptions {
  Formulation formulation;
  StopOptions stop;
  // Examples asked about at one w; 0: a whole pass. 1 is the algorithm of the papers. More than one
  // keeps all threads busy.
  std::int64_t batch = 1;
  ExampleOrder order = ExampleOrder::shuffled;
  // Passes between two evaluations of P. Each evaluation is another pass, at one w. 0: only at the
  // end.
  std::int64_t evaluate_every = 0;
};

}  // namespace sculpt::core
