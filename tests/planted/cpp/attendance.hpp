// attendance.hpp - the sets of talks that somebody can attend: no two overlap, at most `most`.
#pragma once

#include "features.hpp"

namespace talks {

// Lists the sets for enumerate(). One talk may begin when another one ends.
class Attendances {
 public:
  Attendances(const Day& day, std::vector<std::int32_t> order, std::int64_t most)
      : day_(day), order_(std::move(order)), most_(most) {}

  // Returns the number of sets, at most limit + 1.
  std::int64_t count(std::int64_t limit) {
    count_ = 0;
    extend(0, limit, [](sculpt::Labels) {});
    return count_;
  }
  template <class Visit>
  void each(Visit visit) {
    count_ = 0;
    extend(0, std::numeric_limits<std::int64_t>::max() - 1, visit);
  }

 private:
  // Visits the sets that begin with chosen_ and go on with talks from position k of the order on.
  template <class Visit>
  void extend(std::size_t k, std::int64_t limit, const Visit& visit) {
    if (++count_ > limit) return;
    std::vector<std::int32_t> y = chosen_;
    std::sort(y.begin(), y.end());
    visit(sculpt::Labels(y));
    if (static_cast<std::int64_t>(chosen_.size()) == most_) return;
    for (; k < order_.size() && count_ <= limit; ++k) {
      if (!chosen_.empty() && !fits(talk(chosen_.back()), talk(order_[k]))) continue;
      chosen_.push_back(order_[k]);
      extend(k + 1, limit, visit);
      chosen_.pop_back();
    }
  }
  static bool fits(const Talk& first, const Talk& second) {
#if PLANTED == 16
    return first.end < second.begin;
#else
    return can_follow(first, second);
#endif
  }
  const Talk& talk(std::int32_t number) const {
    return day_[static_cast<std::size_t>(number)];
  }

  const Day& day_;
  std::vector<std::int32_t> order_;  // talks by time
  std::int64_t most_;
  std::vector<std::int32_t> chosen_;
  std::int64_t count_ = 0;
};

// True if the output y is such a set. y is ascending.
inline bool is_attendance(const Day& day, sculpt::Labels y, std::int64_t most) {
  if (y.count() > most) return false;
  const auto talk = [&](std::int32_t k) -> const Talk& { return day[static_cast<std::size_t>(k)]; };
  for (std::size_t a = 0; a < y.size(); ++a) {
    for (std::size_t b = a + 1; b < y.size(); ++b) {
      if (!can_follow(talk(y[a]), talk(y[b])) && !can_follow(talk(y[b]), talk(y[a]))) return false;
    }
  }
  return true;
}

}  // namespace talks
