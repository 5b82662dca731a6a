// The loss of the toy, with metrics, counts, and their parts in a factor graph.

#include <sculpt/ext/metrics.h>

#include <algorithm>
#include <string_view>

#include "core/problem/toy_parts.hpp"

namespace sculpt::core {

using namespace toy;

namespace {

sculpt_status loss_loss(void*, std::int64_t example, sculpt_labels truth, sculpt_labels guess,
                        double* out, sculpt_error* error) {
  *out = toy_loss_of(
      toy_counts({truth.data, truth.data + truth.size}, {guess.data, guess.data + guess.size}));
  if (toy_plan().change_loss) toy_plan().change_loss(example, *out);
  return begin_call("loss.loss", example, error);
}
sculpt_status loss_demands(const void*, std::uint32_t* out, sculpt_error* error) {
  *out = toy_plan().loss_demands;
  return begin_call("loss.demands", -1, error);
}
// The loss is size - (number of right labels): -1 at the true label of each position, and the
// constant `size`. So the constant is tested too.
sculpt_status loss_add(void*, std::int64_t example, const sculpt_factor_graph* graph,
                       sculpt_labels truth, double scale, double* theta, double* constant,
                       sculpt_error* error) {
  for (std::int64_t t = 0; t < truth.size; ++t) theta[graph->table[t] + truth.data[t]] -= scale;
  *constant += scale * static_cast<double>(truth.size);
  return begin_call("loss.add", example, error);
}
sculpt_status loss_metrics(const void*, const sculpt_metric** out, std::int64_t* count,
                           std::int64_t* sums, sculpt_error* error) {
  static std::vector<sculpt_metric> metrics;
  metrics = {{"wrong", "Share of wrong labels.", SCULPT_METRIC_LOWER_IS_BETTER, 0}};
  if (toy_plan().change_metrics) toy_plan().change_metrics(metrics);
  *out = metrics.data();
  *count = static_cast<std::int64_t>(metrics.size());
  *sums = 2;
  return begin_call("loss.metrics", -1, error);
}
sculpt_status loss_metrics_add(void*, std::int64_t example, sculpt_labels truth,
                               sculpt_labels guess, double* sums, sculpt_error* error) {
  for (std::int64_t t = 0; t < truth.size; ++t) {
    sums[0] += guess.data == nullptr || truth.data[t] != guess.data[t] ? 1 : 0;
    sums[1] += 1;
  }
  return begin_call("loss.add_metrics", example, error);
}
sculpt_status loss_finish(const void*, const double* sums, double* values, sculpt_error* error) {
  values[0] = sums[0] / sums[1];
  return begin_call("loss.finish", -1, error);
}

sculpt_status loss_counts(const void*, const sculpt_count** out, std::int64_t* count,
                          sculpt_error* error) {
  *out = toy_plan().counts.data();
  *count = static_cast<std::int64_t>(toy_plan().counts.size());
  return begin_call("loss.counts", -1, error);
}
sculpt_status loss_value(void*, std::int64_t example, sculpt_labels, const std::int64_t* counts,
                         double* out, sculpt_error* error) {
  const Counts both = {counts[0], toy_plan().counts.size() > 1 ? counts[1] : 0};
  *out = toy_loss_of(both);
  if (toy_plan().change_loss_of_counts) toy_plan().change_loss_of_counts(example, both, *out);
  if (toy_plan().change_loss) toy_plan().change_loss(example, *out);
  return begin_call("loss.value", example, error);
}
sculpt_status loss_count_demands(const void*, std::uint32_t* out, sculpt_error* error) {
  *out = toy_plan().count_demands;
  return begin_call("loss.count_demands", -1, error);
}
sculpt_status loss_add_counts(void*, std::int64_t example, const sculpt_factor_graph* graph,
                              sculpt_labels truth, std::int32_t* const* tables,
                              sculpt_error* error) {
  const bool twos = toy_plan().counts.size() > 1;
  for (std::int64_t t = 0; t < truth.size; ++t) {
    for (int label = 0; label < state_count(); ++label) {
      const std::int64_t cell = graph->table[t] + label;
      tables[0][cell] += label != truth.data[t] ? 1 : 0;
      if (twos) tables[1][cell] += label != truth.data[t] && label == 2 ? 1 : 0;
    }
  }
  if (toy_plan().change_counts) {
    std::vector<std::int32_t> table(tables[0], tables[0] + graph->theta_size);
    toy_plan().change_counts(table);
    std::copy(table.begin(), table.end(), tables[0]);
  }
  return begin_call("loss.add_counts", example, error);
}

const void* loss_extension(const void*, const char* id) {
  static constexpr sculpt_ext_factor_loss split = {loss_demands, loss_add};
  static constexpr sculpt_ext_metrics metrics = {loss_metrics, loss_metrics_add, loss_finish};
  static constexpr sculpt_ext_count_loss counts = {loss_counts, loss_value, nullptr};
  static constexpr sculpt_ext_factor_counts count_tables = {loss_count_demands, loss_add_counts};
  const std::string_view wanted(id);
  const bool counted = !toy_plan().counts.empty();
  if (wanted == SCULPT_EXT_METRICS) return &metrics;
  if (wanted == SCULPT_EXT_COUNT_LOSS) return counted ? &counts : nullptr;
  if (wanted == SCULPT_EXT_FACTOR_COUNTS && counted && toy_plan().counts_split) {
    return &count_tables;
  }
  return wanted == SCULPT_EXT_FACTOR_LOSS && toy_plan().loss_splits ? &split : nullptr;
}

constexpr sculpt_life loss_life = {
    [](const sculpt_host*, const sculpt_value*, void** self, sculpt_error* error) {
      return create<ToyLoss>("loss.create", self, error);
    },
    destroy<ToyLoss>,
    [](void*, const sculpt_bindings*, sculpt_error* error) {
      return begin_call("loss.bind", -1, error);
    },
    [](void*, sculpt_error* error) { return begin_call("loss.seal", -1, error); },
    open_session,
    close_session,
    loss_extension};
constexpr sculpt_loss_api loss_api = {loss_loss};

}  // namespace

const sculpt_component& toy_loss() {
  static const sculpt_component component =
      describe(SCULPT_KIND_LOSS, "org.toy.errors", loss_life, &loss_api);
  return component;
}

}  // namespace sculpt::core
