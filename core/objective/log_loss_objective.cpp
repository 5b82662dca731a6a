#include "objective/log_loss_objective.hpp"

#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

std::unique_ptr<Objective> read_log_loss(const Json& json) {
  LogLossTerms terms;
  terms.C = json.at("C").get<double>();
  terms.l1 = json.at("l1").get<double>();
  terms.loss_weight = json.at("loss_weight").get<double>();
  terms.temperature = json.at("temperature").get<double>();
  Domain domain;
  const Json& nonnegative = json.at("nonnegative");
  if (nonnegative.is_number_integer()) domain.nonnegative = nonnegative.get<std::int64_t>();
  domain.is_weighted = json.value("weighted", false);
  const bool is_valid = nonnegative.is_number_integer() && domain.nonnegative >= 0 && terms.C > 0 &&
                        terms.l1 >= 0 && terms.loss_weight >= 0 && terms.temperature > 0;
  if (!is_valid) {
    throw Failure(Exit::data, "the objective has a value out of its range; the file is damaged");
  }
  return std::make_unique<LogLossObjective>(terms, domain);
}

}  // namespace

Json LogLossObjective::json() const {
  Json json = {{"kind", log_loss_kind().name},
               {"C", terms_.C},
               {"l1", terms_.l1},
               {"loss_weight", terms_.loss_weight},
               {"temperature", terms_.temperature},
               {"nonnegative", domain_.nonnegative}};
  if (domain_.is_weighted) json["weighted"] = true;
  return json;
}

std::string LogLossObjective::text() const {
  const bool has_loss = terms_.loss_weight > 0;
  std::string text = "1/2 ||w||^2 + ";
  if (terms_.l1 > 0) text += number_text(terms_.l1) + " ||w||_1 + ";
  text += std::string("C/n sum of ") + (domain_.is_weighted ? "weighted " : "") +
          (has_loss ? "softmax-margins" : "log-losses") + ", C = " + number_text(terms_.C);
  if (has_loss && terms_.loss_weight != 1) {
    text += ", " + number_text(terms_.loss_weight) + " times the loss";
  }
  if (terms_.temperature != 1) text += ", temperature " + number_text(terms_.temperature);
  if (domain_.nonnegative > 0) {
    text += ", " + std::to_string(domain_.nonnegative) + " weights at least 0";
  }
  return text;
}

std::vector<std::string> LogLossObjective::remarks(std::int64_t n) const {
  std::string text = "lambda = " + number_text(1 / terms_.C);
  const bool is_known_elsewhere =
      terms_.loss_weight == 0 && terms_.temperature == 1 && domain_.nonnegative == 0;
  if (!is_known_elsewhere) return {text};
  // They add up the (weighted) log-losses. CRFsuite adds c2 ||w||^2, Wapiti rho2 / 2 ||w||^2, CRF++
  // and scikit-learn's LogisticRegression 1/(2c) ||w||^2, and the first two their l1 ||w||_1.
  const double scale = static_cast<double>(n) / terms_.C;
  text += "; the same minimum: CRFsuite c2 = " + number_text(scale / 2) + ", Wapiti --rho2 " +
          number_text(scale);
  if (terms_.l1 == 0) return {text + ", CRF++ -c or scikit-learn C = " + number_text(1 / scale)};
  const std::string l1 = number_text(terms_.l1 * scale);
  return {text + ", with CRFsuite c1 = " + l1 + ", Wapiti --rho1 " + l1};
}

const ObjectiveKind& log_loss_kind() {
  static const ObjectiveKind kind{"log_loss", read_log_loss};
  return kind;
}

}  // namespace sculpt::core
