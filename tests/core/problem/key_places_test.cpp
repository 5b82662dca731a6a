// Which key of an experiment a component's message is about.

#include "problem/key_places.hpp"

#include <doctest/doctest.h>

using namespace sculpt::core;

TEST_CASE("the key that a message names first is found, as a whole word") {
  const std::vector<KeyPlace> keys = {
      {"label", "", "x.json:1:1"}, {"labels", "", "x.json:2:1"}, {"order", "", "x.json:3:1"}};
  CHECK(place_of_named(keys, "label must be 1") == "x.json:1:1");
  CHECK(place_of_named(keys, "labels has '9..1'") == "x.json:2:1");
  CHECK(place_of_named(keys, "the order of labels") == "x.json:3:1");
  CHECK(place_of_named(keys, "my_label, relabel, label2 and label") == "x.json:1:1");
  CHECK(place_of_named(keys, "my_label, relabel and label2").empty());
  CHECK(place_of_named(keys, "something else").empty());
  CHECK(place_of_named({}, "label").empty());
}

TEST_CASE("an item of a list is found where the message quotes it, else the list") {
  const std::vector<KeyPlace> keys = {{"labels", "", "x.json:2:1"},
                                      {"labels", "a..b", "x.json:2:12"},
                                      {"labels", "9..1", "x.json:2:20"}};
  CHECK(place_of_named(keys, "labels has '9..1'") == "x.json:2:20");
  CHECK(place_of_named(keys, "labels has 'a..b'") == "x.json:2:12");
  CHECK(place_of_named(keys, "labels has 9..1") == "x.json:2:1");
}
