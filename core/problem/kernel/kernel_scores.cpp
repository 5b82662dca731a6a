#include "problem/kernel/kernel_scores.hpp"

#include <algorithm>

namespace sculpt::core {

SupportAtoms support_atoms(const Vector& v, Range atoms, std::int64_t blocks) {
  SupportAtoms support;
  Vector coefficients(static_cast<std::size_t>(blocks));
  const auto count = static_cast<std::size_t>(atoms.size());
  for (std::size_t t = 0; t < count; ++t) {
    for (std::size_t b = 0; b < coefficients.size(); ++b) coefficients[b] = v[b * count + t];
    const auto is_zero = [](double value) { return value == 0; };
    if (std::all_of(coefficients.begin(), coefficients.end(), is_zero)) continue;
    support.atoms.push_back(atoms.begin + static_cast<std::int64_t>(t));
    support.beta.insert(support.beta.end(), coefficients.begin(), coefficients.end());
  }
  return support;
}

}  // namespace sculpt::core
