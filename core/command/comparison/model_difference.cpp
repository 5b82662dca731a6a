#include "command/comparison/model_difference.hpp"

#include <cmath>
#include <map>
#include <utility>

#include "base/file/stored_json.hpp"
#include "base/text/message_text.hpp"
#include "command/comparison/name_match.hpp"
#include "command/reports/kernel_model.hpp"
#include "command/reports/largest_values.hpp"
#include "command/reports/scaled_name.hpp"
#include "problem/components/dataset_rows.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* damaged_advice = "; train again or use another copy";

// Adds {"solver.C": 10} and so on. Lists stay whole.
void add_flat(const std::string& key, const Json& value, std::map<std::string, Json>& out) {
  if (!value.is_object()) {
    out[key] = value;
    return;
  }
  for (const auto& [name, inner] : value.items()) {
    add_flat(key.empty() ? name : key + "." + name, inner, out);
  }
}

// The settings of a header: what does not follow from the training.
std::map<std::string, Json> settings_of(const ModelFile& model) {
  std::map<std::string, Json> settings;
  const Json& header = model.header();
  add_flat("", header.value("config", Json::object()), settings);
  add_flat("data", header.value("data", Json::object()), settings);
  settings["sculpt"] = header.value("sculpt", Json());
  settings["warm_start"] = header.value("warm_start", Json());
  for (const Json& component : header.at("components")) {
    const auto id = component.at("id").get<std::string>();
    settings["version of " + short_name(id)] = component.at("version");
  }
  return settings;
}

std::vector<SettingDifference> different_settings(const ModelFile& a, const ModelFile& b) {
  const auto of_a = read_stored_values(a.path(), damaged_advice, [&] { return settings_of(a); });
  auto of_b = read_stored_values(b.path(), damaged_advice, [&] { return settings_of(b); });
  std::vector<SettingDifference> different;
  for (const auto& [key, value] : of_a) {
    const Json other = of_b.count(key) > 0 ? of_b[key] : Json();
    if (value != other) different.push_back({key, value, other});
  }
  for (const auto& [key, value] : of_b) {
    if (of_a.count(key) == 0 && !value.is_null()) different.push_back({key, Json(), value});
  }
  return different;
}

std::string features_of(const ModelFile& model) {
  return read_stored_values(model.path(), damaged_advice, [&] {
    for (const Json& component : model.header().at("components")) {
      if (component.at("kind") == "features") return component.at("id").get<std::string>();
    }
    return std::string();
  });
}

[[noreturn]] void refuse(const std::string& text) {
  throw Failure(Exit::config, text);
}

// Refuses models whose features, or whose kinds of weights, differ.
void require_comparable(const ModelFile& a, const ModelFile& b) {
  const std::string features = features_of(a);
  const std::string others = features_of(b);
  if (features != others) {
    refuse(a.path().string() + " has the features " + features + ", and " + b.path().string() +
           " has " + others +
           ": their weights mean different things; give two models with the same features");
  }
  if (has_kernel(a) == has_kernel(b)) return;
  const ModelFile& with = has_kernel(a) ? a : b;
  const ModelFile& without = has_kernel(a) ? b : a;
  refuse(with.path().string() + " has a kernel, so it has coefficients of support atoms; " +
         without.path().string() + " has weights with names: give two models of one kind");
}

// A model with the names of its weights.
class NamedModel {
 public:
  explicit NamedModel(std::shared_ptr<const ModelFile> file)
      : model_(std::move(file), std::nullopt, 1),
        names_(&model_.problem(), model_.file().header()) {}

  const ModelFile& file() const { return model_.file(); }
  Problem& problem() { return model_.problem(); }
  bool is_scaled() const { return scaling_in(file().header()) != "none"; }
  std::int64_t count() const { return std::ssize(file().weights()); }
  bool has_names() { return count() == 0 || !problem().features().weight_name(0).empty(); }

  NameList weights() const {
    return {count(), [this](std::int64_t k) { return names_.name_of(k); }};
  }
  LoneWeight weight(std::int64_t k, bool is_per_unit) const {
    return {names_.name_of(k), value(k, is_per_unit)};
  }
  // A weight of a column that belongs to none is its own.
  double value(std::int64_t k, bool is_per_unit) const {
    const double weight = file().weights()[static_cast<std::size_t>(k)];
    return is_per_unit ? weight / names_.unit_of(k).divisor.value_or(1) : weight;
  }

 private:
  LoadedModel model_;
  WeightNames names_;
};

LoneWeights lone_weights(const NamedModel& model, const std::vector<std::int64_t>& weights,
                         bool is_per_unit, std::size_t top) {
  LoneWeights lone;
  lone.count = std::ssize(weights);
  LargestValues largest(top);
  double sum = 0;
  for (const std::int64_t k : weights) {
    const double value = model.value(k, is_per_unit);
    sum += value * value;
    largest.add(k, value);
  }
  lone.norm = std::sqrt(sum);
  for (const std::int64_t k : largest.take()) lone.largest.push_back(model.weight(k, is_per_unit));
  return lone;
}

double norm_of(const NamedModel& model, bool is_per_unit) {
  double sum = 0;
  for (std::int64_t k = 0; k < model.count(); ++k) {
    const double value = model.value(k, is_per_unit);
    sum += value * value;
  }
  return std::sqrt(sum);
}

WeightDifference different_weights(NamedModel& a, NamedModel& b, std::size_t top) {
  if ((!a.has_names() || !b.has_names()) && a.file().states() != b.file().states()) {
    refuse(a.problem().features().component().name() +
           " gives its weights no names, and what the two models learned from their data differs, "
           "so nothing says which weights belong together; compare models of the same training "
           "data");
  }
  const NameMatch match = match_names(a.weights(), b.weights());
  WeightDifference result;
  result.is_same_order = match.is_same_order;
  result.is_per_unit = a.is_scaled() || b.is_scaled();
  const bool per_unit = result.is_per_unit;
  std::vector<std::int64_t> only_a;
  LargestValues largest(top);
  double squares = 0;
  double product = 0;
  for (std::int64_t k = 0; k < a.count(); ++k) {
    const std::int64_t mate = match.mate[static_cast<std::size_t>(k)];
    if (mate < 0) {
      only_a.push_back(k);
      continue;
    }
    ++result.matched_count;
    const double x = a.value(k, per_unit);
    const double y = b.value(mate, per_unit);
    squares += (x - y) * (x - y);
    product += x * y;
    largest.add(k, x - y);
  }
  for (const std::int64_t k : largest.take()) {
    const std::int64_t mate = match.mate[static_cast<std::size_t>(k)];
    result.largest.push_back(
        {a.weight(k, per_unit).name, a.value(k, per_unit), b.value(mate, per_unit)});
  }
  result.only_a = lone_weights(a, only_a, per_unit, top);
  result.only_b = lone_weights(b, match.only_b, per_unit, top);
  result.norm_a = norm_of(a, per_unit);
  result.norm_b = norm_of(b, per_unit);
  result.distance = std::sqrt(squares + result.only_a.norm * result.only_a.norm +
                              result.only_b.norm * result.only_b.norm);
  result.cosine = product / (result.norm_a * result.norm_b);
  return result;
}

DictionaryDifference different_names(const std::string& what, const NameList& a, const NameList& b,
                                     std::size_t top) {
  const NameMatch match = match_names(a, b);
  DictionaryDifference result{what, a.count, b.count, 0, std::ssize(match.only_b), {}, {}};
  for (std::int64_t k = 0; k < a.count; ++k) {
    if (match.mate[static_cast<std::size_t>(k)] >= 0) continue;
    ++result.only_a_count;
    if (result.only_a.size() < top) result.only_a.push_back(a.name(k));
  }
  for (const std::int64_t k : match.only_b) {
    if (result.only_b.size() < top) result.only_b.push_back(b.name(k));
  }
  return result;
}

// The names of columns, without their scale as far as it is known, and of labels.
std::vector<DictionaryDifference> different_dictionaries(NamedModel& a, NamedModel& b,
                                                         std::size_t top) {
  const DatasetRows rows_a(a.problem().dataset().component());
  const DatasetRows rows_b(b.problem().dataset().component());
  if (!rows_a.is_offered() || !rows_b.is_offered()) return {};
  const auto columns = [](const DatasetRows& rows) -> NameList {
    return {rows.column_count(),
            [&rows](std::int64_t k) { return scaled_name(rows.name(k)).name; }};
  };
  const auto labels = [](const DatasetRows& rows) -> NameList {
    return {rows.shape().state_count,
            [&rows](std::int64_t k) { return rows.state_name(static_cast<std::int32_t>(k)); }};
  };
  return {different_names("columns", columns(rows_a), columns(rows_b), top),
          different_names("labels", labels(rows_a), labels(rows_b), top)};
}

std::vector<NamedPair> different_masses(const ModelFile& a, const ModelFile& b, std::size_t top) {
  const auto train_of = [](const ModelFile& model) {
    return model.header().value("/data/train"_json_pointer, Json());
  };
  if (train_of(a) != train_of(b)) {
    refuse(a.path().string() + " and " + b.path().string() +
           " have a kernel and other training data: their support examples are not the same; "
           "compare models of the same training data");
  }
  const auto masses_of = [](const ModelFile& model) {
    return read_stored_values(model.path(), damaged_advice,
                              [&] { return masses_of_examples(model); });
  };
  std::map<std::int64_t, double> of_a = masses_of(a);
  std::map<std::int64_t, double> of_b = masses_of(b);
  for (const auto& [example, mass] : of_b) of_a.emplace(example, 0);
  LargestValues largest(top);
  for (const auto& [example, mass] : of_a) largest.add(example, mass - of_b[example]);
  std::vector<NamedPair> pairs;
  for (const std::int64_t example : largest.take()) {
    pairs.push_back({"example " + std::to_string(example), of_a[example], of_b[example]});
  }
  return pairs;
}

}  // namespace

ModelDifference compare_models(const ModelPair& models, std::size_t top) {
  const ModelFile& a = *models.a;
  const ModelFile& b = *models.b;
  ModelDifference result;
  result.settings = different_settings(a, b);
  require_comparable(a, b);
  if (has_kernel(a)) {
    result.support_masses = different_masses(a, b, top);
    return result;
  }
  NamedModel named_a(models.a);
  NamedModel named_b(models.b);
  result.dictionaries = different_dictionaries(named_a, named_b, top);
  result.weights = different_weights(named_a, named_b, top);
  return result;
}

}  // namespace sculpt::core
