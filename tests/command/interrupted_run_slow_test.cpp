// Runs that are killed at random moments and resumed, fifty times. Label "slow".

#include <doctest/doctest.h>

#include "command/interrupted_run.hpp"

using namespace sculpt::test;

TEST_CASE("fifty runs that are killed at random moments and resumed leave the same models") {
  const Scratch scratch;
  write_noisy_experiment(scratch);
  std::mt19937_64 random(50);
  const std::vector<Variant> all = variants();
  std::vector<double> seconds;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Outcome plain =
        scratch.sculpt(train_command(all[k], "plain" + std::to_string(k), {"--threads", "1"}));
    INFO(plain.err);
    REQUIRE((plain.exit == 0 || plain.exit == 3));
    seconds.push_back(scratch.finished("plain" + std::to_string(k))["seconds"]);
  }
  int hits = 0;
  for (std::size_t round = 0; hits < 50 && round < 500; ++round) {
    const std::size_t k = round % all.size();
    CAPTURE(all[k].name);
    fs::remove_all(scratch / "run");
    hits += train_killed(scratch, all[k], "run", 1, seconds[k], random);
    CHECK(same_model(scratch, "plain" + std::to_string(k), "run"));
  }
  CHECK(hits == 50);
}
