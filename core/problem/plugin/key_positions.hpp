// key_positions.hpp - finds the position in an experiment of the key that a component refuses.
//
// Filled by assembly.cpp, read by Problem. A component names the refused value only in its message
// ("labels has '9..1'"). So the message is searched for the key. The position is a file with line
// and column, a --set, or a text with an environment variable.
#pragma once

#include <string>
#include <vector>

namespace sculpt::core {

struct KeyPosition {
  std::string key;       // "labels"
  std::string item;      // text of the list item at this position; "": the whole key
  std::string position;  // "x.json:3:14", "--set dataset.labels=7"
};

// Returns the position of the first key that the message names. If the message quotes an item of
// its list, returns the position of that item. "" if the message names no key.
std::string position_of_key(const std::vector<KeyPosition>& keys, const std::string& message);

}  // namespace sculpt::core
