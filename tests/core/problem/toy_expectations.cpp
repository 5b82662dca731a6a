// The expectations of the oracles of the toy: sums over a list of all outputs.

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/problem/toy_parts.hpp"

namespace sculpt::core::toy {

namespace {

// An output: its score, and the weights or cells of theta that it uses.
struct ToyOutput {
  double score = 0;
  std::vector<std::int64_t> uses;
};
struct ToyMoments {
  double log_z = -INFINITY;
  std::vector<double> mean;        // of the indicators of what an output uses
  std::vector<double> covariance;  // times v
};

ToyMoments moments_of(const std::vector<ToyOutput>& outputs, std::int64_t size, const double* v) {
  ToyMoments out;
  out.mean.assign(static_cast<std::size_t>(size), 0.0);
  out.covariance = out.mean;
  if (outputs.empty()) return out;
  double z = 0;
  for (const ToyOutput& y : outputs) z += std::exp(y.score);
  out.log_z = std::log(z);
  double mean_along = 0;
  for (const ToyOutput& y : outputs) {
    const double p = std::exp(y.score) / z;
    double along = 0;
    for (const std::int64_t j : y.uses) along += v == nullptr ? 0 : v[j];
    mean_along += p * along;
    for (const std::int64_t j : y.uses) {
      out.mean[static_cast<std::size_t>(j)] += p;
      out.covariance[static_cast<std::size_t>(j)] += p * along;
    }
  }
  for (std::size_t j = 0; j < out.mean.size(); ++j) out.covariance[j] -= out.mean[j] * mean_along;
  return out;
}

ToyMoments oracle_moments(void* session, const sculpt_query& query, const double* v) {
  const auto& dataset = *self_of<ToyOracle>(session).dataset;
  const ToyExample& one = dataset.examples[static_cast<std::size_t>(query.example)];
  std::vector<ToyOutput> outputs;
  for (std::int64_t n = 0; n < labelling_count(one.truth.size()); ++n) {
    const Labels y = labelling(n, one.truth.size());
    if (toy_plan().leaves_out_truth && y == one.truth) continue;
    ToyOutput output{query.loss_weight * toy_loss_of(toy_counts(one.truth, y)), {}};
    for_each_feature(one.observations, y.data(), [&](std::int32_t index) {
      output.score += query.weights.data[index];
      output.uses.push_back(index);
    });
    outputs.push_back(std::move(output));
  }
  return moments_of(outputs, query.weights.size, v);
}
ToyMoments solver_moments(const sculpt_map_query& query, const double* v) {
  const auto size = static_cast<std::size_t>(query.graph->variable_count);
  std::vector<ToyOutput> outputs;
  for (std::int64_t n = 0; n < labelling_count(size); ++n) {
    ToyOutput output;
    for_each_cell(*query.graph, labelling(n, size), [&](std::int64_t cell) {
      output.score += query.theta[cell];
      output.uses.push_back(cell);
    });
    outputs.push_back(std::move(output));
  }
  return moments_of(outputs, query.graph->theta_size, v);
}

void change_mean(ToyMoments& moments) {
  if (toy_plan().change_mean) toy_plan().change_mean(moments.log_z, moments.mean);
}
void change_covariance(ToyMoments& moments) {
  if (toy_plan().change_covariance) toy_plan().change_covariance(moments.covariance);
}
void write_log_z(const ToyMoments& moments, sculpt_log_z* log_z) {
  if (!std::isnan(moments.log_z)) log_z->value = moments.log_z;
  log_z->flags = toy_plan().log_z_flags;
}
void observe(const sculpt_weights& weights) {
  if (toy_plan().observe_weights) toy_plan().observe_weights(weights);
}

sculpt_status add_all(const std::vector<double>& values, double scale, sculpt_accumulator* sum) {
  sculpt_status status = SCULPT_OK;
  for (std::size_t j = 0; j < values.size() && status == SCULPT_OK; ++j) {
    status = sculpt_add(sum, static_cast<std::int32_t>(j), scale * values[j]);
  }
  return status;
}

}  // namespace

const sculpt_ext_expectation& oracle_expectation() {
  static constexpr sculpt_ext_expectation table = {
      [](void* session, const sculpt_query* query, sculpt_log_z* log_z, double scale,
         sculpt_accumulator* sum, sculpt_error* error) {
        const sculpt_status status = begin_call("oracle.mean", query->example, error);
        if (status != SCULPT_OK) return status;
        observe(query->weights);
        static_cast<ToySession*>(session)->drawn_example = -1;
        ToyMoments moments = oracle_moments(session, *query, nullptr);
        change_mean(moments);
        write_log_z(moments, log_z);
        return add_all(moments.mean, scale, sum);
      },
      [](void* session, const sculpt_query* query, sculpt_weights v, double scale,
         sculpt_accumulator* sum, sculpt_error* error) {
        const sculpt_status status = begin_call("oracle.covariance_times", query->example, error);
        if (status != SCULPT_OK) return status;
        observe(query->weights);
        observe(v);
        ToyMoments moments = oracle_moments(session, *query, v.data);
        change_covariance(moments);
        return add_all(moments.covariance, scale, sum);
      }};
  return table;
}

const sculpt_ext_map_expectation& solver_expectation() {
  static constexpr sculpt_ext_map_expectation table = {
      [](void*, const sculpt_map_query* query, sculpt_log_z* log_z, double* mu,
         sculpt_error* error) {
        ToyMoments moments = solver_moments(*query, nullptr);
        change_mean(moments);
        write_log_z(moments, log_z);
        std::copy(moments.mean.begin(), moments.mean.end(), mu);
        return begin_call("map_solver.mean", -1, error);
      },
      [](void*, const sculpt_map_query* query, const double* direction, double* out,
         sculpt_error* error) {
        ToyMoments moments = solver_moments(*query, direction);
        change_covariance(moments);
        std::copy(moments.covariance.begin(), moments.covariance.end(), out);
        return begin_call("map_solver.covariance_times", -1, error);
      }};
  return table;
}

}  // namespace sculpt::core::toy
