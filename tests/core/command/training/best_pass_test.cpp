// The passes after which a run is validated, and the best of them.

#include "command/training/best_pass.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace sculpt::core;

TEST_CASE("validation: the first of equal passes is the best, the last one if it wins ties") {
  BestPass best({.every = 5});
  CHECK_FALSE(best.exists());
  CHECK(best.next_pass() == 5);
  CHECK(best.add(5, 0.4, false, false));
  CHECK(best.add(10, 0.3, false, false));
  CHECK_FALSE(best.add(15, 0.3, false, false));
  CHECK(best.pass() == 10);
  CHECK(best.next_pass() == 20);
  CHECK(best.add(17, 0.3, false, true));
  CHECK(best.pass() == 17);
  CHECK(best.next_pass() == 20);
}

TEST_CASE("validation: higher values may be better") {
  BestPass best({.every = 1});
  CHECK(best.add(1, 0, true, false));  // also if the first value is the worst
  CHECK(best.add(2, 0.7, true, false));
  CHECK_FALSE(best.add(3, 0.6, true, false));
  CHECK(best.value() == 0.7);
  CHECK(best.last_value() == 0.6);
}

TEST_CASE("validation: patience counts validations since the best one, also when resumed") {
  BestPass best({.every = 2, .patience = 2});
  best.add(2, 0.5, false, false);
  best.add(4, 0.6, false, false);
  CHECK_FALSE(best.patience_is_over());
  BestPass resumed({.every = 2, .patience = 2});
  resumed.load(best.state());
  resumed.add(6, 0.55, false, false);
  CHECK(resumed.patience_is_over());
  CHECK(resumed.pass() == 2);
  resumed.add(8, 0.1, false, false);
  CHECK_FALSE(resumed.patience_is_over());
  BestPass endless({.every = 2});
  for (int pass = 2; pass < 50; pass += 2) endless.add(pass, pass, false, false);
  CHECK_FALSE(endless.patience_is_over());
}
