// Names of new plugins, and of their classes.

#include "command/new/plugin_name.hpp"

#include <doctest/doctest.h>

#include "base/failure.hpp"

using namespace sculpt::core;

TEST_CASE("names of classes follow the name of a plugin") {
  CHECK(class_name_of("tagger") == "Tagger");
  CHECK(class_name_of("my_tagger") == "MyTagger");
  CHECK(class_name_of("my_2_taggers") == "My2Taggers");
  CHECK(class_name_of("x") == "X");
}

TEST_CASE("no class has the name of a macro in capitals") {
  CHECK(class_name_of("n_a_n") == "Nan");
  CHECK(class_name_of("m_1_p_i") == "M1pi");
}

TEST_CASE("every word in small letters, digits and _ is a name, but for a few") {
  for (const char* name :
       {"a", "tagger", "my_tagger", "my_2", "inte", "classes", "tests", "my_sculpt"}) {
    CAPTURE(name);
    CHECK_NOTHROW(require_plugin_name(name));
  }
  for (const char* name : {"", "2", "_a", "a_", "a__b", "A", "int", "alignas", "xor_eq", "char16_t",
                           "test", "rebuild_cache", "sculpt", "sculpt_x"}) {
    CAPTURE(name);
    CHECK_THROWS_AS(require_plugin_name(name), Failure);
  }
}
