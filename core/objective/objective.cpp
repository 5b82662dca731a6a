#include "objective/objective.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.hpp"
#include "objective/constrained_moment_objective.hpp"
#include "objective/hinge_objective.hpp"
#include "objective/log_loss_objective.hpp"
#include "objective/moment_objective.hpp"

namespace sculpt::core {
namespace {

std::vector<const ObjectiveKind*>& kinds() {
  static std::vector<const ObjectiveKind*> all = {&hinge_kind(), &log_loss_kind(), &moment_kind(),
                                                  &constrained_moment_kind()};
  return all;
}

}  // namespace

std::string Objective::kind() const {
  return json().value("kind", hinge_kind().name);
}

void add_objective_kind(const ObjectiveKind& kind) {
  for (const ObjectiveKind* const known : kinds()) {
    if (std::string_view(known->name) != kind.name) continue;
    throw Failure(Exit::internal, std::string("the objective \"") + kind.name +
                                      "\" is already registered; choose another name");
  }
  kinds().push_back(&kind);
}

std::unique_ptr<Objective> objective_in(const nlohmann::ordered_json& json) {
  const std::string name = json.value("kind", hinge_kind().name);
  for (const ObjectiveKind* kind : kinds()) {
    if (name == kind->name) return kind->read(json);
  }
  throw Failure(Exit::data, "the objective \"" + name +
                                "\" is not known to this program; use the program that wrote it");
}

void require_read_back(const Objective& objective, const std::string& solver) {
  const nlohmann::ordered_json json = objective.json();
  std::string reason;
  try {
    const std::unique_ptr<Objective> read = objective_in(json);
    if (read->json() == json && read->text() == objective.text()) return;
    reason = "it is read as " + read->json().dump();
  } catch (const std::exception& error) {
    reason = error.what();
  }
  throw Failure(Exit::internal, solver + ": its objective " + json.dump() +
                                    " cannot be read back from a model: " + reason +
                                    "; register its kind with add_objective_kind(); its read() "
                                    "must accept the result of json()");
}

}  // namespace sculpt::core
