// weight_json.hpp - prints the header of a model with its weights as one JSON object.
//
// Called by model_summary.cpp. There may be millions of weights, so they are printed one by one.
#pragma once

#include <cstdint>

#include "command/reports/weight_names.hpp"
#include "model/model_file.hpp"

namespace sculpt::core {

// Prints the `max_count` largest weights, or all in their order. Throws Failure if names fail; what
// was printed is then no JSON.
void print_weights_json(const ModelFile& model, const WeightNames& names, std::int64_t max_count);

}  // namespace sculpt::core
