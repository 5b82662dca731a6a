#include "merging.hpp"

#include <limits>

namespace clustering {

Merging::Merging(const Objective& objective, Clusters& clusters, const sculpt::Host& host)
    : objective_(objective), clusters_(clusters), host_(host), partners_(objective.scores.items()) {
  const std::size_t items = objective.scores.items();
  between_scores_.reset(static_cast<std::int64_t>(items));
  for (std::size_t i = 0; i < items; ++i) {
    host.throw_if_cancelled();
    if (clusters.size(i) > 0) cluster_numbers_.push_back(i);
    for (std::size_t j = i + 1; j < items; ++j) {
      const std::size_t a = clusters.cluster_of(i);
      const std::size_t b = clusters.cluster_of(j);
      if (a != b) between_scores_.add(a, b, objective.scores.at(i, j));
    }
  }
  if (objective.mitre_weight != 0) {
    shared_.assign(items * items, 0);
    for (const std::size_t a : cluster_numbers_) count_shared(a);
  }
  for (const std::size_t a : cluster_numbers_) find_partner(a);
}

bool Merging::run() {
  for (bool merged = false;; merged = true) {
    const auto best = std::max_element(
        cluster_numbers_.begin(), cluster_numbers_.end(),
        [&](std::size_t a, std::size_t b) { return partners_[a].gain < partners_[b].gain; });
    if (best == cluster_numbers_.end() || !(partners_[*best].gain > objective_.rounding())) {
      return merged;
    }
    merge(*best, partners_[*best].number);
  }
}

double Merging::gain(std::size_t a, std::size_t b) const {
  const double score = between_scores_.at(a, b);
  return shared_.empty() ? score : score + clusters_.merge_gain(shared_[a * partners_.size() + b]);
}

void Merging::find_partner(std::size_t a) {
  host_.throw_if_cancelled();
  Partner best{-std::numeric_limits<double>::infinity(), a};
  for (auto b = std::upper_bound(cluster_numbers_.begin(), cluster_numbers_.end(), a);
       b != cluster_numbers_.end(); ++b) {
    const double candidate_gain = gain(a, *b);
    if (candidate_gain > best.gain) best = {candidate_gain, *b};
  }
  partners_[a] = best;
}

void Merging::count_shared(std::size_t a) {
  host_.throw_if_cancelled();
  const std::size_t items = partners_.size();
  for (const std::size_t b : cluster_numbers_) {
    if (a == b) continue;
    shared_[a * items + b] = clusters_.shared(a, b);
    shared_[b * items + a] = shared_[a * items + b];
  }
}

void Merging::merge(std::size_t a, std::size_t b) {
  clusters_.merge(a, b);
  cluster_numbers_.erase(std::lower_bound(cluster_numbers_.begin(), cluster_numbers_.end(), b));
  for (const std::size_t c : cluster_numbers_) {
    if (c != a) between_scores_.add(a, c, between_scores_.at(b, c));
  }
  if (!shared_.empty()) count_shared(a);
  update_partners(a, b);
}

// With sums over pairs, only gains with the merged cluster change.
void Merging::update_partners(std::size_t a, std::size_t b) {
  for (const std::size_t c : cluster_numbers_) {
    Partner& partner = partners_[c];
    if (!shared_.empty() || c == a || partner.number == a || partner.number == b) {
      find_partner(c);
    } else if (c < a) {
      const double merged_gain = gain(c, a);
      if (merged_gain > partner.gain || (merged_gain == partner.gain && a < partner.number)) {
        partner = {merged_gain, a};
      }
    }
  }
}

}  // namespace clustering
