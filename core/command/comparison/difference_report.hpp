// difference_report.hpp - prints what differs between two models, as text or as JSON.
//
// Called by diff.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>

#include "command/comparison/model_difference.hpp"

namespace sculpt::core {

// The results of a model that are shown beside those of the other.
struct ModelResults {
  std::filesystem::path path;   // as it was given
  nlohmann::ordered_json json;  // {"name", "dimension", "examples", "primal", "dual", ...}
};

// Throws Failure(Exit::data) if the header is damaged.
ModelResults results_of(const std::filesystem::path& path, const ModelFile& model);

void print_difference(const ModelResults& a, const ModelResults& b,
                      const ModelDifference& difference);
nlohmann::ordered_json difference_json(const ModelResults& a, const ModelResults& b,
                                       const ModelDifference& difference);

}  // namespace sculpt::core
