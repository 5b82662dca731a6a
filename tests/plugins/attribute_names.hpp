// attribute_names.hpp - the attributes that the dataset conll makes of a text.
#pragma once

#include <string>

#include "live_component.hpp"

namespace plugin_test {

// All attributes of the training text, in the order of first appearance.
inline Names attribute_names(const nlohmann::json& parameters, const std::string& text) {
  LiveComponent dataset("conll", parameters);
  dataset.load("train", text);
  Names names;
  for (std::int64_t k = 0; k < shape_of(dataset).feature_count; ++k) {
    names.push_back(feature_name(dataset, k));
  }
  return names;
}

}  // namespace plugin_test
