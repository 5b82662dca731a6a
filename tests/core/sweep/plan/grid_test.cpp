// The grid of a sweep: the points that the values of its keys make.

#include <doctest/doctest.h>

#include "core/refusal.hpp"
#include "sweep/plan/grid.hpp"

using namespace sculpt::core;

namespace {

using Words = std::vector<std::string>;

void check_refused(const Words& texts, const std::string& part) {
  const Refusal refusal = refusal_of([&] { Grid{texts}; });
  CAPTURE(refusal.text);
  CHECK(refusal.exit == Exit::usage);
  CHECK(refusal.says(part));
}

}  // namespace

TEST_CASE("a grid has all combinations of values, and its last key changes fastest") {
  const Grid grid({"solver.C=1,10,100", "oracle.use=viterbi", "loss=hamming,zero_one"});
  REQUIRE(grid.size() == 6);
  CHECK(grid.settings(0) == Words{"solver.C=1", "oracle.use=viterbi", "loss=hamming"});
  CHECK(grid.settings(1) == Words{"solver.C=1", "oracle.use=viterbi", "loss=zero_one"});
  CHECK(grid.settings(5) == Words{"solver.C=100", "oracle.use=viterbi", "loss=zero_one"});
  CHECK(grid.value(4, "solver.C") == "100");
  CHECK(grid.value(4, "solver.use").empty());
}

TEST_CASE("a grid without keys has one point") {
  const Grid grid(Words{});
  CHECK(grid.size() == 1);
  CHECK(grid.settings(0).empty());
}

TEST_CASE("commas within brackets, braces and quotes do not separate values of a grid") {
  const Grid grid({R"(features={"use":"chain","bias":true},{"use":"chain","n":[1,2]})",
                   R"(x=[1,[2,3]],"a,\"b,",c)"});
  REQUIRE(grid.keys().size() == 2);
  CHECK(grid.keys()[0].values ==
        Words{R"({"use":"chain","bias":true})", R"({"use":"chain","n":[1,2]})"});
  CHECK(grid.keys()[1].values == Words{"[1,[2,3]]", R"("a,\"b,")", "c"});
}

TEST_CASE("a grid is refused if a value is missing, or a key or value appears twice") {
  check_refused({"solver.C"}, "--set solver.C: KEY=VALUE");
  check_refused({"=1"}, "KEY=VALUE");
  check_refused({"solver.C="}, "a value is empty");
  check_refused({"solver.C=1,,2"}, "a value is empty");
  check_refused({"solver.C=1,2,1"}, "the value 1 appears twice");
  check_refused({"solver.C=1", "solver.C=2"}, "the key appears twice");
}
