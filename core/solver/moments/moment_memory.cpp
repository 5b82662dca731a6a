#include "solver/moments/moment_memory.hpp"

#include <algorithm>

#include "objective/truth_deviations.hpp"
#include "qp/plane/plane_vector.hpp"

namespace sculpt::core {
namespace {

// The index of an entry of a mean. Most means have few distinct values, which are stored once.
constexpr double bytes_of_mean_entry = 4;

// A sparse vector, with the headers of its memory.
constexpr double bytes_of_object = sizeof(PlaneVector) + 48;

// E[psi] of one example: most features are those of single labels, and every label may have them.
double bytes_of_mean(const ProblemStatistics& statistics) {
  const double entries = std::min(static_cast<double>(statistics.dimension),
                                  statistics.entries * std::max(statistics.states, 1.0));
  return bytes_of_object + bytes_of_mean_entry * entries;
}

}  // namespace

double bytes_of_moments(const MomentTerms& terms, const ProblemStatistics& statistics) {
  const auto n = static_cast<double>(statistics.examples);
  const auto sums = static_cast<double>(statistics.joint_bytes);
  if (terms.samples > 0) {
    const double draws =
        static_cast<double>(terms.samples) * (bytes_of_object + statistics.psi_bytes);
    return sums + n * (draws + 2 * bytes_of_mean(statistics));
  }
  if (!terms.adds_deviations) return sums;
  return 2 * sums + statistics.vector_bytes() +
         std::min(n * bytes_of_mean(statistics), static_cast<double>(TruthDeviations::usual_bytes));
}

}  // namespace sculpt::core
