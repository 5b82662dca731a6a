// grid.hpp - the points of a sweep: the product of the values of its keys.
//
// Made by the command sweep from its --set KEY=VALUE,VALUE,... options. The first key varies
// slowest.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sculpt::core {

struct GridKey {
  std::string name;                 // "solver.C"
  std::vector<std::string> values;  // as for --set of train; at least one, all different

  std::string text() const;  // "solver.C=1,10", as the user wrote it
  // True if it is the key `section` or a key inside it.
  bool is_in(const std::string& section) const;
};

// The parts of a text between its commas. Commas inside brackets, braces and double quotes do not
// split.
std::vector<std::string> split_at_commas(const std::string& text);

class Grid {
 public:
  // Throws Failure(Exit::usage) if the key or "=" is missing, a value is empty, or a key or value
  // appears twice.
  explicit Grid(const std::vector<std::string>& texts);

  const std::vector<GridKey>& keys() const { return keys_; }
  std::size_t size() const;  // number of points, at least one

  // [keys] the position of its value for each key.
  std::vector<std::size_t> positions(std::size_t point) const;
  // [keys] "KEY=VALUE".
  std::vector<std::string> settings(std::size_t point) const;
  // The value of a key at a point; "" if the key is not swept.
  std::string value(std::size_t point, const std::string& key) const;

 private:
  std::vector<GridKey> keys_;
};

}  // namespace sculpt::core
