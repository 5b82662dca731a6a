// log_loss.cpp - the objective `plain_log_loss`, which only this file adds to the host:
//
//   P(w) = 1/2 ||w||^2 + C/n sum_i [ log Z_i(w) - <w, psi(x_i, y_i)> ]
#include <nlohmann/json.hpp>

#include "base/text/message_text.hpp"
#include "objective/objective.hpp"

namespace sculpt::core {
namespace {

using Json = nlohmann::ordered_json;

class PlainLogLoss : public Objective {
 public:
  explicit PlainLogLoss(double C) : C_(C) {}
  Json json() const override { return {{"kind", "plain_log_loss"}, {"C", C_}}; }
  std::string text() const override {
    return "1/2 ||w||^2 + C/n sum of log-losses, C = " + number_text(C_);
  }

 private:
  double C_;
};

const ObjectiveKind log_loss{"plain_log_loss", [](const Json& json) -> std::unique_ptr<Objective> {
                               return std::make_unique<PlainLogLoss>(json.at("C").get<double>());
                             }};
const bool added = (add_objective_kind(log_loss), true);

}  // namespace
}  // namespace sculpt::core
