#include "cover.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace diversity {

void Cover::begin(const DocumentSets& sets, std::span<const double> value, std::int64_t size) {
  sets_ = &sets;
  value_ = value;
  size_ = size;
  const auto document_count = static_cast<std::size_t>(sets.document_count());
  unshared_.assign(document_count, 0.0);
  negative_shares_.assign(document_count, 0.0);
  state_.positive.assign(document_count, 0.0);
  state_.shared.assign(document_count, 0.0);
  state_.value = 0;
  state_.uncovered = 0;
  double magnitude = 0;
  for (std::int32_t e = 0; e < sets.element_count(); ++e) {
    const double element_value = value[static_cast<std::size_t>(e)];
    const auto documents = sets.documents_with(e);
    if (element_value == 0 || documents.empty()) continue;
    magnitude += std::abs(element_value);
    if (element_value > 0) state_.uncovered += element_value;
    const auto max_charged = std::min(size, static_cast<std::int64_t>(documents.size()));
    for (const std::int32_t document : documents) {
      const auto d = static_cast<std::size_t>(document);
      if (element_value > 0) {
        state_.positive[d] += element_value;
      } else if (documents.size() == 1) {
        unshared_[d] += element_value;
      } else {
        state_.shared[d] += element_value;
        negative_shares_[d] += element_value / static_cast<double>(max_charged);
      }
    }
  }
  all_positive_ = state_.uncovered;
  rounding_ = std::numeric_limits<double>::epsilon() * (16.0 + static_cast<double>(value.size())) *
              magnitude;
  previous_states_.resize(std::max(previous_states_.size(), static_cast<std::size_t>(size)));
  chosen_.clear();
  covered_.clear();
  is_covered_.assign(value.size(), false);
}

std::int64_t Cover::choose(std::int32_t document) {
  state_.previous_covered_count = covered_.size();
  previous_states_[chosen_.size()] = state_;
  state_.value += gain(document);
  chosen_.push_back(document);
  std::int64_t steps = sets_->document_count();
  for (const std::int32_t element : sets_->elements_of(document)) steps += 1 + cover(element);
  return steps;
}

std::int64_t Cover::cover(std::int32_t element) {
  const auto e = static_cast<std::size_t>(element);
  if (is_covered_[e]) return 0;
  is_covered_[e] = true;
  covered_.push_back(element);
  const double element_value = value_[e];
  if (element_value == 0) return 0;
  const auto documents = sets_->documents_with(element);
  if (element_value < 0 && documents.size() == 1) return 0;
  if (element_value > 0) state_.uncovered -= element_value;
  std::vector<double>& gains = element_value > 0 ? state_.positive : state_.shared;
  for (const std::int32_t document : documents) {
    gains[static_cast<std::size_t>(document)] -= element_value;
  }
  return static_cast<std::int64_t>(documents.size());
}

void Cover::undo() {
  chosen_.pop_back();
  std::swap(state_, previous_states_[chosen_.size()]);
  for (; covered_.size() > state_.previous_covered_count; covered_.pop_back()) {
    is_covered_[static_cast<std::size_t>(covered_.back())] = false;
  }
}

double Cover::bound() {
  if (!is_finite()) return std::numeric_limits<double>::infinity();
  sorted_.resize(unshared_.size());
  for (std::size_t d = 0; d < sorted_.size(); ++d) {
    sorted_[d] = state_.positive[d] + unshared_[d] + negative_shares_[d];
  }
  const auto end = sorted_.begin() + size_;
  std::nth_element(sorted_.begin(), end - 1, sorted_.end(), std::greater<>());
  return std::accumulate(sorted_.begin(), end, all_positive_ - state_.uncovered) + rounding_;
}

}  // namespace diversity
