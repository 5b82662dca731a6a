// objective.hpp - what a run minimizes, in words and in JSON.
//
// Made by Solver::objective(), said by train and written into the model; describe reads it there.
// Each objective is a class in a file of its own, and its ObjectiveKind is listed in objective.cpp.
// hinge_objective.hpp has that of the structural SVM.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace sculpt::core {

// What of a problem enters its objective, beside the examples.
struct Domain {
  std::int64_t nonnegative = 0;  // number of weights with w_j >= 0
  bool relaxed = false;          // outputs are relaxed ones, which are more
};

class Objective {
 public:
  virtual ~Objective() = default;
  // What objective_in() reads. That of the hinge has no "kind", others have the name of theirs.
  virtual nlohmann::ordered_json json() const = 0;
  // "1/2 ||w||^2 + C/n sum of slacks, margin rescaling, C = 10"
  virtual std::string text() const = 0;
  // Lines of advice on reading it, for n examples: what C is called elsewhere.
  virtual std::vector<std::string> remarks(std::int64_t) const { return {}; }
  // Whether its slacks are those of planes, which verify knows how to ask for.
  virtual bool is_hinge() const { return false; }
};

struct ObjectiveKind {
  const char* name;
  // Throws nlohmann's exceptions where a key is missing or of another type.
  std::unique_ptr<Objective> (*read)(const nlohmann::ordered_json& json);
};

// For programs that bring an objective of their own, before anything reads one; it lives on. [main]
// Throws Failure(Exit::internal) where its name is taken.
void add_objective_kind(const ObjectiveKind& kind);

// Throws nlohmann's exceptions, and Failure(Exit::data) where no kind has that name.
std::unique_ptr<Objective> objective_in(const nlohmann::ordered_json& json);

// That a model of this objective could be read: what objective_in() makes of its JSON says the
// same. Throws Failure(Exit::internal), in the name of the `solver` that made it.
void require_read_back(const Objective& objective, const std::string& solver);

}  // namespace sculpt::core
