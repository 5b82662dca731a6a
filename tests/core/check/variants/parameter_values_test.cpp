// The values of a parameter that `sculpt check` tries.

#include "check/variants/parameter_values.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sculpt/sculpt.hpp>

using namespace sculpt::core;
using Json = nlohmann::ordered_json;
using Texts = std::vector<std::string>;

TEST_CASE("integer parameters are tried at both ends, at 1 and at 2") {
  const sculpt_parameter order = sculpt::integer("order", "1", 1, 5, "");
  CHECK(other_values(order, Json(1)) == Texts{"2", "5"});
  CHECK(other_values(order, Json(3)) == Texts{"1", "2", "5"});
  const sculpt_parameter window = sculpt::integer("window", "0", 0, 20, "");
  CHECK(other_values(window, Json(0)) == Texts{"1", "2", "20"});
  const sculpt_parameter max_cells = sculpt::integer("max_cells", "1000", 3, 1e15, "");
  CHECK(other_values(max_cells, Json(1000)) == Texts{"3"});
  CHECK(other_values(max_cells, Json(5)) == Texts{"3", "1000"});
  const sculpt_parameter fold = sculpt::integer("fold", "null", -4, 1e9, "");
  CHECK(other_values(fold, Json()) == Texts{"-4", "1", "2"});
  CHECK(other_values(fold, Json(1)) == Texts{"-4", "2", "null"});
  const sculpt_parameter any = sculpt::integer("any", "0", -1e15, 1e15, "");
  CHECK(other_values(any, Json(0)) == Texts{"1", "2"});
}

TEST_CASE("boolean parameters and choices are tried with every other value") {
  CHECK(other_values(sculpt::boolean("bias", "true", ""), Json(true)) == Texts{"false"});
  const sculpt_parameter mode = sculpt::choice("mode", R"("b")", "a|b|c", "");
  CHECK(other_values(mode, Json("b")) == Texts{R"("a")", R"("c")"});
}

TEST_CASE("lists are tried empty, with each value alone, and with all choices") {
  const sculpt_parameter counts = sculpt::list_of(sculpt::integer("counts", "[1, 2]", 1, 9, ""));
  CHECK(other_values(counts, Json({1, 2})) == Texts{"[]", "[1]", "[2]", "[9]"});
  CHECK(other_values(counts, Json({9})) == Texts{"[]", "[1]", "[2]", "[1,2]"});
  const sculpt_parameter groups = sculpt::list_of(sculpt::choice("groups", "[]", "a|b", ""));
  CHECK(other_values(groups, Json::array()) == Texts{R"(["a"])", R"(["b"])", R"(["a","b"])"});
}

TEST_CASE("parameters of other types are not changed") {
  CHECK(other_values(sculpt::real("C", "1", 0, 10, ""), Json(1)).empty());
  CHECK(other_values(sculpt::text("name", R"("a")", ""), Json("a")).empty());
}
