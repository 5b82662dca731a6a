// model_difference.hpp - what differs between two models A and B: settings, data, dictionaries, and
// weights by their names.
//
// Called by diff. Weights are matched by name, because a dictionary has the order of its data. If a
// dataset scaled its columns, weights for one unit of the data are compared. With a kernel there
// are no named weights: then the mass of each support example is compared, if the training data are
// the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "command/inputs/loaded_model.hpp"
#include "command/reports/weight_names.hpp"

namespace sculpt::core {

// A value of the header that differs. Null: the model does not have it.
struct SettingDifference {
  std::string key;  // "solver.C", "data.train"
  nlohmann::ordered_json a;
  nlohmann::ordered_json b;
};

struct NamedPair {
  std::string name;
  double a = 0;
  double b = 0;
};

struct LoneWeight {
  std::string name;
  double value = 0;
};

// The weights that only one of the models has.
struct LoneWeights {
  std::int64_t count = 0;
  double norm = 0;
  std::vector<LoneWeight> largest;  // other than 0
};

// The names of a dictionary that only one of the models has.
struct DictionaryDifference {
  std::string what;  // "columns", "labels"
  std::int64_t count_a = 0;
  std::int64_t count_b = 0;
  std::int64_t only_a_count = 0;
  std::int64_t only_b_count = 0;
  std::vector<std::string> only_a;  // the first ones
  std::vector<std::string> only_b;
};

struct WeightDifference {
  bool is_same_order = true;  // the same names in the same order
  bool is_per_unit = false;   // weights for one unit of the data
  std::int64_t matched_count = 0;
  double norm_a = 0;
  double norm_b = 0;
  double distance = 0;             // ||A - B||; a weight that a model does not have is 0 in it
  double cosine = 0;               // NaN if a norm is 0
  std::vector<NamedPair> largest;  // by |a - b|; other than 0
  LoneWeights only_a;
  LoneWeights only_b;
};

struct ModelDifference {
  std::vector<SettingDifference> settings;
  std::vector<DictionaryDifference> dictionaries;  // with rows alone
  std::optional<WeightDifference> weights;         // nothing: a kernel
  std::vector<NamedPair> support_masses;           // by |a - b|; empty without a kernel
};

// The files of both models, read once. Throws Failure as ModelFile.
struct ModelPair {
  ModelPair(const std::filesystem::path& path_a, const std::filesystem::path& path_b)
      : a(std::make_shared<const ModelFile>(path_a)),
        b(std::make_shared<const ModelFile>(path_b)) {}
  std::shared_ptr<const ModelFile> a;
  std::shared_ptr<const ModelFile> b;
};

// Names at most `top` weights and entries of dictionaries. Throws Failure:
// Exit::config if the weights of the two do not mean the same.
ModelDifference compare_models(const ModelPair& models, std::size_t top);

}  // namespace sculpt::core
