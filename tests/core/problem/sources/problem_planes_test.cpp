// ProblemPlanes: planes and joint planes, their outputs, seeds and stamps.

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "core/problem/separation.hpp"
#include "linalg/products.hpp"

using namespace sculpt::core;

TEST_CASE("threads: b - <w, a> of each plane is the lower bound of its separation") {
  toy_plan() = random_toy(100, 2);
  const Vector w = random_weights(2);
  int violated = 0;
  for (const Separation& one : separate_all(toy_oracle(), 2, w)) {
    CHECK(one.low == doctest::Approx(one.plane.b - dot(one.plane.a, w)).epsilon(1e-12));
    CHECK(one.high >= one.low);
    CHECK(one.high == doctest::Approx(one.low).epsilon(1e-9));
    CHECK(one.high >= 0);
    violated += one.low > 0 ? 1 : 0;
  }
  CHECK(violated > 20);
}

TEST_CASE("threads: planes of a map_solver are those of an oracle that lists all outputs") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    toy_plan() = random_toy(50, seed);
    const Vector w = random_weights(seed);
    const auto direct = separate_all(toy_oracle(), 1, w);
    const auto adapted = separate_all(toy_map_solver(), 2, w);
    REQUIRE(direct.size() == adapted.size());
    for (std::size_t i = 0; i < direct.size(); ++i) {
      CHECK(direct[i].output_hash == adapted[i].output_hash);
      CHECK(direct[i].low == adapted[i].low);
      CHECK(direct[i].high == doctest::Approx(adapted[i].high));
    }
  }
}

TEST_CASE("threads: one, two and four threads give the same bytes") {
  toy_plan() = random_toy(300, 3);
  const Vector w = random_weights(3);
  for (const sculpt_component* oracle :
       {&toy_oracle(), &toy_map_solver(), &toy_parallel_oracle()}) {
    const auto one = separate_all(*oracle, 1, w);
    const auto joint = joint_of(*oracle, 1, w);
    for (int threads : {2, 4}) {
      CHECK(same(one, separate_all(*oracle, threads, w)));
      const auto other = joint_of(*oracle, threads, w);
      CHECK(same_bytes(joint.a, other.a));
      CHECK(std::memcmp(&joint.b, &other.b, sizeof joint.b) == 0);
      CHECK(same_bytes(joint.low, other.low));
      CHECK(same_bytes(joint.high, other.high));
    }
  }
}

TEST_CASE("the features of a truth are computed once, before training") {
  toy_plan() = random_toy(40, 8);
  std::atomic<int> calls = 0;
  toy_plan().inject_error = [&calls](const std::string& function, std::int64_t) {
    calls += function == "features.accumulate" ? 1 : 0;
    return SCULPT_OK;
  };
  Problem problem(toy_spec(toy_oracle(), Formulation()), Purpose::training, 2, {});
  CHECK(calls.load() == 40);
  ProblemPlanes source(problem, 5);
  std::vector<Separation> all;
  source.separate(random_weights(8), first(40), 1, all);
  CHECK(calls.load() == 80);  // one more for each guess
  toy_plan() = {};
}

TEST_CASE("threads: the joint plane is the mean of the violated planes") {
  toy_plan() = random_toy(70, 4);
  const Vector w = random_weights(4);
  const auto all = separate_all(toy_oracle(), 1, w);
  const JointSeparation joint = joint_of(toy_oracle(), 2, w);
  Vector sum(toy_weight_count, 0.0);
  double b = 0;
  double violation = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(joint.low[i] == all[i].low);
    CHECK(joint.high[i] == all[i].high);
    violation += std::max(0.0, all[i].low) / 70;
    if (all[i].low <= 0) continue;
    axpy(1.0 / 70, all[i].plane.a, sum);
    b += all[i].plane.b / 70;
  }
  for (std::size_t j = 0; j < toy_weight_count; ++j) CHECK(joint.a[j] == doctest::Approx(sum[j]));
  CHECK(joint.b == doctest::Approx(b));
  CHECK(joint.b - dot(joint.a, w) == doctest::Approx(violation));
}

TEST_CASE("threads: weighted by slacks the joint plane is the mean of each plane times its slack") {
  for (const Rescaling rescaling : {Rescaling::margin, Rescaling::slack}) {
    for (const bool frontier : {false, true}) {
      CAPTURE(frontier);
      const Formulation formulation{rescaling, 2, 1};
      toy_plan() = random_toy(70, 4);
      toy_plan().offers_frontier = frontier;
      if (frontier) toy_plan().counts = {{"errors", INT64_MAX, 0, 0}};
      const Vector w = random_weights(4);
      const auto all = separate_all(toy_oracle(), 1, w, formulation);
      const JointSeparation joint = joint_of(toy_oracle(), 2, w, formulation, JointWeight::slack);
      Vector sum(toy_weight_count, 0.0);
      double b = 0;
      double square = 0;
      std::size_t violated = 0;
      for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(joint.low[i] == all[i].low);
        CHECK(joint.high[i] == all[i].high);
        if (all[i].low <= 0) continue;
        ++violated;
        axpy(all[i].low / 70, all[i].plane.a, sum);
        b += all[i].low / 70 * all[i].plane.b;
        square += all[i].low / 70 * all[i].low;
      }
      CHECK(violated > 20);
      for (std::size_t j = 0; j < toy_weight_count; ++j) {
        CHECK(joint.a[j] == doctest::Approx(sum[j]).epsilon(1e-12));
      }
      CHECK(joint.b == doctest::Approx(b).epsilon(1e-12));
      CHECK(joint.b - dot(joint.a, w) == doctest::Approx(square).epsilon(1e-12));
    }
  }
}

TEST_CASE("equal outputs have equal hashes, different outputs have different hashes") {
  toy_plan() = {};
  toy_plan().training = {{{0, 1}, {0, 0}}, {{0, 1}, {0, 0}}, {{0, 1, 1}, {1, 1, 1}}, {{}, {}}};
  const auto all = separate_all(toy_oracle(), 1, random_weights(5));
  CHECK(all[0].output_hash == all[1].output_hash);
  CHECK(all[0].output_hash != all[2].output_hash);
  CHECK(all[3].plane.a.index.empty());  // the only output is the truth
  CHECK(all[3].low == 0);
  CHECK(all[3].high == 0);
}

TEST_CASE("seeds depend on run, pass and example, and stamps never repeat") {
  toy_plan() = random_toy(3, 1);
  std::vector<std::uint64_t> seeds;
  std::vector<std::uint64_t> stamps;
  toy_plan().change_answer = [&](const sculpt_query& query, sculpt_answer&) {
    seeds.push_back(query.seed);
    stamps.push_back(query.weights.stamp);
    CHECK(reinterpret_cast<std::uintptr_t>(query.weights.data) % 64 == 0);
    CHECK(query.loss_weight == 1);
  };
  Problem problem(toy_spec(toy_oracle()), Purpose::training, 1, {});
  const Vector w = zero_weights();
  std::vector<Separation> all;
  for (std::uint64_t run : {1U, 2U}) {
    for (std::uint64_t pass : {1U, 2U, 1U}) {
      ProblemPlanes(problem, run).separate(w, first(3), pass, all);
    }
  }
  REQUIRE(seeds.size() == 18);
  CHECK(std::vector<std::uint64_t>(seeds.begin(), seeds.begin() + 3) ==
        std::vector<std::uint64_t>(seeds.begin() + 6, seeds.begin() + 9));
  std::vector<std::uint64_t> distinct = seeds;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  CHECK(distinct.size() == 12);
  CHECK(stamps[0] == stamps[2]);
  CHECK(stamps[0] != stamps[3]);
  CHECK(stamps[0] != stamps[6]);
  CHECK(stamps[0] != 0);
}
