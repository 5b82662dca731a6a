// overrides.hpp - `--set KEY=VALUE`, on top of an experiment file.
//
// KEY is a dotted path: solver.C, oracle.use, oracle.0.use, dataset.train. VALUE is JSON if it
// parses (without comments), else text. Called by the commands that take an experiment.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "experiment/json_document.hpp"

namespace sculpt::core {

// Whether the component that `use` names in this section ("dataset", "features", "loss", "oracle",
// "solver") declares the key. For a `use` nobody knows, answer true: it is refused later, with a
// better message. Never empty.
using IsDeclared =
    std::function<bool(const std::string& section, const std::string& use, const std::string& key)>;

class Override {
 public:
  // `text` is "KEY=VALUE". Throws Failure(Exit::usage) without a key or without "=".
  explicit Override(const std::string& text);

  const std::string& key() const { return key_; }
  const Position& position() const { return value_.position(""); }

  // Sets the value in a document whose root is an object. A component given as a bare name becomes
  // {"use": name} when a key below it is set. Setting `use` of a component drops those of its keys
  // that the new one does not declare (the splits of a dataset stay). Setting the component itself
  // replaces all of it. Throws Failure(Exit::config) when KEY leads through something that has no
  // keys.
  void apply(JsonDocument& document, const IsDeclared& is_declared) const;

  // How late it is applied: a whole section before the keys inside of it, and of those `use` first,
  // which drops others. What is equal, in the order it was given.
  std::size_t rank() const { return 2 * path_.size() - (path_.back() == "use" ? 1 : 0); }

  // Throws Failure(Exit::usage) when this one sets a whole section by a value that holds the key of
  // the other, which was given before it: which of the two is meant, nobody can tell.
  void require_no_conflict(const Override& earlier) const;

 private:
  std::string key_;
  std::vector<std::string> path_;  // of the key, at least one
  JsonDocument value_;
};

// All of them as they are to be applied (rank()), whatever the order of the texts, "KEY=VALUE".
// Throws Failure(Exit::usage).
std::vector<Override> parse_overrides(const std::vector<std::string>& texts);

}  // namespace sculpt::core
