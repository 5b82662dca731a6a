// overrides.hpp - `--set KEY=VALUE`, which changes an experiment file.
//
// KEY is a path with dots: solver.C, oracle.use, oracle.0.use, dataset.train, kernel.of.gamma.
// VALUE is JSON if it parses (without comments), else text. Called by the commands that read an
// experiment.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "experiment/json_document.hpp"

namespace sculpt::core {

// True if the component that `use` names in this section ("dataset", "features", "loss", "oracle",
// "kernel", "solver") declares the key. True also for an unknown `use`: it is refused later, with a
// better message. Never empty.
using IsDeclared =
    std::function<bool(const std::string& section, const std::string& use, const std::string& key)>;

class Override {
 public:
  // `text` is "KEY=VALUE". Throws Failure(Exit::usage) if there is no key or no "=".
  explicit Override(const std::string& text);

  const std::string& key() const { return key_; }
  const nlohmann::ordered_json& value() const { return value_.json(); }
  const Position& position() const { return value_.position(""); }

  // Sets the value in a document with an object as its root. If a component is a bare name and a
  // key below it is set, it becomes {"use": name}. Setting `use` removes the keys that the new
  // component does not declare; the splits of a dataset stay. Setting a whole component replaces
  // all of it. null takes a parameter of a component out, so that it has its default. Throws
  // Failure(Exit::config) if KEY goes through a value that has no keys.
  void apply(JsonDocument& document, const IsDeclared& is_declared) const;

  // The order of application, smaller first. A whole section comes before the keys inside it. Among
  // those `use` comes first, because it removes others. Equal ranks keep the order in which they
  // were given.
  std::size_t rank() const { return 2 * path_.size() - (path_.back() == "use" ? 1 : 0); }

  // Throws Failure(Exit::usage) if this one sets a whole section and its value contains the key of
  // `earlier`, which was given before. It is then not clear which value is meant.
  void require_no_conflict(const Override& earlier) const;

 private:
  // True if the key, inside `parent`, is a declared parameter of a component.
  bool is_parameter(const JsonDocument& document, const std::string& parent,
                    const IsDeclared& is_declared) const;

  std::string key_;
  std::vector<std::string> path_;  // of the key, at least one
  JsonDocument value_;
};

// All overrides of the texts ("KEY=VALUE"), sorted by rank(). Throws Failure(Exit::usage).
std::vector<Override> parse_overrides(const std::vector<std::string>& texts);

}  // namespace sculpt::core
