#include "solver/inseparable.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "message_text.hpp"

namespace sculpt::core {
namespace {

// Examples with less than this part of the largest alpha are in the proof by chance: they carried
// alpha before it was one.
constexpr double good_part = 0.01;

}  // namespace

void refuse_inseparable(const Separator& separator, const WorkingSet& working_set,
                        double separation_floor, const std::vector<double>& carried) {
  const double least = good_part * *std::max_element(carried.begin(), carried.end());
  std::vector<std::int64_t> examples;
  for (std::size_t i = 0; i < carried.size(); ++i) {
    if (carried[i] >= least) examples.push_back(static_cast<std::int64_t>(i));
  }
  const double shortest = separation_floor * working_set.longest_in_scale();
  const std::string norm = shortest > 0 ? " of norm up to " + number_text(1 / shortest) : "";
  const std::string remedy =
      shortest > 0 ? ", or lower solver.separation_floor to look among longer ones" : "";
  separator.inseparable(
      examples, "no weights" + norm +
                    " give all their outputs the margins that C = inf demands; set a finite C, or "
                    "correct the labels or the features" +
                    remedy);
}

}  // namespace sculpt::core
