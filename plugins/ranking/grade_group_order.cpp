#include "grade_group_order.hpp"

#include <map>

namespace ranking {

void GradeGroupOrder::begin(std::span<const double> score, std::span<const std::int32_t> group,
                            double weight) {
  std::map<std::int32_t, sculpt::RankedRows> documents;
  for (std::size_t i = 0; i < score.size(); ++i) {
    documents[group[i]].add(score[i], static_cast<std::int64_t>(i));
  }
  half_weight_ = weight / 2;
  groups_.clear();
  for (auto& entry : documents) {
    Group& group_rows = groups_.emplace_back();
    group_rows.documents = std::move(entry.second);
    group_rows.documents.rank();
    group_rows.other_count = static_cast<std::int64_t>(score.size()) - group_rows.documents.count();
  }
}

double GradeGroupOrder::maximize(const GainLoss& loss, sculpt::Labels truth, double loss_weight,
                                 const sculpt::Host& host) {
  const bool has_loss = groups_differ(loss.groups().groups_of(truth));
  const double gain_weight = has_loss ? loss_weight / loss.max_gain_sum(truth) : 0;
  std::size_t cells = 1;
  for (Group& group : groups_) {
    group.loss_group =
        loss.groups().group_of(truth[static_cast<std::size_t>(group.documents.row(0))]);
    group.stride = cells;
    cells *= static_cast<std::size_t>(group.documents.count()) + 1;
  }
  best_.resize(cells);
  last_.resize(cells);
  best_[0] = 0;
  std::vector<std::int64_t> counts(groups_.size(), 0);
  for (std::size_t cell = 1; cell < cells; ++cell) {
    std::size_t digit = 0;
    for (; counts[digit] == groups_[digit].documents.count(); ++digit) counts[digit] = 0;
    ++counts[digit];
    if (digit > 0) host.throw_if_cancelled();
    std::int64_t rank = 0;
    std::int64_t relevant = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      rank += counts[g];
      relevant += groups_[g].loss_group == 1 ? counts[g] : 0;
    }
    bool has_value = false;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (counts[g] == 0) continue;
      const Group& group = groups_[g];
      const std::int64_t ahead = relevant - (group.loss_group == 1 ? 1 : 0);
      const double score = half_weight_ * group.documents.score(counts[g] - 1) *
                           static_cast<double>(group.other_count - 2 * (rank - counts[g]));
      const double value = best_[cell - group.stride] + score -
                           gain_weight * loss.gain(group.loss_group, ahead, rank);
      if (has_value && !(value >= best_[cell])) continue;
      has_value = true;
      best_[cell] = value;
      last_[cell] = static_cast<std::uint8_t>(g);
    }
  }
  return best_.back() + (has_loss ? loss_weight : 0);
}

std::vector<std::int64_t> GradeGroupOrder::bottom_up(sculpt::Labels truth) const {
  std::vector<std::int64_t> order;
  std::vector<std::int64_t> remaining;
  for (const Group& group : groups_) remaining.push_back(group.documents.count());
  std::size_t run_begin = 0;  // begin of the run
  const auto end_run = [&] {
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(run_begin), order.end(),
                     [&](std::int64_t i, std::int64_t j) {
                       return truth[static_cast<std::size_t>(i)] <
                              truth[static_cast<std::size_t>(j)];
                     });
    run_begin = order.size();
  };
  for (std::size_t cell = best_.size() - 1; cell > 0; cell -= groups_[last_[cell]].stride) {
    const std::size_t g = last_[cell];
    order.push_back(groups_[g].documents.row(--remaining[g]));
    const std::size_t next = cell - groups_[g].stride;
    if (next == 0 || last_[next] != g) end_run();
  }
  return order;
}

}  // namespace ranking
