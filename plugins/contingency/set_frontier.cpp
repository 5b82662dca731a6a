// set_frontier.cpp - the frontier of set_oracle.hpp.
#include <algorithm>

#include "set_oracle.hpp"

namespace contingency {

void SetOracle::Session::begin_frontier(const sculpt::FrontierQuery& asked,
                                        sculpt::FrontierShape& shape) {
  cursor_.end();
  rank(asked.query());
  const std::int64_t example = asked.query().example;
  if (!owner_.fits(example)) owner_.refuse_table(example);
  range_ = owner_.taken(positive_.count(), others_.count());
  const sculpt::CountVector most = owner_.largest_counts(example);
  shape.resize(std::min(most[0], owner_.limits_[0]) + 1, std::min(most[1], owner_.limits_[1]) + 1);
  cursor_.begin(sculpt::CursorKind::frontier);
}

// A count at its limit stands for all larger counts.
template <class VisitPair>
void SetOracle::Session::each_counted(std::int64_t matched, VisitPair visit) const {
  const std::int64_t last =
      matched < owner_.limits_[0] ? std::min(matched, positive_.count()) : positive_.count();
  for (std::int64_t right = matched; right <= last; ++right) {
    owner_.host_.throw_if_cancelled();
    const std::int64_t most = std::min(others_.count(), range_.most - right);
    for (auto wrong = std::max<std::int64_t>(0, range_.least - right); wrong <= most; ++wrong) {
      visit(right, wrong);
    }
  }
}

void SetOracle::Session::frontier_slice(std::int64_t matched, std::span<double> scores) {
  cursor_.require(sculpt::CursorKind::frontier);
  std::fill(scores.begin(), scores.end(), sculpt::unattainable);
  each_counted(matched, [&](std::int64_t right, std::int64_t wrong) {
    double& best = scores[static_cast<std::size_t>(owner_.counts(right, wrong)[1])];
    best = std::max(best, score_of(right, wrong));
  });
}

void SetOracle::Session::frontier_output(const sculpt::CountVector& counts,
                                         sculpt::LabelOutput& out) {
  cursor_.require(sculpt::CursorKind::frontier);
  std::optional<Choice> best;
  each_counted(counts[0], [&](std::int64_t right, std::int64_t wrong) {
    if (owner_.counts(right, wrong) != counts) return;
    const double value = score_of(right, wrong);
    if (!best || value > best->value) best = Choice{right, wrong, value};
  });
  if (!best) throw sculpt::Error(SCULPT_E_INVALID, "no output of this set has these counts");
  write(best->right, best->wrong, out);
}

}  // namespace contingency
