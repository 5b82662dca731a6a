#include "merging.hpp"

#include <limits>

namespace clustering {

Merging::Merging(const Objective& objective, Clusters& clusters, const sculpt::Host& host)
    : objective_(objective), clusters_(clusters), host_(host), partner_(objective.scores.items()) {
  const std::size_t items = objective.scores.items();
  between_.reset(static_cast<std::int64_t>(items));
  for (std::size_t i = 0; i < items; ++i) {
    host.throw_if_cancelled();
    if (clusters.size(i) > 0) numbers_.push_back(i);
    for (std::size_t j = i + 1; j < items; ++j) {
      const std::size_t a = clusters.number_of(i);
      const std::size_t b = clusters.number_of(j);
      if (a != b) between_.add(a, b, objective.scores.at(i, j));
    }
  }
  if (objective.mitre_weight != 0) {
    shared_.assign(items * items, 0);
    for (const std::size_t a : numbers_) count_shared(a);
  }
  for (const std::size_t a : numbers_) find_partner(a);
}

bool Merging::run() {
  for (bool merged = false;; merged = true) {
    const auto best = std::max_element(
        numbers_.begin(), numbers_.end(),
        [&](std::size_t a, std::size_t b) { return partner_[a].gain < partner_[b].gain; });
    if (best == numbers_.end() || !(partner_[*best].gain > objective_.rounding())) return merged;
    merge(*best, partner_[*best].number);
  }
}

double Merging::gain(std::size_t a, std::size_t b) const {
  const double score = between_.at(a, b);
  return shared_.empty() ? score : score + clusters_.merge_gain(shared_[a * partner_.size() + b]);
}

void Merging::find_partner(std::size_t a) {
  host_.throw_if_cancelled();
  Partner best{-std::numeric_limits<double>::infinity(), a};
  for (auto b = std::upper_bound(numbers_.begin(), numbers_.end(), a); b != numbers_.end(); ++b) {
    const double one = gain(a, *b);
    if (one > best.gain) best = {one, *b};
  }
  partner_[a] = best;
}

void Merging::count_shared(std::size_t a) {
  host_.throw_if_cancelled();
  const std::size_t items = partner_.size();
  for (const std::size_t b : numbers_) {
    if (a == b) continue;
    shared_[a * items + b] = clusters_.shared(a, b);
    shared_[b * items + a] = shared_[a * items + b];
  }
}

void Merging::merge(std::size_t a, std::size_t b) {
  clusters_.merge(a, b);
  numbers_.erase(std::lower_bound(numbers_.begin(), numbers_.end(), b));
  for (const std::size_t c : numbers_) {
    if (c != a) between_.add(a, c, between_.at(b, c));
  }
  if (!shared_.empty()) count_shared(a);
  renew_partners(a, b);
}

// With sums over pairs, only gains with the merged cluster change.
void Merging::renew_partners(std::size_t a, std::size_t b) {
  for (const std::size_t c : numbers_) {
    Partner& partner = partner_[c];
    if (!shared_.empty() || c == a || partner.number == a || partner.number == b) {
      find_partner(c);
    } else if (c < a) {
      const double grown = gain(c, a);
      if (grown > partner.gain || (grown == partner.gain && a < partner.number)) {
        partner = {grown, a};
      }
    }
  }
}

}  // namespace clustering
