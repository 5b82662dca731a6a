// features.hpp - the joint feature map of talks.
//
//   psi(x, y) = [number of talks of y                      ]
//               [talks of y with each tag                  ]
//               [gaps of each length between talks of y    ]  longer ones count as longest_gap
//
// y: the numbers of the attended talks, ascending. Gaps lie between neighbours in time. Talks that
// overlap have a gap of 0, so that psi is defined for every truth.
#pragma once

#include <algorithm>

#include "dataset.hpp"

namespace talks {

// The talks in the order of their times.
inline bool is_earlier(const Talk& a, const Talk& b) {
  return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
}

// True if somebody can attend both, the second right after the first.
inline bool can_follow(const Talk& first, const Talk& second) {
  return first.end <= second.begin;
}

class Bag {
 public:
  static constexpr sculpt::About about{"org.example.talks", "1.0.0", "tags of talks, and gaps"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("longest_gap", "4", 0, 64, "longer gaps count as this", "units of time")};

  explicit Bag(const sculpt::Parameters& values) : longest_gap_(values.integer("longest_gap")) {}

  void bind(const sculpt::Bindings& bindings) {
    days_ = sculpt::same_library<Days>(bindings.dataset, sculpt::Dataset<Days>::component);
    if (days_ == nullptr) {
      throw sculpt::unsupported_error("works only with its own dataset; set dataset.use to talks");
    }
  }
  std::int64_t dimension() const { return gap_weight(longest_gap_) + 1; }

  struct Session {
    explicit Session(const Bag& bag) : bag_(bag) {}

    void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) {
      const Day& day = bag_.days_->day(example);
      order_.assign(y.begin(), y.end());
      std::sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
        return is_earlier(talk(day, a), talk(day, b));
      });
      for (std::size_t k = 0; k < order_.size(); ++k) {
        const Talk& current = talk(day, order_[k]);
        bag_.each_weight(current, [&](std::int64_t j) { sum.add(j, 1); });
        if (k > 0) sum.add(bag_.gap_weight(talk(day, order_[k - 1]), current), 1);
      }
    }

   private:
    static const Talk& talk(const Day& day, std::int32_t number) {
      return day[static_cast<std::size_t>(number)];
    }

    const Bag& bag_;
    std::vector<std::int32_t> order_;
  };

  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const {
    const std::int64_t gap = weight - gap_weight(0);
    if (weight == 0) {
      out << "talk";
    } else if (gap < 0) {
      out << "tag " << days_->tag(weight - 1);
    } else {
      out << "gap " << gap << (gap == longest_gap_ ? " or more" : "");
    }
  }

  const Days& days() const { return *days_; }
  std::int64_t longest_gap() const { return longest_gap_; }
  // Calls visit(j) for each weight j of a talk by itself.
  template <class Visit>
  void each_weight(const Talk& talk, Visit visit) const {
    visit(0);
    for (const std::int32_t tag : talk.tags) visit(1 + tag);
  }
  // The weight of the gap between neighbours.
  std::int64_t gap_weight(const Talk& first, const Talk& second) const {
    return gap_weight(std::clamp<std::int64_t>(second.begin - first.end, 0, longest_gap_));
  }
  std::int64_t gap_weight(std::int64_t gap) const { return 1 + days_->tag_count() + gap; }

 private:
  std::int64_t longest_gap_;
  const Days* days_ = nullptr;
};

}  // namespace talks
