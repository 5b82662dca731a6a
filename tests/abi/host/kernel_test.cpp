// Kernel atoms: if phi is the identity, coefficients and scores of atoms agree with the dense
// features.

#include <doctest/doctest.h>

#include <cmath>

#include "linalg/products.hpp"
#include "point_sequences.hpp"

namespace sculpt::core {
namespace {

// phi of each atom, in the numbering over all examples.
const double atom[4][2] = {{0.5, -1.0}, {1.5, 0.25}, {-0.5, 2.0}, {1.0, 1.0}};

struct Atoms {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};
Atoms atoms_of(const Component& features, const sculpt_ext_kernel_atoms& table,
               std::int64_t example) {
  Atoms atoms;
  features.call("atoms", example, [&](sculpt_error* error) {
    return table.atoms(features.self(), example, &atoms.begin, &atoms.end, error);
  });
  return atoms;
}

TEST_CASE("atoms are numbered over all examples, and each label is a block") {
  const auto problem = stub::problem(stub::sequences, stub::points, 1);
  const Component& features = problem->features().component();
  const auto* const table = features.extension<sculpt_ext_kernel_atoms>();
  REQUIRE(table != nullptr);
  sculpt_kernel_shape shape = {};
  shape.struct_size = sizeof shape;
  features.call("shape", -1,
                [&](sculpt_error* error) { return table->shape(features.self(), &shape, error); });
  CHECK(shape.block_count == 3);
  CHECK(shape.linear_dimension == 3 * 3);
  CHECK(atoms_of(features, *table, 0).begin == 0);
  CHECK(atoms_of(features, *table, 0).end == 1);
  CHECK(atoms_of(features, *table, 1).begin == 1);
  CHECK(atoms_of(features, *table, 1).end == 4);
}

TEST_CASE("coefficients of atoms and the linear part give psi") {
  const auto problem = stub::problem(stub::sequences, stub::points, 1);
  const Component& features = problem->features().component();
  const auto& table = *features.extension<sculpt_ext_kernel_atoms>();
  stub::OneSession session(features);
  for (const auto& y : stub::all_outputs(3, 3)) {
    SparseAccumulator coefficients(3 * 3);
    SparseAccumulator linear(3 * 3);
    features.call("accumulate", 1, [&](sculpt_error* error) {
      return table.accumulate(session.raw(), 1, {y.data(), 3}, 2.0, coefficients.raw(),
                              linear.raw(), error);
    });
    CHECK(coefficients.fault().empty());
    CHECK(linear.fault().empty());
    SparseVector part;
    Vector total(static_cast<std::size_t>(problem->dimension()), 0.0);
    coefficients.merge(part);
    for (std::size_t k = 0; k < part.index.size(); ++k) {
      const auto at = static_cast<std::size_t>(part.index[k]);
      for (std::size_t c = 0; c < 2; ++c) {
        total[at % 3 * 2 + c] += part.value[k] * atom[1 + at / 3][c];
      }
    }
    linear.merge(part);
    for (std::size_t k = 0; k < part.index.size(); ++k) {
      total[static_cast<std::size_t>(part.index[k]) + 3 * 2] += part.value[k];
    }
    axpy(-2.0, stub::psi(*problem, 1, y), total);
    CHECK(squared_norm(total) == doctest::Approx(0));
  }
}

TEST_CASE("potentials from the scores of atoms add up to <w, psi>") {
  const auto problem = stub::problem(stub::sequences, stub::points, 1);
  const Component& features = problem->features().component();
  const auto& table = *features.extension<sculpt_ext_kernel_atoms>();
  stub::OneSession session(features);
  Vector w(15);
  for (std::size_t j = 0; j < w.size(); ++j) w[j] = std::cos(static_cast<double>(j));
  const Vector transitions(w.begin() + 6, w.end());
  std::vector<double> scores;  // [atoms][labels]
  for (std::size_t t = 1; t < 4; ++t) {
    for (std::size_t label = 0; label < 3; ++label) {
      scores.push_back(w[2 * label] * atom[t][0] + w[2 * label + 1] * atom[t][1]);
    }
  }
  std::vector<double> theta(3 * 3 + 2 * 9);
  features.call("potentials", 1, [&](sculpt_error* error) {
    return table.potentials(session.raw(), 1, scores.data(), stub::weights_of(transitions),
                            theta.data(), error);
  });
  for (const auto& y : stub::all_outputs(3, 3)) {
    double sum = 0;
    for (std::size_t t = 0; t < 3; ++t) sum += theta[3 * t + static_cast<std::size_t>(y[t])];
    for (std::size_t t = 0; t < 2; ++t) {
      sum += theta[9 + 9 * t + static_cast<std::size_t>(3 * y[t] + y[t + 1])];
    }
    CHECK(sum == doctest::Approx(stub::score(*problem, 1, y, w, 0)));
  }
}

TEST_CASE("the pullback of beliefs is the adjoint of the potentials") {
  const auto problem = stub::problem(stub::sequences, stub::points, 1);
  const Component& features = problem->features().component();
  const auto& table = *features.extension<sculpt_ext_kernel_atoms>();
  stub::OneSession session(features);
  const Vector scores = stub::some_weights(3 * 3, 0.2);
  const Vector transitions = stub::some_weights(3 * 3, 0.5);
  const Vector mu = stub::some_weights(3 * 3 + 2 * 9, 0.9);
  std::vector<double> theta(mu.size());
  features.call("potentials", 1, [&](sculpt_error* error) {
    return table.potentials(session.raw(), 1, scores.data(), stub::weights_of(transitions),
                            theta.data(), error);
  });
  SparseAccumulator coefficients(3 * 3);
  SparseAccumulator linear(3 * 3);
  features.call("pullback", 1, [&](sculpt_error* error) {
    return table.pullback(session.raw(), 1, mu.data(), 2.0, coefficients.raw(), linear.raw(),
                          error);
  });
  const double pulled =
      dot(stub::dense(coefficients, 3 * 3), scores) + dot(stub::dense(linear, 3 * 3), transitions);
  CHECK(pulled == doctest::Approx(2 * dot(Vector(theta.begin(), theta.end()), mu)));
}

}  // namespace
}  // namespace sculpt::core
