// calls.cpp - implements the calls of live_component.hpp. It turns buffers into values.
#include "call_buffers.hpp"
#include "live_component.hpp"

namespace plugin_test {

namespace {

// Uses the sparse form, which reveals indices out of range.
struct Accumulator : sculpt_accumulator {
  explicit Accumulator(std::int64_t dimension_)
      : sculpt_accumulator{nullptr, nullptr, 0, 0, dimension_, grow_entries, nullptr} {}
  ~Accumulator() {
    std::free(index);
    std::free(value);
  }
  static sculpt_status grow_entries(sculpt_accumulator* sum, std::int64_t least) {
    sum->capacity = 2 * least;
    const auto capacity = static_cast<std::size_t>(sum->capacity);
    sum->index =
        static_cast<std::int32_t*>(std::realloc(sum->index, capacity * sizeof(std::int32_t)));
    sum->value = static_cast<double*>(std::realloc(sum->value, capacity * sizeof(double)));
    return SCULPT_OK;
  }
  std::vector<double> dense_sum() const {
    std::vector<double> result(static_cast<std::size_t>(dimension));
    for (std::int64_t j = 0; j < size; ++j) {
      result.at(static_cast<std::size_t>(index[j])) += value[j];
    }
    return result;
  }
};

const sculpt_ext_factor_graph& graph_table(const LiveComponent& features) {
  return features.extension<sculpt_ext_factor_graph>(SCULPT_EXT_FACTOR_GRAPH);
}
const sculpt_ext_sites& sites_table(const LiveComponent& dataset) {
  return dataset.extension<sculpt_ext_sites>(SCULPT_EXT_SITES);
}

sculpt_labels raw_truth(const LiveComponent& dataset, std::int64_t example) {
  sculpt_labels labels{nullptr, 0};
  ErrorText error;
  error.check(
      dataset.api<sculpt_dataset_api>().truth(dataset.self(), example, &labels, error.raw()));
  return labels;
}

}  // namespace

sculpt_labels view(const Outputs& y) {
  static const std::int32_t none = 0;
  return {y.empty() ? &none : y.data(), static_cast<std::int64_t>(y.size())};
}

std::string LiveComponent::save() const {
  ByteBuffer bytes;
  ErrorText error;
  error.check(extension<sculpt_ext_state>(SCULPT_EXT_STATE).save(self_, &bytes, error.raw()));
  return bytes.text();
}

std::int64_t example_count(const LiveComponent& dataset) {
  std::int64_t count = -1;
  ErrorText error;
  error.check(dataset.api<sculpt_dataset_api>().count(dataset.self(), &count, error.raw()));
  return count;
}
sculpt_sites_shape shape_of(const LiveComponent& dataset) {
  sculpt_sites_shape shape{};
  shape.struct_size = sizeof shape;
  ErrorText error;
  error.check(sites_table(dataset).shape(dataset.self(), &shape, error.raw()));
  return shape;
}
Split split_of(const LiveComponent& dataset, const std::string& name) {
  Split range;
  ErrorText error;
  error.check(dataset.api<sculpt_dataset_api>().split(dataset.self(), name.c_str(), &range.first,
                                                      &range.second, error.raw()));
  return range;
}
bool is_labelled(const LiveComponent& dataset, std::int64_t example) {
  return raw_truth(dataset, example).data != nullptr;
}
Outputs truth_of(const LiveComponent& dataset, std::int64_t example) {
  const sculpt_labels labels = raw_truth(dataset, example);
  return {labels.data, labels.data + labels.size};
}
sculpt_sites sites_of(const LiveComponent& dataset, std::int64_t example) {
  sculpt_sites sites{};
  sites.struct_size = sizeof sites;
  ErrorText error;
  error.check(sites_table(dataset).sites(dataset.self(), example, &sites, error.raw()));
  return sites;
}
std::string format(const LiveComponent& dataset, std::int64_t example, const Outputs& y) {
  ByteBuffer text;
  ErrorText error;
  error.check(dataset.extension<sculpt_ext_label_text>(SCULPT_EXT_LABEL_TEXT)
                  .format(dataset.self(), example, view(y), &text, error.raw()));
  return text.text();
}
Outputs parse(const LiveComponent& dataset, std::int64_t example, const std::string& text) {
  LabelBuffer labels;
  ErrorText error;
  error.check(dataset.extension<sculpt_ext_label_text>(SCULPT_EXT_LABEL_TEXT)
                  .parse(dataset.self(), example, text.data(),
                         static_cast<std::int64_t>(text.size()), &labels, error.raw()));
  return labels.outputs();
}
std::string state_name(const LiveComponent& dataset, std::int32_t state) {
  ByteBuffer text;
  ErrorText error;
  error.check(sites_table(dataset).state_name(dataset.self(), state, &text, error.raw()));
  return text.text();
}
std::string feature_name(const LiveComponent& dataset, std::int64_t feature) {
  ByteBuffer text;
  ErrorText error;
  error.check(sites_table(dataset).feature_name(dataset.self(), feature, &text, error.raw()));
  return text.text();
}

std::int64_t dimension(const LiveComponent& features) {
  std::int64_t dimension = -1;
  ErrorText error;
  error.check(
      features.api<sculpt_features_api>().dimension(features.self(), &dimension, error.raw()));
  return dimension;
}
std::vector<double> psi(const LiveComponent& features, std::int64_t example, const Outputs& y) {
  Accumulator sum(dimension(features));
  ErrorText error;
  error.check(features.api<sculpt_features_api>().accumulate(features.session(), example, view(y),
                                                             1, &sum, error.raw()));
  return sum.dense_sum();
}
const sculpt_factor_graph& graph_of(const LiveComponent& features, std::int64_t example) {
  const sculpt_factor_graph* graph = nullptr;
  ErrorText error;
  error.check(graph_table(features).graph(features.session(), example, &graph, error.raw()));
  return *graph;
}
std::vector<double> potentials(const LiveComponent& features, std::int64_t example,
                               const std::vector<double>& w) {
  const auto size = static_cast<std::size_t>(graph_of(features, example).theta_size);
  std::vector<double> theta(size, std::numeric_limits<double>::quiet_NaN());
  ErrorText error;
  error.check(graph_table(features).potentials(features.session(), example,
                                               {w.data(), static_cast<std::int64_t>(w.size()), 1},
                                               theta.data(), error.raw()));
  return theta;
}
std::vector<double> pullback(const LiveComponent& features, std::int64_t example,
                             const std::vector<double>& mu) {
  Accumulator sum(dimension(features));
  ErrorText error;
  error.check(
      graph_table(features).pullback(features.session(), example, mu.data(), 1, &sum, error.raw()));
  return sum.dense_sum();
}
std::uint32_t classes_of(const LiveComponent& features) {
  std::uint32_t classes = 0;
  ErrorText error;
  error.check(graph_table(features).classes(features.self(), &classes, error.raw()));
  return classes;
}
std::string weight_name(const LiveComponent& features, std::int64_t weight) {
  ByteBuffer text;
  ErrorText error;
  error.check(features.extension<sculpt_ext_names>(SCULPT_EXT_NAMES)
                  .name(features.self(), weight, &text, error.raw()));
  return text.text();
}

double loss(const LiveComponent& loss, const Outputs& truth, const Outputs& guess) {
  double value = -1;
  ErrorText error;
  error.check(loss.api<sculpt_loss_api>().loss(loss.session(), 0, view(truth), view(guess), &value,
                                               error.raw()));
  return value;
}
std::uint32_t loss_demands(const LiveComponent& loss) {
  std::uint32_t demands = 0;
  ErrorText error;
  error.check(loss.extension<sculpt_ext_factor_loss>(SCULPT_EXT_FACTOR_LOSS)
                  .demands(loss.self(), &demands, error.raw()));
  return demands;
}
double add_factor_loss(const LiveComponent& loss, const sculpt_factor_graph& graph,
                       const Outputs& truth, double scale, std::vector<double>& theta) {
  double constant = 0;
  ErrorText error;
  error.check(loss.extension<sculpt_ext_factor_loss>(SCULPT_EXT_FACTOR_LOSS)
                  .add(loss.session(), 0, &graph, view(truth), scale, theta.data(), &constant,
                       error.raw()));
  return constant;
}
nlohmann::json metrics(const LiveComponent& loss,
                       const std::vector<std::pair<Outputs, Outputs>>& pairs,
                       const std::vector<Outputs>& truths_without_output) {
  const auto& table = loss.extension<sculpt_ext_metrics>(SCULPT_EXT_METRICS);
  const sculpt_metric* known = nullptr;
  std::int64_t count = 0;
  std::int64_t sum_count = 0;
  ErrorText refused;
  refused.check(table.metrics(loss.self(), &known, &count, &sum_count, refused.raw()));
  std::vector<double> sums(static_cast<std::size_t>(sum_count));
  const auto add = [&](const Outputs& truth, sculpt_labels guess) {
    ErrorText error;
    error.check(table.add(loss.session(), 0, view(truth), guess, sums.data(), error.raw()));
  };
  for (const auto& [truth, guess] : pairs) add(truth, view(guess));
  for (const Outputs& truth : truths_without_output) add(truth, {nullptr, 0});
  std::vector<double> values(static_cast<std::size_t>(count));
  refused.check(table.finish(loss.self(), sums.data(), values.data(), refused.raw()));
  nlohmann::json result;
  for (std::size_t k = 0; k < values.size(); ++k) result[known[k].name] = values[k];
  return result;
}

std::vector<std::uint32_t> solver_demands(const LiveComponent& solver) {
  const std::uint32_t* sets = nullptr;
  std::int64_t count = 0;
  ErrorText error;
  error.check(
      solver.api<sculpt_map_solver_api>().demands(solver.self(), &sets, &count, error.raw()));
  return {sets, sets + count};
}
Solution solve(const LiveComponent& solver, const sculpt_factor_graph& graph,
               const std::vector<double>& theta, std::uint64_t seed) {
  LabelBuffer labels;
  sculpt_answer answer{sizeof(sculpt_answer), 0, labels, 0, 0};
  const sculpt_map_query query{sizeof(sculpt_map_query), 0, &graph, theta.data(), seed};
  ErrorText error;
  const sculpt_status status =
      solver.api<sculpt_map_solver_api>().solve(solver.session(), &query, &answer, error.raw());
  static_cast<sculpt_label_buffer&>(labels) = answer.labels;  // it may have grown
  error.check(status);
  return {labels.outputs(), answer.value, answer.flags};
}

}  // namespace plugin_test
