// objective.hpp - what a run minimizes, in words and in JSON.
//
// Asked of a Problem by train, which says it and writes it into the model; describe reads it there.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "objective/formulation.hpp"

namespace sculpt::core {

struct Objective {
  Formulation formulation;
  std::int64_t nonnegative = 0;  // number of weights with w_j >= 0
  bool relaxed = false;          // slacks are those of relaxed outputs, which are more
};

// {"rescaling", "slack_norm", "C": a number or "inf", "nonnegative", "relaxed"}
nlohmann::ordered_json objective_json(const Objective& objective);
// Throws nlohmann's exceptions where a key is missing or of another type.
Objective objective_in(const nlohmann::ordered_json& json);

// "1/2 ||w||^2 + C/n sum of slacks, margin rescaling, C = 10, 26 weights at least 0"
std::string objective_text(const Objective& objective);

// What C is called elsewhere, for n examples: "lambda = 0.1; ...". "" under hard margin.
std::string conversion_text(const Objective& objective, std::int64_t n);

}  // namespace sculpt::core
