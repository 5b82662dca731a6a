// moments.hpp - the moments that the systems of moment_objective.hpp are made of: exact ones, or
// those of samples.
//
//   A = 1/n sum of c_i C_i,   for soda + 1/n sum of c_i b_i b_i'
//   b = 1/n sum of c_i b_i,   or that of a loss_weight
//
// Made by MomentSystem: ExactMoments or SampledMoments. Vectors are [dimension]. All functions
// throw what the ports throw; their results are then invalid.
#pragma once

#include <cstdint>

#include "linalg/vector.hpp"
#include "objective/pass.hpp"

namespace sculpt::core {

class Moments {
 public:
  virtual ~Moments() = default;

  // Returns the number of examples without output. [main]
  virtual std::int64_t compute_b(const Pass& pass, Vector& b) = 0;
  // out = A v. A run that resumes need not call compute_b() before. [main]
  virtual void multiply(const Pass& pass, const Vector& v, Vector& out) = 0;

  // Oracle calls of the functions above. Those of multiply() are known after its first call, and
  // do not count what a resumed run asks again. [any]
  virtual std::int64_t calls_of_b() const = 0;
  virtual std::int64_t calls_of_product() const = 0;
};

}  // namespace sculpt::core
