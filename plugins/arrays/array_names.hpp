// array_names.hpp - the names of numbered things: states, features, labels of a set, kinds of
// edges.
//
// Held by arrays_dataset.hpp. A caller may give names; else a number is its own name.
#pragma once

#include <sculpt/sculpt.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

class ArrayNames {
 public:
  // `thing`: what is named, for messages: "state".
  explicit ArrayNames(const char* thing) : thing_(thing) {}

  // Learns from train. `names` is nullptr, or names[count], which are copied.
  void learn(std::int64_t count, const char* const* names);
  // Throws data_error if later data give another name to a number that train has.
  void check(std::int64_t count, const char* const* names) const;

  std::int64_t count() const { return count_; }
  bool are_given() const { return !names_.empty(); }
  // Throws E_INVALID if there is no such number.
  std::string of(std::int64_t number) const;
  // -1 if there is no such name.
  std::int64_t find(std::string_view name) const;
  // True if a name contains the character, so that it cannot separate names.
  bool contain(char character) const;
  // A list for messages: "(a, b, c)", at most the first ten.
  std::string list() const;

  void save(sculpt::StateWriter& writer) const;
  void restore(sculpt::StateReader& reader);

 private:
  const char* thing_;
  std::int64_t count_ = 0;
  std::vector<std::string> names_;  // [count]; empty: the numbers
};
