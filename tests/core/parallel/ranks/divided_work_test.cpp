// What is measured of the work that ranks share.

#include "parallel/ranks/divided_work.hpp"

#include <doctest/doctest.h>

#include <functional>

#include "objective/example_mean.hpp"
#include "parallel/ranks/shared_items.hpp"

using namespace sculpt::core;

namespace {

// A step about `count` items of 8 bytes each.
void ask(DividedWork& work, const char* step, std::int64_t count) {
  const auto save = [](std::int64_t k, StateWriter& out) { out.put(k); };
  const auto load = [](std::int64_t, StateReader&) {};
  share_items(
      {nullptr, &work}, StepItems{step, count, std::identity()},
      [](std::int64_t, std::int64_t, StepParts*) {}, save, load);
}

}  // namespace

TEST_CASE("steps are counted by their name and their size up to a factor of two") {
  DividedWork work;
  for (const std::int64_t count : {100, 64, 127, 128, 3}) ask(work, "separation", count);
  ask(work, "predictions", 64);
  REQUIRE(work.groups().size() == 4);
  const StepGroup& first = work.groups().front();
  CHECK(first.step == "separation");
  CHECK(first.steps == 3);
  CHECK(first.parts == 291);
  CHECK(work.groups()[1].parts == 128);
  CHECK(work.groups()[2].parts == 3);
  CHECK(work.groups()[3].step == "predictions");
}

TEST_CASE("the bytes of answers follow from some of them") {
  DividedWork work;
  ask(work, "separation", 1000);
  ask(work, "separation", 1000);
  CHECK(work.groups().front().bytes == doctest::Approx(16000));
}

TEST_CASE("few small steps are measured, and stand for all of them") {
  DividedWork work;
  for (int k = 0; k < 1600; ++k) ask(work, "separation", 1);
  CHECK(work.groups().front().steps == 1600);
  CHECK(work.groups().front().bytes == doctest::Approx(8 * 1600).epsilon(0.02));
}

TEST_CASE("a sum over the examples has its ranges, and the length of its vector") {
  DividedWork work;
  ExampleMean mean(nullptr, {nullptr, &work});
  Vector out;
  for (int k = 0; k < 2; ++k) {
    mean.add_up(1000, 50, [](std::int64_t, std::int64_t, int, ExampleMean::Chunk&) {});
    mean.mean(out);
  }
  REQUIRE(work.groups().size() == 1);
  const StepGroup& group = work.groups().front();
  CHECK(group.steps == 2);
  CHECK(group.parts == 2 * ExampleMean::chunk_count(1000, 50));
  CHECK(group.vector_bytes == 400);
  CHECK(group.adding_seconds > 0);
}
