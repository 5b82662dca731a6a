// The features of the toy, with a factor graph, a state, bounds of weights and scores.

#include <sculpt/ext/scores.h>
#include <sculpt/ext/state.h>

#include <algorithm>
#include <string_view>

#include "core/problem/toy_parts.hpp"

namespace sculpt::core {

using namespace toy;

namespace {

sculpt_status features_bind(void* self, const sculpt_bindings* bindings, sculpt_error* error) {
  static_cast<ToyFeatures*>(self)->dataset = static_cast<ToyDataset*>(bindings->dataset.self);
  return begin_call("features.bind", -1, error);
}
sculpt_status features_dimension(const void*, std::int64_t* out, sculpt_error* error) {
  const ToyPlan& plan = toy_plan();
  *out = (plan.observation_count + plan.state_count) * plan.state_count;
  if (plan.pretended_dimension != 0) *out = plan.pretended_dimension;
  return begin_call("features.dimension", -1, error);
}
sculpt_status features_accumulate(void* session, std::int64_t example, sculpt_labels y,
                                  double scale, sculpt_accumulator* sum, sculpt_error* error) {
  const ToyExample& one =
      self_of<ToyFeatures>(session).dataset->examples[static_cast<std::size_t>(example)];
  if (y.size != static_cast<std::int64_t>(one.observations.size())) {
    return set_error_text(SCULPT_E_INVALID, error);
  }
  sculpt_status status = begin_call("features.accumulate", example, error);
  for_each_feature(one.observations, y.data, [&](std::int32_t index) {
    double value = scale;
    if (toy_plan().change_feature) toy_plan().change_feature(example, index, value);
    if (status == SCULPT_OK) status = sculpt_add(sum, index, value);
  });
  return status;
}
sculpt_status features_classes(const void*, std::uint32_t* out, sculpt_error* error) {
  *out = toy_plan().promised_classes;
  return begin_call("features.classes", -1, error);
}

// Each position has a unary factor, whose table is the row of w of its observation. All pairs of
// neighbours share one table.
sculpt_status features_graph(void* raw, std::int64_t example, const sculpt_factor_graph** out,
                             sculpt_error* error) {
  auto& session = *static_cast<ToySession*>(raw);
  const auto& dataset = *static_cast<ToyFeatures*>(session.self)->dataset;
  const Labels& observations = dataset.examples[static_cast<std::size_t>(example)].observations;
  const auto size = static_cast<std::int64_t>(observations.size());
  const std::int64_t k = state_count();
  ToyPlan::Graph& arrays = session.arrays;
  arrays.states.assign(observations.size(), state_count());
  arrays.scope.clear();
  arrays.table.clear();
  arrays.scope_from = {0};
  const auto factor = [&](std::initializer_list<std::int64_t> scope, std::int64_t table) {
    for (std::int64_t v : scope) arrays.scope.push_back(static_cast<std::int32_t>(v));
    arrays.scope_from.push_back(static_cast<std::int64_t>(arrays.scope.size()));
    arrays.table.push_back(table);
  };
  for (std::int64_t v = 0; v < size; ++v) factor({v}, v * k);
  for (std::int64_t v = 0; v + 1 < size; ++v) factor({v, v + 1}, size * k);
  arrays.theta_size = size * k + k * k;
  arrays.topology = 0;
  if (toy_plan().change_graph) toy_plan().change_graph(example, arrays);
  session.graph = {sizeof(sculpt_factor_graph),
                   toy_plan().actual_classes,
                   arrays.topology,
                   size,
                   static_cast<std::int64_t>(arrays.table.size()),
                   arrays.theta_size,
                   arrays.states.data(),
                   arrays.scope_from.data(),
                   arrays.scope.data(),
                   arrays.table.data()};
  *out = &session.graph;
  return begin_call("features.graph", example, error);
}
sculpt_status features_potentials(void* raw, std::int64_t example, sculpt_weights w, double* theta,
                                  sculpt_error* error) {
  auto& session = *static_cast<ToySession*>(raw);
  const auto& dataset = *static_cast<ToyFeatures*>(session.self)->dataset;
  const Labels& observations = dataset.examples[static_cast<std::size_t>(example)].observations;
  const int k = state_count();
  double* cell = theta;
  for (std::int32_t observation : observations) {
    for (int y = 0; y < k; ++y) *cell++ = w.data[emission(observation, y)];
  }
  for (int previous = 0; previous < k; ++previous) {
    for (int y = 0; y < k; ++y) *cell++ = w.data[transition(previous, y)];
  }
  return begin_call("features.potentials", example, error);
}
sculpt_status features_pullback(void* raw, std::int64_t example, const double* mu, double scale,
                                sculpt_accumulator* sum, sculpt_error* error) {
  auto& session = *static_cast<ToySession*>(raw);
  const auto& dataset = *static_cast<ToyFeatures*>(session.self)->dataset;
  const Labels& observations = dataset.examples[static_cast<std::size_t>(example)].observations;
  const int k = state_count();
  sculpt_status status = begin_call("features.pullback", example, error);
  const auto add = [&](std::int32_t index) {
    if (status == SCULPT_OK) status = sculpt_add(sum, index, scale * *mu++);
  };
  for (std::int32_t observation : observations) {
    for (int y = 0; y < k; ++y) add(emission(observation, y));
  }
  for (int previous = 0; previous < k; ++previous) {
    for (int y = 0; y < k; ++y) add(transition(previous, y));
  }
  return status;
}
sculpt_status features_save(const void*, sculpt_byte_buffer* out, sculpt_error* error) {
  const sculpt_status status = begin_call("features.save", -1, error);
  return status != SCULPT_OK ? status : sculpt_put(out, "learned", 7);
}
sculpt_status features_restore(void*, const char* data, std::int64_t size, sculpt_error* error) {
  toy_plan().restored.assign(data, static_cast<std::size_t>(size));
  return begin_call("features.restore", -1, error);
}

sculpt_status features_bounds(const void*, std::uint8_t* nonnegative, sculpt_error* error) {
  std::copy(toy_plan().bounds.begin(), toy_plan().bounds.end(), nonnegative);
  return begin_call("features.bounds", -1, error);
}

sculpt_status features_columns(const void*, std::int64_t* columns, sculpt_error* error) {
  *columns = *toy_plan().score_columns;
  return begin_call("features.columns", -1, error);
}
sculpt_status features_column_name(const void*, std::int64_t column, sculpt_byte_buffer* out,
                                   sculpt_error* error) {
  const std::string name = "label " + std::to_string(column);
  sculpt_put(out, name.data(), static_cast<std::int64_t>(name.size()));
  return begin_call("features.column_name", -1, error);
}
sculpt_status features_rows(const void* self, std::int64_t example, std::int64_t* rows,
                            sculpt_error* error) {
  const auto& dataset = *static_cast<const ToyFeatures*>(self)->dataset;
  const ToyExample& one = dataset.examples[static_cast<std::size_t>(example)];
  *rows = static_cast<std::int64_t>(one.observations.size());
  if (toy_plan().score_rows) *rows = toy_plan().score_rows(example);
  return begin_call("features.rows", example, error);
}
sculpt_status features_scores(const void* self, std::int64_t example, sculpt_weights w,
                              double* scores, sculpt_error* error) {
  const auto& dataset = *static_cast<const ToyFeatures*>(self)->dataset;
  const ToyExample& one = dataset.examples[static_cast<std::size_t>(example)];
  if (toy_plan().write_scores) {
    toy_plan().write_scores(example, scores);
  } else {
    for (const std::int32_t observation : one.observations) {
      for (int y = 0; y < state_count(); ++y) *scores++ = w.data[emission(observation, y)];
    }
  }
  return begin_call("features.scores", example, error);
}
sculpt_status features_rule(const void*, std::uint32_t* rule, sculpt_error* error) {
  *rule = toy_plan().score_rule;
  return begin_call("features.rule", -1, error);
}

sculpt_status features_shape(const void*, std::int64_t example, sculpt_output_shape* out,
                             sculpt_error* error) {
  toy_plan().shape_of_features(example, *out);
  return begin_call("features.shape", example, error);
}

const void* features_extension(const void*, const char* id) {
  static constexpr sculpt_ext_factor_graph graph = {features_classes, features_graph,
                                                    features_potentials, features_pullback};
  static constexpr sculpt_ext_state state = {features_save, features_restore};
  const std::string_view wanted(id);
  static constexpr sculpt_ext_weight_bounds bounds = {features_bounds};
  static constexpr sculpt_ext_scores scores = {features_columns, features_column_name,
                                               features_rows, features_scores, features_rule};
  static constexpr sculpt_ext_output_shape shape = {features_shape};
  if (wanted == SCULPT_EXT_STATE) return &state;
  if (wanted == SCULPT_EXT_OUTPUT_SHAPE && toy_plan().shape_of_features) return &shape;
  if (wanted == SCULPT_EXT_SCORES && toy_plan().score_columns) return &scores;
  if (wanted == SCULPT_EXT_WEIGHT_BOUNDS && !toy_plan().bounds.empty()) return &bounds;
  return wanted == SCULPT_EXT_FACTOR_GRAPH && toy_plan().features_offer_graph ? &graph : nullptr;
}
constexpr sculpt_life features_life = {
    [](const sculpt_host*, const sculpt_value*, void** self, sculpt_error* error) {
      return create<ToyFeatures>("features.create", self, error);
    },
    destroy<ToyFeatures>,
    features_bind,
    [](void*, sculpt_error* error) { return begin_call("features.seal", -1, error); },
    open_session,
    close_session,
    features_extension};
constexpr sculpt_features_api features_api = {features_dimension, features_accumulate};

}  // namespace

const sculpt_component& toy_features() {
  static const sculpt_component component =
      describe(SCULPT_KIND_FEATURES, "org.toy.counts", features_life, &features_api);
  return component;
}

}  // namespace sculpt::core
