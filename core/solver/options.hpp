// options.hpp - the settings of the solvers, their declared parameters, and the way from one to the
// other.
//
// solver.cpp puts the tables into solver_kinds(); tests fill the structs by hand.
#pragma once

#include <sculpt/parameter.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "solver/example_order.hpp"
#include "solver/formulation.hpp"
#include "solver/relative_frequencies.hpp"

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
  // them, floor = separation_floor times WorkingSet::longest_in_scale(). Below 1e-12 doubles prove
  // nothing.
  double separation_floor = 1e-4;
  // Planes with alpha = 0 after this many QPs in a row are dropped; 0 keeps all. Dropping never
  // lowers D. 50 is svm_struct's choice and good for the few planes of one_slack. With 20, n_slack
  // keeps half of the planes on the OCR letters and needs no more passes; 5 keeps a quarter, but
  // may double the passes where examples have few outputs.
  std::int64_t drop_after = 20;
  // What planes may take behind a QP; see qp/plane_limit.hpp. A pass adds up to one for each
  // example to that.
  std::optional<double> max_planes_megabytes;
  StopOptions stop;
};

struct NSlackOptions : SolverOptions {
  // Oracle calls made at one frozen w; 0 is a whole pass. After each batch the blocks just asked
  // are re-optimized on their own, so that the first passes are not spent on answers to w = 0. 1 is
  // Algorithm 1 of Tsochantaridis et al. 2005 in its variant that re-optimizes S_i alone. A power
  // of two well above the number of threads keeps them busy; it is not derived from that number,
  // because the result depends on it.
  std::int64_t batch = 64;
  // Batches end when the gap they see is at most this part of the primal: from there on passes at
  // one w cost no more, and each proves its gap. 0: only to verify that the target is reached.
  double frozen_below = 0.3;
};

struct OneSlackOptions : SolverOptions {
  OneSlackOptions() { drop_after = 50; }
  // Planes kept for each example, to make joint planes of without calls of the oracle; 0: none.
  std::int64_t cache = 5;
};

enum class FrankWolfeStep { pairwise, toward };

struct FrankWolfeOptions : SolverOptions {
  FrankWolfeStep step = FrankWolfeStep::pairwise;
  // Whether examples are drawn in proportion to their gaps, or each once a pass.
  bool samples_gaps = true;
  // Passes between two at one w, which renew the gaps and alone prove one; 10 in Osokin et al.
  // 2016.
  std::int64_t gap_check = 10;
  // Planes with alpha = 0 kept for each example, which may save a call of the oracle; 0: none do.
  std::size_t cache = 10;
  // Whether P is proved of the weighted mean of all w. Requires norm 1, as FrankWolfeStep::toward.
  bool averaging = false;
  std::int64_t batch = 64;  // as in n_slack
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

struct PerceptronOptions : OnlineOptions {
  PerceptronOptions() { stop.max_passes = 30; }
  double loss_weight = 0;  // of the argmax that is asked for; 1 asks for margins
};

struct SubgradientOptions : OnlineOptions {
  SubgradientOptions() {
    stop.max_passes = 50;
    evaluate_every = 10;
  }
};

struct GenerativeOptions {
  Formulation formulation;  // of the P that is reported
  Smoothing smoothing;
};

std::span<const sculpt_parameter> n_slack_parameters();
std::span<const sculpt_parameter> one_slack_parameters();
std::span<const sculpt_parameter> frank_wolfe_parameters();
std::span<const sculpt_parameter> perceptron_parameters();
std::span<const sculpt_parameter> subgradient_parameters();
std::span<const sculpt_parameter> generative_parameters();

// Requires one checked value for each parameter, in the order of the table.
NSlackOptions n_slack_options(std::span<const sculpt_value> values);
OneSlackOptions one_slack_options(std::span<const sculpt_value> values);
// Throws Failure(Exit::config) for a hard margin, and under norm 2 for what it has no meaning for.
FrankWolfeOptions frank_wolfe_options(std::span<const sculpt_value> values);
// All throw Failure(Exit::config) for a hard margin.
PerceptronOptions perceptron_options(std::span<const sculpt_value> values);
SubgradientOptions subgradient_options(std::span<const sculpt_value> values);
GenerativeOptions generative_options(std::span<const sculpt_value> values);

}  // namespace sculpt::core
