#include "verify/moment_symmetry.hpp"

#include <cmath>
#include <span>

#include "base/random.hpp"
#include "linalg/products.hpp"
#include "verify/agreement.hpp"

namespace sculpt::core {

Vector random_vector_near(const Vector& w, std::int64_t number, std::uint64_t seed) {
  Random random(seed, "probe " + std::to_string(number));
  const double scale = std::sqrt(squared_norm(w) / static_cast<double>(w.size()));
  Vector u = w;
  for (double& value : u) value += (scale > 0 ? scale : 1) * random.normal();
  return u;
}

std::string asymmetry_of(const Vector& w, const Vector& product_of_w, const Vector& u,
                         const Vector& product_of_u, const std::string& name) {
  const double forward = dot(std::span<const double>(u), product_of_w);
  const double backward = dot(std::span<const double>(w), product_of_u);
  const double lengths = std::sqrt(squared_norm(u) * squared_norm(product_of_w)) +
                         std::sqrt(squared_norm(w) * squared_norm(product_of_u));
  if (std::abs(forward - backward) <= primal_tolerance * lengths) return "";
  return "Cov[psi]: it is not symmetric: with u = " + name + ", <u, A w> is " +
         verified_text(forward) + ", but <w, A u> is " + verified_text(backward);
}

}  // namespace sculpt::core
