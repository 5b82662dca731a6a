// toy.hpp - a small complete task in memory: chains of observations to label.
//
//   psi(x, y) = counts of (observation, label) and of (previous label, label),  d = V K + K K
//   Delta(truth, guess) = number of positions that differ, or g of the counts in the plan
//
// No library is loaded. Tests set the ToyPlan before they make a Problem. It holds the data and the
// faults of the components. Called by the tests in this folder and its subfolders.
#pragma once

#include <sculpt/ext/metrics.h>
#include <sculpt/ext/output_shape.h>
#include <sculpt/ext/scores.h>
#include <sculpt/kinds.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "linalg/vector.hpp"
#include "problem/problem.hpp"

namespace sculpt::core {

// The defaults of ToyPlan.
inline constexpr int toy_state_count = 3;
inline constexpr int toy_observation_count = 4;
inline constexpr std::size_t toy_weight_count =
    (toy_observation_count + toy_state_count) * toy_state_count;

inline Vector zero_weights() {
  return Vector(toy_weight_count, 0.0);
}

struct ToyExample {
  std::vector<std::int32_t> observations;  // in [0, observation_count)
  std::vector<std::int32_t> truth;
  bool labelled = true;
};

struct ToyPlan {
  int state_count = toy_state_count;
  int observation_count = toy_observation_count;
  std::vector<ToyExample> training;
  std::int64_t training_begin = 0;  // the split "train" leaves out the examples before it
  std::vector<ToyExample> prediction;

  // Called at the beginning of each function, with its name ("features.bind"). If the status is not
  // SCULPT_OK, the function returns it with the text "toy trouble".
  std::function<sculpt_status(const std::string& function, std::int64_t example)> inject_error;
  // These functions may change what a component returns.
  std::function<void(const sculpt_query&, sculpt_answer&)> change_answer;
  std::function<void(std::int64_t example, std::int32_t& index, double& value)> change_feature;
  std::function<void(std::int64_t example, double& loss)> change_loss;
  // The arrays of a factor graph. The struct that the host gets points into them.
  struct Graph {
    std::vector<std::int32_t> states, scope;
    std::vector<std::int64_t> scope_from, table;
    std::int64_t theta_size = 0;
    std::uint64_t topology = 0;
  };
  std::function<void(std::int64_t example, Graph& graph)> change_graph;
  std::function<void(std::vector<sculpt_metric>& metrics)> change_metrics;  // of the loss

  // Delta = g(min(c, limit)) of c = {errors, errors with the guess 2}. Empty: the errors. If it is
  // set, loss_splits must be false.
  std::function<double(const Counts&)> loss_of_counts;
  // Changes g only, not the Delta of outputs.
  std::function<void(std::int64_t example, const Counts&, double& loss)> change_loss_of_counts;
  std::vector<sculpt_count> counts;  // empty: the loss offers no counts
  bool counts_split = true;
  std::uint32_t count_demands = 0;
  std::function<void(std::vector<std::int32_t>& table)> change_counts;  // of count 0

  bool offers_frontier = false;  // both kinds of oracles
  std::function<void(sculpt_frontier_shape&)> change_shape;
  std::function<void(std::int64_t first, double* score)> change_slice;
  std::function<void(sculpt_label_buffer&)> change_output;

  bool offers_expectations = false;  // both kinds of oracles
  // `mean` is E[psi] of the oracle, E[z] of the map_solver. A log Z that is NaN is not written. If
  // a mean or a covariance is made shorter, the rest is not written.
  std::function<void(double& log_z, std::vector<double>& mean)> change_mean;
  std::uint32_t log_z_flags = SCULPT_LOG_Z_EXACT;
  std::function<void(std::vector<double>& product)> change_covariance;
  // Called with the weights of each query of the oracle, and with the direction.
  std::function<void(const sculpt_weights&)> observe_weights;

  bool offers_samples = false;  // the oracle, not the map_solver; uniform, whatever the weights

  bool writes_sentences = false;  // the text of an output ends with an empty line

  bool leaves_out_truth = false;  // the oracle, not the map_solver: the truth is no output

  bool features_offer_graph = true;
  bool loss_splits = true;
  std::uint32_t promised_classes = 7;  // pairwise, forest, chain
  std::uint32_t actual_classes = 7;
  std::vector<std::uint32_t> solver_demands = {0};
  std::function<void(std::int64_t& count)> change_demands;  // the number of sets
  std::uint32_t frontier_demands = 0;                       // in addition, of the frontier
  std::uint32_t loss_demands = 0;
  std::int64_t pretended_dimension = 0;  // 0: the true one
  std::string restored;                  // the state that the features received
  std::vector<std::uint8_t> bounds;      // of the weights; empty: not offered
  std::uint32_t score_rule = SCULPT_SCORES_LARGEST;
  std::optional<std::int64_t> score_columns;  // of the scores; nothing: not offered
  std::function<std::int64_t(std::int64_t example)> score_rows;  // empty: one for each position
  // Writes a score for each label at each position in place of the emissions.
  std::function<void(std::int64_t example, double* scores)> write_scores;
  std::map<std::string, std::vector<ToyExample>> splits;  // others than train and predict
  // [training] of ext/example_weights.h; empty: not offered. Others are not written.
  std::vector<double> weights;
  std::vector<std::vector<double>> rows;  // [examples][columns] of ext/sites.h; empty: not offered
  // The shapes of outputs that the features and the dataset give. Empty: not offered.
  using FillShape = std::function<void(std::int64_t example, sculpt_output_shape& shape)>;
  FillShape shape_of_features;
  FillShape shape_of_dataset;
};

ToyPlan& toy_plan();  // the current one

// One example of three positions with a frontier over the errors. At w = 0 the largest violation
// is 3: all labels are wrong.
ToyPlan three_positions();

// The counts and the loss of an output, by the plan.
Counts toy_counts(const std::vector<std::int32_t>& truth, const std::vector<std::int32_t>& guess);
double toy_loss_of(const Counts& counts);

// A random plan of `count` examples with up to four positions.
ToyPlan random_toy(int count, std::uint64_t seed);

const sculpt_component& toy_dataset();
const sculpt_component& toy_features();
const sculpt_component& toy_loss();
const sculpt_component& toy_oracle();           // brute force, exact
const sculpt_component& toy_parallel_oracle();  // the same on the threads of the host
const sculpt_component& toy_map_solver();       // brute force over the factor graph

// The components of the toy with this oracle. `split`: "train" or "predict".
ProblemSpec toy_spec(const sculpt_component& oracle, const std::string& split = "train");

}  // namespace sculpt::core
