// example_weights.hpp - the weights of the training examples in a few numbers, for models, events
// and people.
//
// Called by RunIdentity and train, which write them, and by describe, which reads them in a model.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

namespace sculpt::core {

// {"smallest", "largest", "zeros"}: the range of the weights, and how many of them are 0. Requires
// at least one weight.
nlohmann::ordered_json example_weights_json(std::span<const double> weights);

// "0.5 to 3; 2 examples have weight 0 and are left out". Throws nlohmann's exceptions if a key is
// missing or has another type.
std::string example_weights_text(const nlohmann::ordered_json& json);
// The same of these weights; "" if there are none.
std::string example_weights_text(std::span<const double> weights);

}  // namespace sculpt::core
