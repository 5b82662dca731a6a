// A SERIAL component gets all its calls from one thread. An extension can depend on a parameter.

#include <doctest/doctest.h>

#include <thread>

#include "problem/prediction/predictor.hpp"
#include "problem/sources/problem_planes.hpp"
#include "stub_problem.hpp"

namespace sculpt::core {
namespace {

stub::Parts parts(const std::string& oracle) {
  return {"points", "sequence", "count_errors", oracle, "{}"};
}

std::string many_points() {
  std::string text;
  for (int k = 0; k < 200; ++k) {
    text += std::to_string(k % 3) + " " + std::to_string(k % 7) + " | 1 -0.5\n";
  }
  return text;
}

TEST_CASE("a serial oracle is called from one thread, and the problem has a warning") {
  const auto problem = stub::problem(parts("serial"), many_points(), 4);
  CHECK(problem->serial_warning().find("serial") != std::string::npos);
  ProblemPlanes source(*problem, 1);
  const Vector w(static_cast<std::size_t>(problem->dimension()), 0.01);
  JointSeparation joint;
  CHECK_NOTHROW(source.separate_jointly(w, 1, JointWeight::one, joint));
  Predictor predictor(*problem, w, 1);
  CHECK(predictor.run(problem->training(), {}).examples == 200);
}

TEST_CASE("the serial stub fails in a call from a second thread") {
  const auto problem = stub::problem(parts("serial"), many_points(), 1);
  const Vector w(static_cast<std::size_t>(problem->dimension()), 0.01);
  std::string text;
  std::thread other([&] {
    try {
      Answer answer;
      problem->oracle().argmax(0, stub::query(*problem, 0, w, 1), answer);
    } catch (const Failure& failure) {
      text = failure.what();
    }
  });
  other.join();
  CHECK(text.find("called from another thread") != std::string::npos);
}

TEST_CASE("a serial oracle and the same oracle with threads give the same planes") {
  const auto one = stub::problem(parts("serial"), many_points(), 4);
  const auto many = stub::problem(parts("brute_force"), many_points(), 4);
  CHECK(many->serial_warning().empty());
  const Vector w(static_cast<std::size_t>(one->dimension()), 0.01);
  JointSeparation serial;
  JointSeparation parallel;
  ProblemPlanes(*one, 1).separate_jointly(w, 1, JointWeight::one, serial);
  ProblemPlanes(*many, 1).separate_jointly(w, 1, JointWeight::one, parallel);
  CHECK(serial.a == parallel.a);
  CHECK(serial.b == parallel.b);
}

TEST_CASE("weight bounds are offered only if a parameter switches them on") {
  stub::Parts bounded = parts("brute_force");
  const auto without = stub::problem(bounded, many_points(), 1);
  CHECK(without->features().component().extension<sculpt_ext_weight_bounds>() == nullptr);

  bounded.features_keys = R"({"nonnegative": true})";
  const auto problem = stub::problem(bounded, many_points(), 1);
  const Component& features = problem->features().component();
  const auto* const table = features.extension<sculpt_ext_weight_bounds>();
  REQUIRE(table != nullptr);
  const auto dimension = static_cast<std::size_t>(problem->dimension());
  std::vector<std::uint8_t> nonnegative(dimension, 7);
  features.call("bounds", -1, [&](sculpt_error* error) {
    return table->bounds(features.self(), nonnegative.data(), error);
  });
  REQUIRE(dimension == 3 + 9);  // one coordinate, three labels
  for (std::size_t j = 0; j < dimension; ++j) CHECK(nonnegative[j] == (j < 3 ? 0 : 1));
}

}  // namespace
}  // namespace sculpt::core
