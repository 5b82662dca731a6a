// oracle_list.hpp - several oracles as one. Later oracles are asked if the earlier ones found too
// little.
//
//   escalate   asks the next one until a value is larger than `stop_escalating_above`, or no value
//              can be; the cheapest oracle comes first
//   combine    asks all
//
// The answer is the best output of the oracles that were asked. No output has a larger value than
// the smallest of their bounds. So the answer is EXACT if its value attains that bound.
//
// If the last oracle relaxes (sculpt/ext/cut.h), only its bound is used for relaxed answers. The
// bounds of the others are bounds for outputs, and the relaxed maximum may be larger. The oracles
// before the last are asked for outputs only. So a relaxing oracle before an exact one contributes
// its bound and its rounded output.
//
// Frontiers, expectations and completions are those of the last oracle.
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
  // Requires two members or more. The features have this dimension and outlive it.
  OracleList(std::vector<std::unique_ptr<Oracle>> members, OracleRule rule, Features& features,
             std::int64_t dimension, int threads);

  // That of the last oracle, because the certificate depends on it.
  const Component& component() const override { return members_.back()->component(); }
  const std::string& obstacle_to_loss() const override { return obstacle_to_loss_; }
  // The frontier is that of the last member, which then is the only one asked.
  const std::string& obstacle_to_frontier() const override {
    return members_.back()->obstacle_to_frontier();
  }
  bool relaxes() const override { return members_.back()->relaxes(); }
  bool completes() const override { return members_.back()->completes(); }
  bool conditions_on_truths() const override { return members_.back()->conditions_on_truths(); }
  void condition_on_truths() override { members_.back()->condition_on_truths(); }
  bool escalates() const override { return rule_ == OracleRule::escalate; }
  void require_largest_fits(std::int64_t count) override;
  bool answers_batches() const override;
  // Only to the members that are asked in any case.
  void announce(int worker, std::span<const sculpt_query> queries, BatchValues* values) override;

  const Frontier::Shape& begin_frontier(int worker, const sculpt_query& query) override;
  void frontier_slice(int worker, std::int64_t first, std::vector<double>& score) override;
  void frontier_output(int worker, std::int64_t example, const Counts& counts,
                       Answer& answer) override;
  void end_frontier(int worker) override;
  void require_frontier_fits(int worker, const sculpt_query& query) override;
  CountLoss& count_loss() override { return members_.back()->count_loss(); }
  Expectations* expectations() override { return members_.back()->expectations(); }
  Expectations* uniform_expectations() override { return members_.back()->uniform_expectations(); }
  bool lists_k_best() const override { return members_.back()->lists_k_best(); }
  bool draws() const override { return members_.back()->draws(); }
  void begin_k_best(int worker, const sculpt_query& query) override {
    members_.back()->begin_k_best(worker, query);
  }
  void next_best(int worker, const sculpt_query& query, Answer& answer) override {
    members_.back()->next_best(worker, query, answer);
  }
  double begin_draws(int worker, const sculpt_query& query) override {
    return members_.back()->begin_draws(worker, query);
  }
  void draw(int worker, const sculpt_query& query, std::uint64_t seed, Answer& answer) override {
    members_.back()->draw(worker, query, seed, answer);
  }

 private:
  struct ListQuery;  // one query and the answers so far

  void compute_argmax(int worker, const sculpt_query& query, double stop_escalating_above,
                      Answer& answer) override;
  void compute_relaxed(int worker, const sculpt_query& query, double stop_escalating_above,
                       SparseAccumulator& scratch, SparseVector& psi, Answer& answer) override;
  void compute_completion(int worker, const sculpt_query& query, Answer& answer) override {
    members_.back()->complete(worker, query, answer);
  }
  sculpt_frontier_query frontier_query(int worker, const sculpt_query& query) override;
  // Each member has checked its own labels.
  void check_labels(int, std::int64_t, const Answer&) const override {}

  std::span<const std::unique_ptr<Oracle>> always_asked() const {
    return std::span(members_).first(escalates() ? 1 : members_.size());
  }
  bool add_answer(ListQuery& list_query, Answer& latest, bool is_bound_valid) const;
  double rounding(const ListQuery& list_query) const;
  static void write_flags_and_bound(ListQuery& list_query, std::size_t members);

  std::vector<std::unique_ptr<Oracle>> members_;
  OracleRule rule_;
  Features& features_;
  std::int64_t dimension_;
  std::string obstacle_to_loss_;
  std::vector<std::unique_ptr<Answer>> latest_;  // [threads]
};

}  // namespace sculpt::core
