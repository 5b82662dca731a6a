// The points of a sweep.

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

TEST_CASE("a grid is the product of its keys, the first one slowest") {
  const Grid grid({"solver.C=1,10,100", "oracle.use=viterbi", "loss=hamming,zero_one"});
  REQUIRE(grid.size() == 6);
  CHECK(grid.sets(0) == Words{"solver.C=1", "oracle.use=viterbi", "loss=hamming"});
  CHECK(grid.sets(1) == Words{"solver.C=1", "oracle.use=viterbi", "loss=zero_one"});
  CHECK(grid.sets(5) == Words{"solver.C=100", "oracle.use=viterbi", "loss=zero_one"});
  CHECK(grid.value(4, "solver.C") == "100");
  CHECK(grid.value(4, "solver.use").empty());
}

TEST_CASE("without keys there is one point") {
  const Grid grid(Words{});
  CHECK(grid.size() == 1);
  CHECK(grid.sets(0).empty());
}

TEST_CASE("commas inside of brackets, braces and quotes divide nothing") {
  const Grid grid({R"(features={"use":"chain","bias":true},{"use":"chain","n":[1,2]})",
                   R"(x=[1,[2,3]],"a,\"b,",c)"});
  REQUIRE(grid.keys().size() == 2);
  CHECK(grid.keys()[0].values ==
        Words{R"({"use":"chain","bias":true})", R"({"use":"chain","n":[1,2]})"});
  CHECK(grid.keys()[1].values == Words{"[1,[2,3]]", R"("a,\"b,")", "c"});
}

TEST_CASE("grids that are not meant are refused") {
  check_refused({"solver.C"}, "--set solver.C: KEY=VALUE");
  check_refused({"=1"}, "KEY=VALUE");
  check_refused({"solver.C="}, "a value is empty");
  check_refused({"solver.C=1,,2"}, "a value is empty");
  check_refused({"solver.C=1,2,1"}, "the value 1 comes twice");
  check_refused({"solver.C=1", "solver.C=2"}, "the key comes twice");
}
