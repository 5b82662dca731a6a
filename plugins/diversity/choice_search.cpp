#include "choice_search.hpp"

namespace diversity {

namespace {
constexpr std::int64_t steps_between_polls = std::int64_t{1} << 18;
constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
}  // namespace

void ChoiceSearch::count_steps(std::int64_t steps) {
  steps_left_ -= steps;
  steps_since_poll_ += steps;
  if (steps_since_poll_ < steps_between_polls) return;
  steps_since_poll_ = 0;
  host_.throw_if_cancelled();
}

ChoiceSearch::Candidate ChoiceSearch::candidate_of_max_gain(const DocumentSets& sets) {
  is_chosen_.assign(static_cast<std::size_t>(sets.document_count()), false);
  for (const std::int32_t document : cover_.chosen()) {
    is_chosen_[static_cast<std::size_t>(document)] = true;
  }
  count_steps(sets.document_count());
  Candidate best{-1, minus_infinity};
  for (std::int32_t document = 0; document < sets.document_count(); ++document) {
    if (is_chosen_[static_cast<std::size_t>(document)]) continue;
    const double gain = cover_.gain(document);
    if (best.document < 0 || gain > best.gain) best = {document, gain};
  }
  return best;
}

Choice ChoiceSearch::greedy(const DocumentSets& sets, std::span<const double> value,
                            std::int64_t size, std::int64_t exchange_rounds) {
  cover_.begin(sets, value, size);
  Choice choice;
  choice.bound = cover_.bound();
  while (cover_.remaining() > 0) {
    count_steps(cover_.choose(candidate_of_max_gain(sets).document));
    choice.bound = std::min(choice.bound, cover_.bound());
  }
  choice.documents = cover_.chosen();
  choice.value = cover_.value();
  for (std::int64_t round = 0; round < exchange_rounds; ++round) {
    bool better = false;
    for (std::size_t index = 0; index < choice.documents.size(); ++index) {
      better = exchange(sets, value, choice, index) || better;
    }
    if (!better) break;
  }
  std::sort(choice.documents.begin(), choice.documents.end());
  choice.bound = std::max(choice.bound, choice.value);
  choice.is_exact = cover_.is_finite() && choice.bound <= choice.value + 2 * cover_.rounding();
  return choice;
}

bool ChoiceSearch::exchange(const DocumentSets& sets, std::span<const double> value, Choice& choice,
                            std::size_t index) {
  cover_.begin(sets, value, static_cast<std::int64_t>(choice.documents.size()));
  count_steps(static_cast<std::int64_t>(value.size()));
  for (std::size_t other = 0; other < choice.documents.size(); ++other) {
    if (other != index) count_steps(cover_.choose(choice.documents[other]));
  }
  const Candidate replacement = candidate_of_max_gain(sets);
  if (cover_.value() + replacement.gain <= choice.value + cover_.rounding()) return false;
  choice.documents[index] = replacement.document;
  choice.value = cover_.value() + replacement.gain;
  return true;
}

Choice ChoiceSearch::best(const DocumentSets& sets, std::span<const double> value,
                          std::int64_t size, std::int64_t max_steps) {
  best_ = greedy(sets, value, size, 0);
  if (best_.is_exact || !cover_.is_finite()) return best_;
  const double bound = best_.bound;
  cover_.begin(sets, value, size);
  unexplored_bound_ = minus_infinity;
  steps_left_ = max_steps;
  levels_.resize(std::max(levels_.size(), static_cast<std::size_t>(size)));
  levels_[0].clear();
  for (std::int32_t document = 0; document < sets.document_count(); ++document) {
    levels_[0].push_back({document, 0});
  }
  explore(0);
  best_.is_exact = unexplored_bound_ == minus_infinity;
  best_.bound = std::max(best_.value, std::min(bound, unexplored_bound_)) + cover_.rounding();
  std::sort(best_.documents.begin(), best_.documents.end());
  return best_;
}

void ChoiceSearch::explore(std::size_t depth) {
  std::vector<Candidate>& candidates = levels_[depth];
  const auto remaining = static_cast<std::size_t>(cover_.remaining());
  count_steps(std::ssize(candidates));
  for (Candidate& candidate : candidates) candidate.gain = cover_.gain_bound(candidate.document);
  const auto has_larger_gain = [](const Candidate& a, const Candidate& b) {
    return a.gain != b.gain ? a.gain > b.gain : a.document < b.document;
  };
  if (remaining == 1) {
    return complete_choice(
        *std::min_element(candidates.begin(), candidates.end(), has_larger_gain));
  }
  std::sort(candidates.begin(), candidates.end(), has_larger_gain);
  for (std::size_t first = 0; first + remaining <= candidates.size(); ++first) {
    const double bound = bound_from(candidates, first);
    if (bound <= best_.value + cover_.rounding()) return;
    if (steps_left_ <= 0) {
      unexplored_bound_ = std::max(unexplored_bound_, bound);
      return;
    }
    levels_[depth + 1].assign(candidates.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                              candidates.end());
    count_steps(cover_.choose(candidates[first].document));
    explore(depth + 1);
    cover_.undo();
  }
}

// Completes a choice by its last document, whose bound is its exact gain.
void ChoiceSearch::complete_choice(const Candidate& last) {
  if (cover_.value() + last.gain <= best_.value + cover_.rounding()) return;
  best_.value = cover_.value() + last.gain;
  best_.documents = cover_.chosen();
  best_.documents.push_back(last.document);
}

// Returns an upper bound of all choices that take the remaining documents from `first` on.
double ChoiceSearch::bound_from(const std::vector<Candidate>& candidates, std::size_t first) const {
  const auto remaining = static_cast<std::size_t>(cover_.remaining());
  double gain = 0;
  for (std::size_t k = first; k < first + remaining; ++k) gain += candidates[k].gain;
  return cover_.value() + std::min(gain, cover_.uncovered());
}

}  // namespace diversity
