// grid.hpp - the points of a sweep: the product of the values of its keys.
//
// Made by the command sweep out of its --set KEY=VALUE,VALUE,...; the first key varies slowest.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sculpt::core {

struct GridKey {
  std::string name;                 // "solver.C"
  std::vector<std::string> values;  // as --set of train takes them, at least one, all different

  std::string text() const;  // "solver.C=1,10", as the user wrote it
  // Whether it is the key `section` or one inside of it.
  bool is_in(const std::string& section) const;
};

// The parts of a text at its commas; those inside of brackets, braces and double quotes divide
// nothing.
std::vector<std::string> split_at_commas(const std::string& text);

class Grid {
 public:
  // Throws Failure(Exit::usage)
  // without a key or "=", for a value that is empty, and for a key or value that comes twice.
  explicit Grid(const std::vector<std::string>& texts);

  const std::vector<GridKey>& keys() const { return keys_; }
  std::size_t size() const;  // points, at least one

  // The position of its value for each key.
  std::vector<std::size_t> positions(std::size_t point) const;
  // [keys] "KEY=VALUE"
  std::vector<std::string> sets(std::size_t point) const;
  // The value of a key at a point; "": it is not swept.
  std::string value(std::size_t point, const std::string& key) const;

 private:
  std::vector<GridKey> keys_;
};

}  // namespace sculpt::core
