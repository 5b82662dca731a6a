// set_frontier.cpp - the frontier of set_oracle.hpp.
#include <algorithm>

#include "set_oracle.hpp"

namespace contingency {

void SetOracle::Session::begin_frontier(const sculpt::FrontierQuery& frontier_query,
                                        sculpt::FrontierShape& shape) {
  cursor_.end();
  rank_rows(frontier_query.query());
  const std::int64_t example = frontier_query.query().example;
  if (!owner_.table_fits(example)) owner_.refuse_table(example);
  range_ = owner_.predicted_range(positive_.count(), negative_.count());
  const sculpt::CountVector max = owner_.max_counts(example);
  shape.resize(std::min(max[0], owner_.limits_[0]) + 1, std::min(max[1], owner_.limits_[1]) + 1);
  cursor_.begin(sculpt::CursorKind::frontier);
}

// A count at its limit stands for all larger counts.
template <class VisitPair>
void SetOracle::Session::each_cell(std::int64_t matched, VisitPair visit) const {
  const std::int64_t last =
      matched < owner_.limits_[0] ? std::min(matched, positive_.count()) : positive_.count();
  for (std::int64_t true_positives = matched; true_positives <= last; ++true_positives) {
    owner_.host_.throw_if_cancelled();
    const std::int64_t max = std::min(negative_.count(), range_.max - true_positives);
    for (auto false_positives = std::max<std::int64_t>(0, range_.min - true_positives);
         false_positives <= max; ++false_positives) {
      visit(true_positives, false_positives);
    }
  }
}

void SetOracle::Session::frontier_slice(std::int64_t matched, std::span<double> scores) {
  cursor_.require(sculpt::CursorKind::frontier);
  std::fill(scores.begin(), scores.end(), sculpt::unattainable);
  each_cell(matched, [&](std::int64_t true_positives, std::int64_t false_positives) {
    double& best =
        scores[static_cast<std::size_t>(owner_.counts(true_positives, false_positives)[1])];
    best = std::max(best, score_of(true_positives, false_positives));
  });
}

void SetOracle::Session::frontier_output(const sculpt::CountVector& counts,
                                         sculpt::LabelOutput& out) {
  cursor_.require(sculpt::CursorKind::frontier);
  std::optional<Candidate> best;
  each_cell(counts[0], [&](std::int64_t true_positives, std::int64_t false_positives) {
    if (owner_.counts(true_positives, false_positives) != counts) return;
    const double value = score_of(true_positives, false_positives);
    if (!best || value > best->value) best = Candidate{true_positives, false_positives, value};
  });
  if (!best) throw sculpt::Error(SCULPT_E_INVALID, "no output of this set has these counts");
  write_labels(best->true_positives, best->false_positives, out);
}

}  // namespace contingency
