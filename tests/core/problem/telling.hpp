// telling.hpp - a toy problem with its expectations, for the tests of them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/problem/separation.hpp"
#include "problem/sources/problem_ports.hpp"

namespace sculpt::core {

// Both kinds of oracles tell of two examples, of three positions and of two.
inline void plan_telling() {
  toy_plan() = {};
  toy_plan().training = {{{0, 1, 2}, {0, 1, 2}}, {{3, 1}, {2, 1}}};
  toy_plan().offers_expectations = true;
}

// By the plan in force; asks at w = 0 unless other weights are set.
class Telling {
 public:
  explicit Telling(const std::vector<const sculpt_component*>& oracles, bool guard = false)
      : problem_(choices(oracles, guard), Purpose::training, 1, {}), ports_(problem_, 5) {}
  explicit Telling(const sculpt_component& oracle, bool guard = false)
      : Telling(std::vector<const sculpt_component*>{&oracle}, guard) {}

  void set_weights(Vector w) { w_ = std::move(w); }
  std::string obstacle() { return ports_.ports().obstacle_to(Port::expectations); }
  ExpectationSource& source() { return *ports_.ports().expectations; }

  Expectation mean_of(std::int64_t example) {
    std::vector<Expectation> out;
    source().expect(w_, std::vector<std::int64_t>{example}, 1, out);
    return out.front();
  }
  MeanExpectation mean(const Pass& pass = 1) {
    MeanExpectation out;
    source().expect_jointly(w_, pass, out);
    return out;
  }
  // Along v = (1/2, ..., 1/2).
  Vector covariance(const Pass& pass = 1) {
    Vector out;
    source().covariance_times(w_, Vector(21, 0.5), pass, out);
    return out;
  }

 private:
  static ProblemSpec choices(const std::vector<const sculpt_component*>& oracles, bool guard) {
    ProblemSpec made = toy_choices(*oracles.front());
    made.oracles.resize(oracles.size());
    for (std::size_t k = 0; k < oracles.size(); ++k) made.oracles[k].description = oracles[k];
    made.guard = guard;
    return made;
  }

  Problem problem_;
  ProblemPorts ports_;
  Vector w_ = Vector(21, 0.0);
};

}  // namespace sculpt::core
