// class_plane.hpp - planes of rows with classes, for the tests of the QP and of the solvers.
#pragma once

#include <cstddef>
#include <vector>

#include "linalg/vector.hpp"

namespace sculpt::core::test {

// psi(x, label) - psi(x, other). [classes * size of x] The weights of a class are consecutive.
inline Vector class_plane(const std::vector<double>& x, std::size_t classes, std::size_t label,
                          std::size_t other) {
  Vector a(x.size() * classes, 0.0);
  for (std::size_t j = 0; j < x.size(); ++j) {
    a[label * x.size() + j] = x[j];
    a[other * x.size() + j] = -x[j];
  }
  return a;
}

}  // namespace sculpt::core::test
