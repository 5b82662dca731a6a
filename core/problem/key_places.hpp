// key_places.hpp - where the keys of a component are written, for what it refuses itself.
//
// Filled by assembly.cpp, read by Problem. A component only says in words which value it refuses
// ("labels has '9..1'"), so the key is looked for in its message. The place may be a file with line
// and column, a --set, or a text with a variable of the environment.
#pragma once

#include <string>
#include <vector>

namespace sculpt::core {

struct KeyPlace {
  std::string key;    // "labels"
  std::string item;   // of an item of its list: the text of that; else ""
  std::string place;  // "x.json:3:14", "--set dataset.labels=7"
};

// The place of the key that the message names first, and of its item if the message quotes one; ""
// where it names none of them.
std::string place_of_named(const std::vector<KeyPlace>& keys, const std::string& message);

}  // namespace sculpt::core
