#include "launch/example_weights.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "base/text/message_text.hpp"

namespace sculpt::core {

nlohmann::ordered_json example_weights_json(std::span<const double> weights) {
  const auto [smallest, largest] = std::minmax_element(weights.begin(), weights.end());
  return {{"smallest", *smallest},
          {"largest", *largest},
          {"zeros", std::count(weights.begin(), weights.end(), 0.0)}};
}

std::string example_weights_text(const nlohmann::ordered_json& json) {
  const auto zeros = json.at("zeros").get<std::int64_t>();
  std::string range = number_text(json.at("smallest").get<double>()) + " to " +
                      number_text(json.at("largest").get<double>());
  if (zeros == 0) return range;
  return range + "; " + count_text(zeros, "example") +
         (zeros == 1 ? " has weight 0 and is left out" : " have weight 0 and are left out");
}

std::string example_weights_text(std::span<const double> weights) {
  return weights.empty() ? "" : example_weights_text(example_weights_json(weights));
}

}  // namespace sculpt::core
