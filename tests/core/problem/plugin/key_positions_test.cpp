// Finds the key of an experiment that the message of a component names.

#include "problem/plugin/key_positions.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;

TEST_CASE("the key that a message names first is found, as a whole word") {
  const std::vector<KeyPosition> keys = {
      {"label", "", "x.json:1:1"}, {"labels", "", "x.json:2:1"}, {"order", "", "x.json:3:1"}};
  CHECK(position_of_key(keys, "label must be 1") == "x.json:1:1");
  CHECK(position_of_key(keys, "labels has '9..1'") == "x.json:2:1");
  CHECK(position_of_key(keys, "the order of labels") == "x.json:3:1");
  CHECK(position_of_key(keys, "my_label, relabel, label2 and label") == "x.json:1:1");
  CHECK(position_of_key(keys, "my_label, relabel and label2").empty());
  CHECK(position_of_key(keys, "something else").empty());
  CHECK(position_of_key({}, "label").empty());
}

TEST_CASE("an item of a list is found if the message quotes it, else the list is found") {
  const std::vector<KeyPosition> keys = {{"labels", "", "x.json:2:1"},
                                         {"labels", "a..b", "x.json:2:12"},
                                         {"labels", "9..1", "x.json:2:20"}};
  CHECK(position_of_key(keys, "labels has '9..1'") == "x.json:2:20");
  CHECK(position_of_key(keys, "labels has 'a..b'") == "x.json:2:12");
  CHECK(position_of_key(keys, "labels has 9..1") == "x.json:2:1");
}
