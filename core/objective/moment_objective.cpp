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
  terms.samples = read_samples(json);
  terms.loss_weight = json.value("loss_weight", 0.0);
  Domain domain;
  domain.is_weighted = json.value("weighted", false);
  if (system != terms.name() || !(terms.lambda >= 0) || !(terms.loss_weight >= 0)) {
    throw Failure(Exit::data, "the objective has a value out of its range; the file is damaged");
  }
  return std::make_unique<MomentObjective>(terms, domain);
}

}  // namespace

Json MomentObjective::json() const {
  Json json = {{"kind", moment_kind().name}, {"system", terms_.name()}, {"lambda", terms_.lambda}};
  if (domain_.is_weighted) json["weighted"] = true;
  write_samples(terms_.samples, json);
  if (terms_.loss_weight > 0) json["loss_weight"] = terms_.loss_weight;
  return json;
}

std::string MomentObjective::text() const {
  std::string text = "1/2 <w, A w> - <b, w>, b = ";
  const char* const mean = domain_.is_weighted ? "weighted mean of " : "mean of ";
  text += std::string(mean) + "b_i, A = " + mean;
  text += terms_.adds_deviations ? "Cov_i + b_i b_i'" : "Cov_i";
  if (terms_.lambda > 0) text += " + lambda I, lambda = " + number_text(terms_.lambda);
  text += text_on_samples(terms_.samples);
  if (terms_.loss_weight > 0) {
    text += ", of the score + loss_weight * loss, loss_weight = " + number_text(terms_.loss_weight);
  }
  return text;
}

std::vector<std::string> MomentObjective::remarks(std::int64_t n) const {
  std::vector<std::string> lines = {remark_on_moments};
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

void write_samples(std::int64_t samples, Json& json) {
  if (samples == 0) return;
  json["moments"] = "sampled";
  json["samples"] = samples;
}

std::int64_t read_samples(const Json& json) {
  if (!json.contains("samples")) return 0;
  const auto samples = json.at("samples").get<std::int64_t>();
  if (samples > 0 && json.at("moments").get<std::string>() == "sampled") return samples;
  throw Failure(Exit::data, "the objective has samples out of their range; the file is damaged");
}

std::string text_on_samples(std::int64_t samples) {
  return samples > 0 ? ", Cov_i of " + std::to_string(samples) + " samples" : "";
}

const char* const remark_on_moments =
    "b_i: features of the truth minus their mean over all outputs, Cov_i: their covariance";

}  // namespace sculpt::core
