// The dataset of the toy: chains of observations, with metrics and rows.

#include <sculpt/ext/example_weights.h>
#include <sculpt/ext/label_text.h>
#include <sculpt/ext/metrics.h>
#include <sculpt/ext/sites.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>

#include "core/problem/toy_parts.hpp"

namespace sculpt::core {

using namespace toy;

namespace {

sculpt_status dataset_load(void* self, const char* split, const sculpt_source*,
                           sculpt_error* error) {
  auto& dataset = *static_cast<ToyDataset*>(self);
  const bool train = std::string_view(split) == "train";
  const auto other = toy_plan().splits.find(split);
  if (other != toy_plan().splits.end()) {
    const auto first = static_cast<std::int64_t>(dataset.examples.size());
    dataset.examples.insert(dataset.examples.end(), other->second.begin(), other->second.end());
    dataset.others[split] = {first, static_cast<std::int64_t>(dataset.examples.size())};
    return begin_call("dataset.load", -1, error);
  }
  for (const auto& example : train ? toy_plan().training : toy_plan().prediction) {
    dataset.examples.push_back(example);
  }
  if (train) dataset.training = static_cast<std::int64_t>(dataset.examples.size());
  return begin_call("dataset.load", -1, error);
}
std::int64_t example_count(const void* self) {
  return static_cast<std::int64_t>(static_cast<const ToyDataset*>(self)->examples.size());
}
sculpt_status dataset_count(const void* self, std::int64_t* out, sculpt_error* error) {
  *out = example_count(self);
  return begin_call("dataset.count", -1, error);
}
sculpt_status dataset_split(const void* self, const char* name, std::int64_t* first,
                            std::int64_t* last, sculpt_error* error) {
  const std::int64_t training = static_cast<const ToyDataset*>(self)->training;
  const std::string_view split(name);
  const auto& others = static_cast<const ToyDataset*>(self)->others;
  if (const auto other = others.find(name); other != others.end()) {
    std::tie(*first, *last) = other->second;
    return begin_call("dataset.split", -1, error);
  }
  *first = split == "predict" ? training : split == "train" ? toy_plan().training_begin : 0;
  *last = split == "predict" ? example_count(self) : split == "train" ? training : 0;
  return begin_call("dataset.split", -1, error);
}
sculpt_status dataset_truth(const void* self, std::int64_t example, sculpt_labels* out,
                            sculpt_error* error) {
  const ToyExample& one =
      static_cast<const ToyDataset*>(self)->examples[static_cast<std::size_t>(example)];
  static const std::int32_t empty = 0;
  *out = {one.truth.empty() ? &empty : one.truth.data(),
          static_cast<std::int64_t>(one.truth.size())};
  if (!one.labelled) *out = {nullptr, 0};
  return begin_call("dataset.truth", example, error);
}
sculpt_status dataset_metrics(const void*, const sculpt_metric** out, std::int64_t* count,
                              std::int64_t* sums, sculpt_error*) {
  static const sculpt_metric metrics[] = {
      {"length", "Mean number of labels.", 0, 0},
      {"wrong", "The same name as the loss has.", SCULPT_METRIC_LOWER_IS_BETTER, 0}};
  *out = metrics;
  *count = 2;
  *sums = 2;
  return SCULPT_OK;
}
sculpt_status dataset_add(void*, std::int64_t, sculpt_labels truth, sculpt_labels, double* sums,
                          sculpt_error*) {
  sums[0] += 1;
  sums[1] += static_cast<double>(truth.size);
  return SCULPT_OK;
}
sculpt_status dataset_finish(const void*, const double* sums, double* values, sculpt_error*) {
  values[0] = sums[1] / sums[0];
  values[1] = -1;
  return SCULPT_OK;
}

sculpt_status dataset_shape(const void*, sculpt_sites_shape* out, sculpt_error* error) {
  out->state_count = state_count();
  out->feature_count = static_cast<std::int64_t>(toy_plan().rows.front().size());
  return begin_call("dataset.shape", -1, error);
}
sculpt_status dataset_feature_name(const void*, std::int64_t feature, sculpt_byte_buffer* out,
                                   sculpt_error* error) {
  const std::string name = "height " + std::to_string(feature);
  sculpt_put(out, name.data(), static_cast<std::int64_t>(name.size()));
  return begin_call("dataset.feature_name", -1, error);
}
// Each example has one site.
sculpt_status dataset_sites(const void*, std::int64_t example, sculpt_sites* out,
                            sculpt_error* error) {
  thread_local std::int64_t ends[2];
  thread_local Labels index;
  const std::vector<double>& row = toy_plan().rows[static_cast<std::size_t>(example)];
  index.resize(row.size());
  std::iota(index.begin(), index.end(), 0);
  ends[0] = 0;
  ends[1] = static_cast<std::int64_t>(row.size());
  out->site_count = 1;
  out->row_from = ends;
  out->index = index.data();
  out->value = row.data();
  return begin_call("dataset.sites", example, error);
}

sculpt_status dataset_weights(const void*, std::int64_t begin, std::int64_t end, double* out,
                              sculpt_error* error) {
  for (std::int64_t i = begin; i < std::min(end, std::ssize(toy_plan().weights)); ++i) {
    out[i - begin] = toy_plan().weights[static_cast<std::size_t>(i)];
  }
  return begin_call("dataset.weights", -1, error);
}

sculpt_status dataset_output_shape(const void*, std::int64_t example, sculpt_output_shape* out,
                                   sculpt_error* error) {
  toy_plan().shape_of_dataset(example, *out);
  return begin_call("dataset.output_shape", example, error);
}

sculpt_status dataset_format(const void*, std::int64_t, sculpt_labels output,
                             sculpt_byte_buffer* out, sculpt_error*) {
  std::string text;
  for (std::int64_t k = 0; k < output.size; ++k) text += std::to_string(output.data[k]) + "\n";
  return sculpt_put(out, text.data(), static_cast<std::int64_t>(text.size()));
}

const void* dataset_extension(const void*, const char* id) {
  static constexpr sculpt_ext_sites sites = {
      dataset_shape,
      [](const void*, std::int32_t, sculpt_byte_buffer*, sculpt_error*) -> sculpt_status {
        return SCULPT_OK;
      },
      dataset_feature_name, dataset_sites};
  if (std::string_view(id) == SCULPT_EXT_SITES && !toy_plan().rows.empty()) return &sites;
  static constexpr sculpt_ext_example_weights weights = {dataset_weights};
  if (std::string_view(id) == SCULPT_EXT_EXAMPLE_WEIGHTS && !toy_plan().weights.empty()) {
    return &weights;
  }
  static constexpr sculpt_ext_label_text text = {dataset_format, nullptr};
  if (std::string_view(id) == SCULPT_EXT_LABEL_TEXT && toy_plan().writes_sentences) return &text;
  static constexpr sculpt_ext_output_shape shape = {dataset_output_shape};
  if (std::string_view(id) == SCULPT_EXT_OUTPUT_SHAPE && toy_plan().shape_of_dataset) return &shape;
  static constexpr sculpt_ext_metrics metrics = {dataset_metrics, dataset_add, dataset_finish};
  return std::string_view(id) == SCULPT_EXT_METRICS ? &metrics : nullptr;
}
constexpr sculpt_life dataset_life = {
    [](const sculpt_host*, const sculpt_value*, void** self, sculpt_error* error) {
      return create<ToyDataset>("dataset.create", self, error);
    },
    destroy<ToyDataset>,
    [](void*, const sculpt_bindings*, sculpt_error* error) {
      return begin_call("dataset.bind", -1, error);
    },
    [](void*, sculpt_error* error) { return begin_call("dataset.seal", -1, error); },
    open_session,
    close_session,
    dataset_extension};
constexpr sculpt_dataset_api dataset_api = {dataset_load, dataset_count, dataset_split,
                                            dataset_truth};

}  // namespace

const sculpt_component& toy_dataset() {
  static const sculpt_component component =
      describe(SCULPT_KIND_DATASET, "org.toy.chains", dataset_life, &dataset_api);
  return component;
}

}  // namespace sculpt::core
