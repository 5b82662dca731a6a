#include "ranking_losses.hpp"

#include <limits>

namespace ranking {

namespace {

// Returns the ties of documents; those of group 1 are the positive ones.
std::vector<sculpt::TiedRows> relevant_ties(std::span<const std::int32_t> group, sculpt::Labels y) {
  return sculpt::count_ties(
      y, [&](std::int64_t document) { return group[static_cast<std::size_t>(document)] == 1; });
}

}  // namespace

void RankingLoss::bind(const sculpt::Bindings& bindings) {
  LossWithMetrics::bind(bindings);
  groups_.set_values(data().values());
  const sculpt::Range train = data().input().split("train");
  for (std::int64_t example = train.begin; example < train.end; ++example) {
    if (groups_differ(groups_.groups_of(data().grades(example)))) return;
  }
  if (train.begin == train.end) return;
  throw sculpt::unsupported_error(
      "no training query has documents both of grade " + grade_text(groups_.relevant_from()) +
      " or more and below it, so all orders are equally good; change relevant_from");
}

double RankingLoss::loss(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess) const {
  if (accepts_swapped_pairs()) {
    data().check(example, guess);
  } else {
    data().check_order(example, guess);
  }
  const std::vector<std::int32_t> group = groups_.groups_of(truth);
  return groups_differ(group) ? value(truth, group, guess) : 0;
}

void RankingLoss::add_metrics(std::int64_t example, sculpt::Labels truth, sculpt::Labels guess,
                              std::span<double> sums) const {
  LossWithMetrics::add_metrics(example, truth, guess, sums);
  const std::vector<std::int32_t> group = groups_.groups_of(truth);
  if (!groups_differ(group)) return;
  const std::vector<std::int32_t> worst = worst_order(truth);
  sculpt::add_to_mean(sums, Metric::counted_loss,
                      value(truth, group, guess.known() ? guess : sculpt::Labels(worst)));
}

double PairError::value(sculpt::Labels, std::span<const std::int32_t> group,
                        sculpt::Labels guess) const {
  return normalize_ ? swapped_pair_share(group, guess) : swapped_pair_count(group, guess);
}

double MeanAveragePrecision::value(sculpt::Labels, std::span<const std::int32_t> group,
                                   sculpt::Labels guess) const {
  return 1 - sculpt::average_precision(relevant_ties(group, guess));
}

double MeanAveragePrecision::gain(std::int32_t group, std::int64_t relevant_ahead,
                                  std::int64_t rank) const {
  return group == 1 ? static_cast<double>(relevant_ahead + 1) / static_cast<double>(rank) : 0;
}

double MeanAveragePrecision::max_gain_sum(sculpt::Labels truth) const {
  const std::vector<std::int32_t> group = groups().groups_of(truth);
  return static_cast<double>(std::count(group.begin(), group.end(), 1));
}

double ReciprocalRank::value(sculpt::Labels, std::span<const std::int32_t> group,
                             sculpt::Labels guess) const {
  return 1 - reciprocal_rank(relevant_ties(group, guess));
}

double ReciprocalRank::gain(std::int32_t group, std::int64_t relevant_ahead,
                            std::int64_t rank) const {
  return group == 1 && relevant_ahead == 0 ? 1 / static_cast<double>(rank) : 0;
}

double ReciprocalRank::max_gain_sum(sculpt::Labels) const {
  return 1;
}

Ndcg::Ndcg(const sculpt::Parameters& given)
    : GainLoss(GradeGroups(given.real("relevant_from"))),
      k_(given.integer("k")),
      is_linear_(given.choice("gain") == "linear") {}

void Ndcg::bind(const sculpt::Bindings& bindings) {
  GainLoss::bind(bindings);
  discounts_ = Discounts(k_, max_documents());
  if (groups().relevant_from() == 0) check_grades();
}

void Ndcg::check_grades() const {
  const double largest = is_linear_ ? std::numeric_limits<double>::max() : max_plain_grade;
  for (const char* split : {"train", "validation", "test"}) {
    const sculpt::Range range = data().input().split(split);
    for (std::int64_t example = range.begin; example < range.end; ++example) {
      const sculpt::Labels grades = data().grades(example);
      for (std::size_t document = 0; document < grades.size(); ++document) {
        const double grade = groups().value_of(grades[document]);
        if (grade >= 0 && grade <= largest) continue;
        throw sculpt::data_error(
            data().place(example) + ": document " + std::to_string(document + 1) +
            " of this query has the grade " + grade_text(grade) + ", but gains are of grades " +
            (grade < 0 ? "of at least 0" : "up to " + grade_text(largest)) +
            (grade < 0 ? "" : "; --set loss.gain=linear takes larger ones") +
            "; use the loss pair_error or mean_average_precision, which take any grades, or set "
            "which grades are relevant (--set loss.relevant_from=...)");
      }
    }
  }
}

double Ndcg::gain_of(std::int32_t group) const {
  if (groups().relevant_from() != 0) return group;
  const double grade = groups().value_of(group);
  return is_linear_ ? linear_gain(grade) : exponential_gain(grade);
}

std::vector<double> Ndcg::gains_of(sculpt::Labels truth) const {
  std::vector<double> gains;
  for (const std::int32_t group : groups().groups_of(truth)) gains.push_back(gain_of(group));
  return gains;
}

double Ndcg::value(sculpt::Labels truth, std::span<const std::int32_t>,
                   sculpt::Labels guess) const {
  const std::vector<double> gains = gains_of(truth);
  const double best = discounted_gain(gains, truth, discounts_);
  if (best == 0) return 0;  // all grades are negative, or 0
  const double share = discounted_gain(gains, guess, discounts_) / best;
  return std::max(0.0, 1 - share);  // the sums of two best orders may differ by rounding
}

double Ndcg::gain(std::int32_t group, std::int64_t, std::int64_t rank) const {
  return gain_of(group) * discounts_.at(rank);
}

double Ndcg::max_gain_sum(sculpt::Labels truth) const {
  return discounted_gain(gains_of(truth), truth, discounts_);
}

}  // namespace ranking
