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
  const auto documents = static_cast<std::size_t>(sets.document_count());
  own_.assign(documents, 0.0);
  charge_.assign(documents, 0.0);
  now_.positive.assign(documents, 0.0);
  now_.shared.assign(documents, 0.0);
  now_.value = 0;
  now_.uncovered = 0;
  double scale = 0;
  for (std::int32_t e = 0; e < sets.element_count(); ++e) {
    const double one = value[static_cast<std::size_t>(e)];
    const auto having = sets.documents_with(e);
    if (one == 0 || having.empty()) continue;
    scale += std::abs(one);
    if (one > 0) now_.uncovered += one;
    const auto most = std::min(size, static_cast<std::int64_t>(having.size()));
    for (const std::int32_t document : having) {
      const auto d = static_cast<std::size_t>(document);
      if (one > 0) {
        now_.positive[d] += one;
      } else if (having.size() == 1) {
        own_[d] += one;
      } else {
        now_.shared[d] += one;
        charge_[d] += one / static_cast<double>(most);
      }
    }
  }
  all_positive_ = now_.uncovered;
  rounding_ =
      std::numeric_limits<double>::epsilon() * (16.0 + static_cast<double>(value.size())) * scale;
  before_.resize(std::max(before_.size(), static_cast<std::size_t>(size)));
  chosen_.clear();
  covered_.clear();
  is_covered_.assign(value.size(), false);
}

std::int64_t Cover::choose(std::int32_t document) {
  now_.covered_before = covered_.size();
  before_[chosen_.size()] = now_;
  now_.value += gain(document);
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
  const double one = value_[e];
  if (one == 0) return 0;
  const auto having = sets_->documents_with(element);
  if (one < 0 && having.size() == 1) return 0;
  if (one > 0) now_.uncovered -= one;
  std::vector<double>& part = one > 0 ? now_.positive : now_.shared;
  for (const std::int32_t document : having) part[static_cast<std::size_t>(document)] -= one;
  return static_cast<std::int64_t>(having.size());
}

void Cover::undo() {
  chosen_.pop_back();
  std::swap(now_, before_[chosen_.size()]);
  for (; covered_.size() > now_.covered_before; covered_.pop_back()) {
    is_covered_[static_cast<std::size_t>(covered_.back())] = false;
  }
}

double Cover::bound() {
  if (!finite()) return std::numeric_limits<double>::infinity();
  sorted_.resize(own_.size());
  for (std::size_t d = 0; d < sorted_.size(); ++d) {
    sorted_[d] = now_.positive[d] + own_[d] + charge_[d];
  }
  const auto end = sorted_.begin() + size_;
  std::nth_element(sorted_.begin(), end - 1, sorted_.end(), std::greater<>());
  return std::accumulate(sorted_.begin(), end, all_positive_ - now_.uncovered) + rounding_;
}

}  // namespace diversity
