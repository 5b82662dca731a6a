// oracle.hpp - the best set of talks: exact by dynamic programming, or greedy with a bound on days
// with many talks.
#pragma once

#include <optional>
#include <sculpt/cpp/count_tables.hpp>
#include <sculpt/cpp/cursor.hpp>

#include "loss.hpp"
#include "schedule.hpp"

namespace talks {

class Planner {
 public:
  static constexpr sculpt::About about{"org.example.talks", "1.0.0", "the best talks to attend"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("most", "4", 1, 64, "nobody attends more than this", "talks"),
      sculpt::integer("exact_up_to", "1000", 0, 1e6, "days with more are searched greedily",
                      "talks"),
      sculpt::max_cells_parameter()};

  Planner(const sculpt::Parameters& values, sculpt::Host host)
      : most_(values.integer("most")),
        exact_up_to_(values.integer("exact_up_to")),
        max_cells_(values.integer("max_cells")),
        host_(host) {}

  void bind(const sculpt::Bindings& bindings) {
    bag_ = sculpt::same_library<Bag>(bindings.features, sculpt::Features<Bag>::component);
    if (bag_ == nullptr) {
      throw sculpt::unsupported_error("works only with its own features; set features to talks");
    }
    loss_ = sculpt::same_library<Jaccard>(bindings.loss, sculpt::Loss<Jaccard>::component);
    if (bindings.loss.present() && loss_ == nullptr) {
      throw sculpt::unsupported_error("works only with the loss jaccard; set loss to jaccard");
    }
    is_exact_ = true;
    for (std::int64_t i = 0; i < bag_->days().count(); ++i) is_exact_ = is_exact_ && is_exact(i);
  }
  // Greedy sets are no frontier.
  bool offers_frontier() const { return is_exact_; }

  class Session {
   public:
    explicit Session(const Planner& planner) : planner_(planner), schedule_(*planner.bag_) {}

    void argmax(const sculpt::Query& query, sculpt::Answer& answer) {
      cursor_.end();
      schedule_.begin(query.example, query.weights);
      if (query.truth.known() && !planner_.covers(query.example, query.truth)) {
        answer.truth_outside();
      }
      if (planner_.is_exact(query.example)) {
        answer.exact(find_exact(query));
      } else {
        answer.found(find_greedily(query));
        answer.bound(bound(query));
      }
      answer.labels().assign(y_);
    }

    void begin_frontier(const sculpt::FrontierQuery& asked, sculpt::FrontierShape& shape) {
      cursor_.end();
      query_.emplace(asked.query());
      schedule_.begin(query_->example, query_->weights);
      sculpt::check_frontier_size(schedule_.cells(query_->truth, planner_.most_), 16,
                                  planner_.max_cells_);
      if (!planner_.covers(query_->example, query_->truth)) shape.truth_outside();
      const auto size = [&](std::int64_t all) { return std::min(all, planner_.most_) + 1; };
      shape.resize(size(query_->truth.count()), size(static_cast<std::int64_t>(schedule_.size())));
      is_solved_ = false;
      cursor_.begin(sculpt::CursorKind::frontier);
    }
    void frontier_slice(std::int64_t first, std::span<double> scores) {
      solve_frontier();
      sculpt::check_counts({first, 0}, sizes());
      std::size_t last = 0;
      for (std::size_t p = 0; p < scores.size(); ++p) {
        scores[p] = schedule_.best(p, static_cast<std::size_t>(first), &last);
      }
    }
    void frontier_output(const sculpt::CountVector& counts, sculpt::LabelOutput& out) {
      solve_frontier();
      sculpt::check_counts(counts, sizes());
      std::size_t last = 0;
      const auto m = static_cast<std::size_t>(counts[0]);
      const auto p = static_cast<std::size_t>(counts[1]);
      if (schedule_.best(p, m, &last) == sculpt::unattainable) throw sculpt::no_output_with(counts);
      schedule_.trace(last, p, m, query_->truth, y_);
      out.assign(y_);
    }

    std::int64_t enumerate(std::int64_t example, std::int64_t limit, const sculpt::Visit& visit) {
      cursor_.end();
      const std::vector<double> zero(static_cast<std::size_t>(planner_.bag_->dimension()), 0);
      schedule_.begin(example, sculpt::Weights({zero.data(), planner_.bag_->dimension(), 0}));
      Attendances all(planner_.bag_->days().day(example), schedule_.order(), planner_.most_);
      const std::int64_t count = all.count(limit);
      if (count <= limit) all.each(visit);
      return count;
    }

   private:
    // The best cell of score + loss_weight * Delta. Ties go to smaller sets and earlier talks.
    double find_exact(const sculpt::Query& query) {
      const bool counts_loss = query.loss_weight > 0;
      const sculpt::Labels truth = counts_loss ? query.truth : sculpt::Labels();
      schedule_.solve(truth, planner_.most_, planner_.host_);
      const auto value = [&](double score, std::size_t p, std::size_t m) {
        if (!counts_loss || score == sculpt::unattainable) return score;
        return score + query.loss_weight * loss(query, p, m);
      };
      double best = value(0, 0, 0);
      std::size_t best_p = 0;
      std::size_t best_m = 0;
      std::size_t best_last = 0;
      for (std::size_t p = 1; p < schedule_.p_size(); ++p) {
        for (std::size_t m = 0; m < schedule_.m_size(); ++m) {
          for (std::size_t i = 0; i < schedule_.size(); ++i) {
            const double candidate = value(schedule_.best(i, p, m), p, m);
#if PLANTED == 10
            // Keeps the talk of the last answer if it is as good, so that answers change less.
            if (candidate < best || (candidate == best && i != favourite_)) continue;
#else
            if (candidate <= best) continue;
#endif
            best = candidate, best_p = p, best_m = m, best_last = i;
          }
        }
      }
#if PLANTED == 10
      favourite_ = best_last;
#endif
      schedule_.trace(best_last, best_p, best_m, truth, y_);
      return best;
    }

    // Adds the talk that raises the value most, until none does.
    double find_greedily(const sculpt::Query& query) {
      std::vector<std::size_t> chosen;  // by time
      double best = value_of(query, chosen);
      for (bool is_better = true; is_better && std::ssize(chosen) < planner_.most_;) {
        std::vector<std::size_t> best_set;
        for (std::size_t i = 0; i < schedule_.size(); ++i) {
          const auto place = std::lower_bound(chosen.begin(), chosen.end(), i);
          if (place != chosen.end() && !schedule_.can_follow(i, *place)) continue;
          if (place != chosen.begin() && !schedule_.can_follow(*(place - 1), i)) continue;
          std::vector<std::size_t> larger = chosen;
          larger.insert(larger.begin() + (place - chosen.begin()), i);
          const double value = value_of(query, larger);
          if (value > best) best = value, best_set = larger;
        }
        is_better = !best_set.empty();
        if (is_better) chosen = best_set;
      }
      (void)value_of(query, chosen);  // writes y_
      return best;
    }
    // The value of a set of positions. Writes it to y_.
    double value_of(const sculpt::Query& query, const std::vector<std::size_t>& chosen) {
      double value = 0;
      y_.clear();
      for (std::size_t k = 0; k < chosen.size(); ++k) {
        value += schedule_.score(chosen[k]);
        if (k > 0) value += schedule_.gap_score(chosen[k - 1], chosen[k]);
        y_.push_back(schedule_.order()[chosen[k]]);
      }
      std::sort(y_.begin(), y_.end());
      if (query.loss_weight > 0) {
        value += query.loss_weight * planner_.loss_->loss(query.truth, sculpt::Labels(y_));
      }
      return value;
    }
    // No set is better than the largest scores of its talks, each with the best gap. Delta <= 1.
    double bound(const sculpt::Query& query) const {
      std::vector<double> gains;
      for (std::size_t i = 0; i < schedule_.size(); ++i) {
#if PLANTED == 17
        gains.push_back(std::max(0.0, schedule_.score(i)));
#else
        const double gap = std::max(0.0, schedule_.best_gap_score());
        gains.push_back(std::max(0.0, schedule_.score(i) + gap));
#endif
      }
      std::sort(gains.rbegin(), gains.rend());
      double sum = query.loss_weight;
      for (std::size_t k = 0; k < gains.size() && static_cast<std::int64_t>(k) < planner_.most_;
           ++k) {
        sum += gains[k];
      }
      return sum;
    }

    double loss(const sculpt::Query& query, std::size_t p, std::size_t m) const {
      const sculpt::CountVector counts{static_cast<std::int64_t>(m), static_cast<std::int64_t>(p)};
      return planner_.loss_->loss_of_counts(query.example, query.truth, counts);
    }
    void solve_frontier() {
      cursor_.require(sculpt::CursorKind::frontier);
      if (!is_solved_) schedule_.solve(query_->truth, planner_.most_, planner_.host_);
      is_solved_ = true;
    }
    sculpt::CountVector sizes() const {
      return {static_cast<std::int64_t>(schedule_.m_size()),
              static_cast<std::int64_t>(schedule_.p_size())};
    }

    const Planner& planner_;
    Schedule schedule_;
    std::vector<std::int32_t> y_;
#if PLANTED == 10
    std::size_t favourite_ = 0;  // the last talk of the last answer
#endif
    sculpt::Cursor cursor_;
    std::optional<sculpt::Query> query_;  // of the frontier
    bool is_solved_ = false;
  };

 private:
  bool is_exact(std::int64_t example) const {
    return static_cast<std::int64_t>(bag_->days().day(example).size()) <= exact_up_to_;
  }
  bool covers(std::int64_t example, sculpt::Labels y) const {
    return is_attendance(bag_->days().day(example), y, most_);
  }

  std::int64_t most_;
  std::int64_t exact_up_to_;
  std::int64_t max_cells_;
  sculpt::Host host_;
  const Bag* bag_ = nullptr;
  const Jaccard* loss_ = nullptr;  // nullptr in prediction
  bool is_exact_ = true;           // for all days
};

}  // namespace talks
