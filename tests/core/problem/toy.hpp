// toy.hpp - a complete small task made in memory: chains of observations to be labelled.
//
//   psi(x, y) = counts of (observation, label) and of (label before, label),  d = V K + K K
//   Delta(truth, guess) = number of positions that differ, or g of counts that the plan gives
//
// Descriptions are data: nothing is loaded. What goes wrong is said in a ToyPlan, which the tests
// set before they make a Problem.
#pragma once

#include <sculpt/ext/metrics.h>
#include <sculpt/kinds.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "problem/problem.hpp"

namespace sculpt::core {

struct ToyExample {
  std::vector<std::int32_t> observations;  // in [0, observation_count)
  std::vector<std::int32_t> truth;
  bool labelled = true;
};

struct ToyPlan {
  int state_count = 3;
  int observation_count = 4;
  std::vector<ToyExample> training;
  std::int64_t training_begin = 0;  // the split "train" leaves out the examples before it
  std::vector<ToyExample> prediction;

  // Called at the beginning of the function of that name ("features.bind"); anything but SCULPT_OK
  // is returned with the text "toy trouble".
  std::function<sculpt_status(const std::string& function, std::int64_t example)> trouble;
  // May change what is about to be returned.
  std::function<void(const sculpt_query&, sculpt_answer&)> bend_answer;
  std::function<void(std::int64_t example, std::int32_t& index, double& value)> bend_feature;
  std::function<void(std::int64_t example, double& loss)> bend_loss;
  // The arrays of a factor graph; what is lent points into them.
  struct Graph {
    std::vector<std::int32_t> states, scope;
    std::vector<std::int64_t> scope_from, table;
    std::int64_t theta_size = 0;
    std::uint64_t topology = 0;
  };
  std::function<void(std::int64_t example, Graph& graph)> bend_graph;
  std::function<void(std::vector<sculpt_metric>& metrics)> bend_metrics;  // of the loss

  // Delta = g(min(c, limit)) of c = {errors, those of them guessed as 2}; empty: the errors. Where
  // it is not, the loss must not split.
  std::function<double(const Counts&)> loss_of_counts;
  std::vector<sculpt_count> counts;  // empty: the loss offers no counts
  bool counts_split = true;
  std::uint32_t count_demands = 0;
  std::function<void(std::vector<std::int32_t>& table)> bend_counts;  // of count 0

  bool offers_frontier = false;  // both kinds of oracles
  std::function<void(sculpt_frontier_shape&)> bend_shape;
  std::function<void(std::int64_t first, double* score)> bend_slice;
  std::function<void(sculpt_label_buffer&)> bend_output;

  bool offers_expectations = false;  // both kinds of oracles
  // `mean` is E[psi] of the oracle, E[z] of the map_solver. A log Z that is NaN is left unwritten,
  // and so is what is cut off from the end of a mean or a covariance.
  std::function<void(double& log_z, std::vector<double>& mean)> bend_mean;
  std::function<void(std::vector<double>& product)> bend_covariance;
  // The weights of the query, or the direction, that the oracle gets.
  std::function<void(const sculpt_weights&)> see_weights;

  bool leaves_out_truth = false;  // the oracle, not the map_solver: the truth is no output

  bool features_offer_graph = true;
  bool loss_splits = true;
  std::uint32_t promised_classes = 7;  // pairwise, forest, chain
  std::uint32_t actual_classes = 7;
  std::uint32_t solver_demands = 0;
  // Of the draft map-demands: empty: not offered. Then what the frontier needs besides.
  std::vector<std::uint32_t> solver_alternatives;
  std::function<void(std::int64_t& count)> bend_alternatives;
  std::uint32_t frontier_demands = 0;
  std::uint32_t loss_demands = 0;
  std::int64_t pretended_dimension = 0;       // 0: the true one
  std::string restored;                       // what the features were given
  std::vector<std::uint8_t> bounds;           // of the weights; empty: none are offered
  std::optional<std::int64_t> score_columns;  // of the scores; nothing: none are offered
  std::function<std::int64_t(std::int64_t example)> score_rows;  // empty: one a position
  // Writes a score for each label at each position in place of the emissions.
  std::function<void(std::int64_t example, double* scores)> write_scores;
  std::map<std::string, std::vector<ToyExample>> splits;  // others than train and predict
  std::vector<std::vector<double>> rows;  // [examples][columns] lent beside; empty: none are
};

ToyPlan& toy_plan();

// One example of three positions with a frontier over the errors; at w = 0 all three wrong is best,
// with 3.
ToyPlan three_positions();  // the one in force

// The counts and the loss of an output, by the plan.
Counts toy_counts(const std::vector<std::int32_t>& truth, const std::vector<std::int32_t>& guess);
double toy_loss_of(const Counts& counts);

// A plan of `count` examples of up to four positions, by a seed.
ToyPlan random_toy(int count, std::uint64_t seed);

const sculpt_component& toy_dataset();
const sculpt_component& toy_features();
const sculpt_component& toy_loss();
const sculpt_component& toy_oracle();           // brute force, exact
const sculpt_component& toy_parallel_oracle();  // the same on the threads of the host
const sculpt_component& toy_map_solver();       // brute force over the factor graph

// dataset, features, loss and the oracle given; the split "train" or "predict".
ProblemSpec toy_choices(const sculpt_component& oracle, const std::string& split = "train");

}  // namespace sculpt::core
