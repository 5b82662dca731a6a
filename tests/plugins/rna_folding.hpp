// rna_folding.hpp - a sequence with the features rna, their oracle, and a loss or none.
// Used by the tests of rna.
#pragma once

#include "bound_features.hpp"
#include "oracle_calls.hpp"

#include <memory>

namespace plugin_test {

struct Folding {
  Folding(const std::string& sequence, const std::string& structure,
          const nlohmann::json& parameters, const std::string& loss_name = "",
          const nlohmann::json& loss_parameters = nlohmann::json::object())
      : Folding(">x\n" + sequence + "\n" + structure + "\n", nlohmann::json::object(), parameters,
                loss_name, loss_parameters) {}
  Folding(const std::string& text, const nlohmann::json& dataset_parameters,
          const nlohmann::json& parameters, const std::string& loss_name,
          const nlohmann::json& loss_parameters)
      : bound("rna#dot_bracket", dataset_parameters, text, "rna", parameters),
        oracle("rna", nlohmann::json::object(), SCULPT_KIND_ORACLE) {
    if (!loss_name.empty()) {
      loss = std::make_unique<LiveComponent>(loss_name, loss_parameters);
      loss->bind(&bound.dataset, &bound.features);
    }
    oracle.bind(&bound.dataset, &bound.features, loss.get());
  }
  OracleQuery query(const std::vector<double>& w, double loss_weight = 0) const {
    return {0, w, truth_of(bound.dataset, 0), loss_weight};
  }
  std::size_t weights() const { return static_cast<std::size_t>(dimension(bound.features)); }

  BoundFeatures bound;
  std::unique_ptr<LiveComponent> loss;
  LiveComponent oracle;
};

inline bool has(const Solution& answer, std::uint32_t flag) {
  return (answer.flags & flag) != 0;
}

}  // namespace plugin_test
