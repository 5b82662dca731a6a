// oracle_list.hpp - several oracles as one: the next is asked when those before it found too
// little.
//
//   escalate   asks on until a value exceeds what is enough, or no value can: the cheapest first
//   combine    asks all
//
// The answer is the best output of those asked. Of outputs no value exceeds the least of their
// bounds, so the answer is EXACT when the best attains it. Where the last one relaxes
// (sculpt/ext/cut.h), the relaxed answer is its alone: the others give outputs, their bounds are of
// outputs and prove nothing of the larger maximum. Those before the last are asked for outputs
// only, so a relaxed one in front of an exact one contributes its bound and its rounded output.
// Frontiers and expectations are those of the last one.
//
// Made by Problem.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "problem/components/features.hpp"
#include "problem/oracle/oracle.hpp"

namespace sculpt::core {

enum class OracleRule { escalate, combine };

class OracleList : public Oracle {
 public:
  // Requires two members or more. The features, of this dimension, outlive it.
  OracleList(std::vector<std::unique_ptr<Oracle>> members, OracleRule rule, Features& features,
             std::int64_t dimension, int threads);

  // The last one: what is certified rests on it.
  const Component& component() const override { return members_.back()->component(); }
  const std::string& obstacle_to_loss() const override { return obstacle_to_loss_; }
  // The frontier is that of the last one, who then is the only one to be asked.
  const std::string& obstacle_to_frontier() const override {
    return members_.back()->obstacle_to_frontier();
  }
  bool relaxes() const override { return members_.back()->relaxes(); }
  bool escalates() const override { return rule_ == OracleRule::escalate; }
  void require_largest_fits(std::int64_t count) override;

  const Frontier::Shape& begin_frontier(int worker, const sculpt_query& query) override;
  void frontier_slice(int worker, std::int64_t first, std::vector<double>& score) override;
  void frontier_output(int worker, std::int64_t example, const Counts& counts,
                       Answer& answer) override;
  void end_frontier(int worker) override;
  void require_frontier_fits(int worker, const sculpt_query& query) override;
  CountLoss& count_loss() override { return members_.back()->count_loss(); }
  Expectations* expectations() override { return members_.back()->expectations(); }

 private:
  struct ListQuery;  // one question on its way through the members

  void ask(int worker, const sculpt_query& query, double enough, Answer& answer) override;
  void ask_relaxed(int worker, const sculpt_query& query, double enough, SparseAccumulator& scratch,
                   SparseVector& psi, Answer& answer) override;
  sculpt_frontier_query frontier_query(int worker, const sculpt_query& query) override;
  // Each member has looked at its own.
  void check_labels(int, std::int64_t, const Answer&) const override {}

  bool add_answer(ListQuery& course, Answer& latest, bool bounds) const;
  double rounding(const ListQuery& course) const;
  static void write_flags_and_bound(ListQuery& course, std::size_t members);

  std::vector<std::unique_ptr<Oracle>> members_;
  OracleRule rule_;
  Features& features_;
  std::int64_t dimension_;
  std::string obstacle_to_loss_;
  std::vector<std::unique_ptr<Answer>> latest_;  // [threads]
};

}  // namespace sculpt::core
