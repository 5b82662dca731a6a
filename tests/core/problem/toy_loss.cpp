#include <sculpt/ext/metrics.h>

#include <string_view>

#include "core/problem/toy_parts.hpp"

namespace sculpt::core {

using namespace toy;

namespace {

sculpt_status loss_loss(void*, std::int64_t example, sculpt_labels truth, sculpt_labels guess,
                        double* out, sculpt_error* error) {
  *out = 0;
  for (std::int64_t t = 0; t < truth.size; ++t) *out += truth.data[t] != guess.data[t] ? 1 : 0;
  if (toy_plan().bend_loss) toy_plan().bend_loss(example, *out);
  return begin("loss.loss", example, error);
}
std::uint32_t loss_demands(const void*) {
  return toy_plan().loss_demands;
}
// l = -1 at the true label of each position, c = size: so the constant is tested too.
sculpt_status loss_add(void*, std::int64_t example, const sculpt_factor_graph* graph,
                       sculpt_labels truth, double scale, double* theta, double* constant,
                       sculpt_error* error) {
  for (std::int64_t t = 0; t < truth.size; ++t) theta[graph->table[t] + truth.data[t]] -= scale;
  *constant += scale * static_cast<double>(truth.size);
  return begin("loss.add", example, error);
}
std::int64_t loss_metrics(const void*, const sculpt_metric** out) {
  static const sculpt_metric metrics[] = {{"wrong", "Share of wrong labels."}};
  *out = metrics;
  return 1;
}
sculpt_status loss_metrics_add(void*, std::int64_t example, sculpt_labels truth,
                               sculpt_labels guess, double* sums, sculpt_error* error) {
  for (std::int64_t t = 0; t < truth.size; ++t) {
    sums[0] += truth.data[t] != guess.data[t] ? 1 : 0;
    sums[1] += 1;
  }
  return begin("loss.metrics", example, error);
}
void loss_finish(const void*, const double* sums, double* values) {
  values[0] = sums[0] / sums[1];
}

const void* loss_extension(const void*, const char* id) {
  static constexpr sculpt_ext_factor_loss split = {loss_demands, loss_add};
  static constexpr sculpt_ext_metrics metrics = {loss_metrics, metric_sums, loss_metrics_add,
                                                 loss_finish};
  const std::string_view wanted(id);
  if (wanted == SCULPT_EXT_METRICS) return &metrics;
  return wanted == SCULPT_EXT_FACTOR_LOSS && toy_plan().loss_splits ? &split : nullptr;
}

constexpr sculpt_life loss_life = {
    [](const sculpt_host*, const sculpt_value*, void** self, sculpt_error* error) {
      return create<ToyLoss>("loss.create", self, error);
    },
    destroy<ToyLoss>,
    [](void*, const sculpt_bindings*, sculpt_error* error) {
      return begin("loss.bind", -1, error);
    },
    [](void*, sculpt_error* error) { return begin("loss.seal", -1, error); },
    open_session,
    close_session,
    loss_extension};
constexpr sculpt_loss_api loss_api = {loss_loss};

}  // namespace

const sculpt_component& toy_loss() {
  static const sculpt_component made =
      describe(SCULPT_KIND_LOSS, "org.toy.errors", loss_life, &loss_api);
  return made;
}

}  // namespace sculpt::core
