#include "objective/constrained_moment_objective.hpp"

#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

std::unique_ptr<Objective> read_constrained_moments(const Json& json) {
  const ConstrainedMomentTerms terms{json.at("lambda").get<double>(),
                                     json.at("price").get<double>(), read_samples(json)};
  Domain domain;
  domain.is_weighted = json.value("weighted", false);
  if (!(terms.lambda > 0) || !(terms.price > 0)) {
    throw Failure(Exit::data, "the objective has a value out of its range; the file is damaged");
  }
  return std::make_unique<ConstrainedMomentObjective>(terms, domain);
}

}  // namespace

Json ConstrainedMomentObjective::json() const {
  Json json = {
      {"kind", constrained_moment_kind().name}, {"lambda", terms_.lambda}, {"price", terms_.price}};
  if (domain_.is_weighted) json["weighted"] = true;
  write_samples(terms_.samples, json);
  return json;
}

std::string ConstrainedMomentObjective::text() const {
  const char* const mean = domain_.is_weighted ? "weighted mean of " : "mean of ";
  return "1/2 <w, A w> - <b, w> + price/n sum of " +
         std::string(domain_.is_weighted ? "weighted " : "") +
         "slacks, price = " + number_text(terms_.price) + ", b = " + mean + "b_i, A = " + mean +
         "Cov_i + lambda I, lambda = " + number_text(terms_.lambda) +
         text_on_samples(terms_.samples);
}

std::vector<std::string> ConstrainedMomentObjective::remarks(std::int64_t) const {
  return {remark_on_moments, "slack: by how much the best output scores higher than the truth"};
}

const ObjectiveKind& constrained_moment_kind() {
  static const ObjectiveKind kind{"constrained_moments", read_constrained_moments};
  return kind;
}

}  // namespace sculpt::core
