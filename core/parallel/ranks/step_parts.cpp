#include "parallel/ranks/step_parts.hpp"

#include <numeric>

namespace sculpt::core {

double StepParts::expected_cost(std::int64_t begin, std::int64_t end) const {
  return std::accumulate(expected_costs.begin() + begin, expected_costs.begin() + end, 0.0);
}

double StepParts::seconds_of(std::int64_t begin, std::int64_t end) const {
  return std::accumulate(seconds.begin() + begin, seconds.begin() + end, 0.0);
}

void StepParts::set_seconds(std::int64_t begin, std::int64_t end, double together) {
  const double cost = expected_cost(begin, end);
  for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k) {
    seconds[k] = static_cast<float>(together * static_cast<double>(expected_costs[k]) / cost);
  }
}

// Seconds of threads become those of the part: they work at the same time.
void StepParts::end_own(double part_seconds) {
  const double of_threads = seconds_of(own_begin(), own_end());
  if (of_threads <= part_seconds) return;
  const double share = part_seconds / of_threads;
  for (std::int64_t k = own_begin(); k < own_end(); ++k) {
    float& one = seconds[static_cast<std::size_t>(k)];
    one = static_cast<float>(share * static_cast<double>(one));
  }
}

void StepParts::save_seconds(StateWriter& out) const {
  for (std::int64_t k = own_begin(); k < own_end(); ++k) {
    out.put(seconds[static_cast<std::size_t>(k)]);
  }
}

void StepParts::load_seconds(int k, StateReader& in) {
  for (std::int64_t item = begin_of(k); item < end_of(k); ++item) {
    seconds[static_cast<std::size_t>(item)] = in.get<float>();
  }
}

}  // namespace sculpt::core
