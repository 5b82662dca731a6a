// objective.hpp - what a run minimizes, in words and in JSON.
//
// Made by Solver::objective(). train prints it and writes it into the model; describe reads it
// there. Each objective is a class in its own file, and its ObjectiveKind is listed in
// objective.cpp. The structural SVM is in hinge_objective.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace sculpt::core {

// The properties of a problem that change its objective, besides the examples.
struct Domain {
  std::int64_t nonnegative = 0;  // number of weights with w_j >= 0
  bool is_relaxed = false;       // outputs include relaxed ones
  bool is_weighted = false;      // not all examples have weight 1
};

struct LogLossTerms;
struct MomentTerms;
struct ConstrainedMomentTerms;

class Objective {
 public:
  virtual ~Objective() = default;
  // The JSON that objective_in() reads. It has no "kind" for the hinge, else the name of the kind.
  virtual nlohmann::ordered_json json() const = 0;
  // The name of its kind: "hinge", "log_loss".
  std::string kind() const;
  // For example "1/2 ||w||^2 + C/n sum of slacks, margin rescaling, C = 10".
  virtual std::string text() const = 0;
  // Lines that help to read text(), for n examples: what other programs call C.
  virtual std::vector<std::string> remarks(std::int64_t) const { return {}; }
  // True if its slacks are those of planes, so that verify can compute them.
  virtual bool is_hinge() const { return false; }
  // The terms of a log-loss, so that verify can compute it. nullptr: it is none.
  virtual const LogLossTerms* log_loss() const { return nullptr; }
  // The terms of a linear system of moments, likewise.
  virtual const MomentTerms* moments() const { return nullptr; }
  virtual const ConstrainedMomentTerms* constrained_moments() const { return nullptr; }
};

struct ObjectiveKind {
  const char* name;
  // Throws nlohmann's exceptions if a key is missing or has another type.
  std::unique_ptr<Objective> (*read)(const nlohmann::ordered_json& json);
};

// For programs that bring their own objective. Call it before anything reads an objective. The kind
// must outlive all uses. [main] Throws Failure(Exit::internal) if another kind has its name.
void add_objective_kind(const ObjectiveKind& kind);

// Throws nlohmann's exceptions, and Failure(Exit::data) if no kind has that name.
std::unique_ptr<Objective> objective_in(const nlohmann::ordered_json& json);

// Checks that a model with this objective can be read: objective_in() must give back the same text
// and JSON. Throws Failure(Exit::internal), with the name of the `solver` that made it.
void require_read_back(const Objective& objective, const std::string& solver);

}  // namespace sculpt::core
