// problem_source.hpp - the problem of an experiment, made as often as the tests want it.
//
// Implemented by the command, which knows experiments and registries.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "problem/problem.hpp"

namespace sculpt::core {

// What differs from the experiment.
struct Remake {
  int threads = 1;
  std::vector<Problem::State> states;               // restored before anything is loaded
  std::optional<std::vector<SplitSource>> sources;  // in place of the experiment's
  std::optional<std::size_t> member;                // of several oracles this one alone
};

class ProblemSource {
 public:
  virtual ~ProblemSource() = default;
  // Loads and binds, for prediction: no example is asked about. Throws Failure.
  virtual std::unique_ptr<Problem> make(const Remake& how) const = 0;
  // Where the experiment's splits are read from.
  virtual std::vector<SplitSource> sources() const = 0;
  // Of the planes that its solver asks for; nothing: it asks for none.
  virtual std::optional<Formulation> formulation() const = 0;
  // The names of its oracles, as the experiment has them: one, or several.
  virtual std::vector<std::string> oracles() const = 0;
};

}  // namespace sculpt::core
