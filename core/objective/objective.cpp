#include "objective/objective.hpp"

#include <nlohmann/json.hpp>

#include "base/failure.hpp"
#include "objective/hinge_objective.hpp"

namespace sculpt::core {
namespace {

std::vector<const ObjectiveKind*>& kinds() {
  static std::vector<const ObjectiveKind*> all = {&hinge_kind()};
  return all;
}

}  // namespace

void add_objective_kind(const ObjectiveKind& kind) {
  kinds().push_back(&kind);
}

std::unique_ptr<Objective> objective_in(const nlohmann::ordered_json& json) {
  const std::string name = json.value("kind", hinge_kind().name);
  for (const ObjectiveKind* kind : kinds()) {
    if (name == kind->name) return kind->read(json);
  }
  throw Failure(Exit::data, "the objective \"" + name + "\" is not known to this program");
}

}  // namespace sculpt::core
