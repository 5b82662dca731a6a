#include "objective/moment_objective.hpp"

#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

std::unique_ptr<Objective> read_moments(const Json& json) {
  const auto system = json.at("system").get<std::string>();
  MomentTerms terms;
  terms.adds_deviations = system == "soda";
  terms.lambda = json.at("lambda").get<double>();
  Domain domain;
  domain.is_weighted = json.value("weighted", false);
  if (system != terms.name() || !(terms.lambda >= 0)) {
    throw Failure(Exit::data, "the objective has a value out of its range; the file is damaged");
  }
  return std::make_unique<MomentObjective>(terms, domain);
}

}  // namespace

Json MomentObjective::json() const {
  Json json = {{"kind", moment_kind().name}, {"system", terms_.name()}, {"lambda", terms_.lambda}};
  if (domain_.is_weighted) json["weighted"] = true;
  return json;
}

std::string MomentObjective::text() const {
  std::string text = "1/2 <w, A w> - <b, w>, b = ";
  const char* const mean = domain_.is_weighted ? "weighted mean of " : "mean of ";
  text += std::string(mean) + "b_i, A = " + mean;
  text += terms_.adds_deviations ? "Cov_i + b_i b_i'" : "Cov_i";
  if (terms_.lambda > 0) text += " + lambda I, lambda = " + number_text(terms_.lambda);
  return text;
}

std::vector<std::string> MomentObjective::remarks(std::int64_t n) const {
  std::vector<std::string> lines = {
      "b_i: features of the truth minus their mean over all outputs, Cov_i: their covariance"};
  if (terms_.lambda > 0) {
    lines.push_back("summed over the examples, as in the paper: lambda = " +
                    number_text(terms_.lambda * static_cast<double>(n)));
  }
  return lines;
}

const ObjectiveKind& moment_kind() {
  static const ObjectiveKind kind{"moments", read_moments};
  return kind;
}

}  // namespace sculpt::core
