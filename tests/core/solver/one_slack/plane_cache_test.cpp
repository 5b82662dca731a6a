// The cache of one_slack keeps the last planes of each example and makes their joint plane.

#include "solver/one_slack/plane_cache.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>

#include "core/memory_state.hpp"
#include "core/refusal.hpp"
#include "core/solver/listed_problem.hpp"
#include "linalg/products.hpp"

using namespace sculpt::core;
using namespace sculpt::core::test;

namespace {

constexpr std::size_t dimension = 20;

Separation answer(const Plane& plane, std::uint64_t output) {
  Separation made;
  made.plane = plane;
  made.output_hash = output;
  return made;
}

Vector random_weights(unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Vector w(dimension);
  for (double& value : w) value = normal(random);
  return w;
}

// The joint plane by its definition. `planes`: [n][planes] the planes of each example.
JointSeparation expected_joint(const std::vector<std::vector<Plane>>& planes, const Vector& w,
                               JointWeight weight) {
  JointSeparation joint;
  joint.a.assign(dimension, 0.0);
  const auto n = static_cast<double>(planes.size());
  for (const std::vector<Plane>& of_example : planes) {
    double low = 0;
    const Plane* best = nullptr;
    for (const Plane& plane : of_example) {
      const double violation = plane.b - dot(plane.a, w);
      if (violation > low) {
        low = violation;
        best = &plane;
      }
    }
    joint.low.push_back(low);
    if (best == nullptr) continue;
    const double share = (weight == JointWeight::slack ? low : 1) / n;
    axpy(share, best->a, joint.a);
    joint.b += share * best->b;
  }
  return joint;
}

}  // namespace

TEST_CASE("the joint plane of the cache is that of the last planes, for any number of threads") {
  const ListedProblem problem = random_multiclass(3, 40, 5, 4);
  REQUIRE(problem.dimension() == static_cast<std::int64_t>(dimension));
  constexpr std::size_t max_planes = 2;
  Workers two(2);
  for (Workers* workers : {static_cast<Workers*>(nullptr), &two}) {
    PlaneCache cache(problem.example_count(), max_planes, workers);
    std::vector<std::vector<Plane>> kept(problem.examples.size());
    for (std::size_t round = 0; round < 4; ++round) {
      for (std::size_t i = 0; i < problem.examples.size(); ++i) {
        const std::vector<Plane>& outputs = problem.examples[i];
        const std::size_t output = (i + round) % outputs.size();
        cache.add_pending(static_cast<std::int64_t>(i),
                          std::array{answer(outputs[output], output)});
        kept[i].push_back(outputs[output]);
        if (kept[i].size() > max_planes) kept[i].erase(kept[i].begin());
      }
      cache.apply_pending();
      for (const JointWeight weight : {JointWeight::one, JointWeight::slack}) {
        const Vector w = random_weights(static_cast<unsigned>(round));
        JointSeparation joint;
        cache.make_joint_plane(w, weight, joint);
        const JointSeparation expected = expected_joint(kept, w, weight);
        CHECK(joint.b == doctest::Approx(expected.b).epsilon(1e-12));
        for (std::size_t i = 0; i < joint.low.size(); ++i) {
          CHECK(joint.low[i] == doctest::Approx(expected.low[i]).epsilon(1e-12));
        }
        for (std::size_t j = 0; j < dimension; ++j) {
          CHECK(joint.a[j] == doctest::Approx(expected.a[j]).epsilon(1e-12));
        }
      }
    }
  }
}

TEST_CASE("the cache keeps a plane that the oracle finds again once, and as the latest") {
  PlaneCache cache(1, 2, nullptr);
  const auto plane = [](std::int32_t index, double b) {
    return Plane{SparseVector{{index}, {1}}, b};
  };
  const auto add = [&cache](const Plane& added, std::uint64_t output) {
    cache.add_pending(0, std::array{answer(added, output)});
    cache.apply_pending();
  };
  const auto largest_b = [&cache] {
    JointSeparation joint;
    cache.make_joint_plane(Vector(dimension, 0.0), JointWeight::one, joint);
    return joint.b;
  };
  add(plane(0, 3), 1);
  add(plane(1, 2), 2);
  add(plane(0, 3), 1);
  add(plane(2, 1), 3);  // replaces output 2
  CHECK(largest_b() == 3);
  add(plane(3, 0.5), 4);  // replaces output 1
  CHECK(largest_b() == 1);
}

TEST_CASE("pending planes change nothing before they are applied, and can be discarded") {
  PlaneCache cache(1, 2, nullptr);
  cache.add_pending(0, std::array{answer(Plane{SparseVector{{0}, {1}}, 3}, 1)});
  const auto saved = [&cache] {
    StateBuffer out;
    cache.save(out);
    return std::string(out.bytes());
  };
  const std::string before = saved();
  cache.discard_pending();
  cache.apply_pending();
  CHECK(saved() == before);
  cache.add_pending(0, std::array{answer(Plane{SparseVector{{0}, {1}}, 3}, 1)});
  CHECK(saved() == before);
  cache.apply_pending();
  CHECK(saved() != before);

  MemoryReader in(saved());
  PlaneCache loaded(1, 2, nullptr);
  loaded.load(in, dimension);
  CHECK(in.bytes_left() == 0);
  StateBuffer again;
  loaded.save(again);
  CHECK(again.bytes() == saved());
  MemoryReader too_many(saved());
  PlaneCache none(1, 0, nullptr);
  CHECK(refusal_of([&] { none.load(too_many, dimension); }).says("more planes of an example"));
}
