#include "objective/objective.hpp"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

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
  for (const ObjectiveKind* const one : kinds()) {
    if (std::string_view(one->name) != kind.name) continue;
    throw Failure(Exit::internal,
                  std::string("there is an objective \"") + kind.name + "\" already");
  }
  kinds().push_back(&kind);
}

std::unique_ptr<Objective> objective_in(const nlohmann::ordered_json& json) {
  const std::string name = json.value("kind", hinge_kind().name);
  for (const ObjectiveKind* kind : kinds()) {
    if (name == kind->name) return kind->read(json);
  }
  throw Failure(Exit::data, "the objective \"" + name + "\" is not known to this program");
}

void require_read_back(const Objective& objective, const std::string& solver) {
  const nlohmann::ordered_json json = objective.json();
  std::string why;
  try {
    const std::unique_ptr<Objective> read = objective_in(json);
    if (read->json() == json && read->text() == objective.text()) return;
    why = "it is read as " + read->json().dump();
  } catch (const std::exception& error) {
    why = error.what();
  }
  throw Failure(Exit::internal, solver + ": what it minimizes, " + json.dump() +
                                    ", could not be read from a model again: " + why +
                                    "; add its kind with add_objective_kind(), whose read() takes "
                                    "what json() says");
}

}  // namespace sculpt::core
