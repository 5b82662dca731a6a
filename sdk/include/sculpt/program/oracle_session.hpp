// oracle_session.hpp - the work of ProgramOracle on each thread. Used by oracle.hpp. [worker]
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "../cpp/cursor.hpp"
#include "../cpp/random.hpp"
#include "best.hpp"
#include "counted_search.hpp"
#include "derivations.hpp"
#include "k_best.hpp"
#include "loss_counts.hpp"
#include "program_task.hpp"
#include "rescored.hpp"
#include "sample.hpp"
#include "watched.hpp"

namespace sculpt::program {

// Features whose set of outputs depends on the truth.
template <class T>
inline constexpr bool restricts =
    detail::find_in<detail::method::restrict_to, typename T::Session>() == detail::Finding::fits;
template <class T>
inline constexpr std::uint64_t separation_set_trait =
    restricts<T> ? SCULPT_TRAIT_SEPARATION_SET : 0;

// The method enumerate() of a session, if it has one.
template <class Session, bool is_offered>
class EnumerateMethod {};
template <class Session>
class EnumerateMethod<Session, true> {
 public:
  std::int64_t enumerate(std::int64_t example, std::int64_t limit, const Visit& visit) {
    return static_cast<Session*>(this)->enumerate_all(example, limit, visit);
  }
};

// T: the features, Owner: ProgramOracle<T>. Every call regularly asks the host whether to stop. A
// stopped call may be repeated. enumerate() gets no truth, so it is not offered with restrict_to().
template <class T, class Owner>
class OracleSession : public EnumerateMethod<OracleSession<T, Owner>, !restricts<T>> {
 public:
  using Task = typename T::Session;
  using P = std::remove_cvref_t<decltype(std::declval<Task&>().program(std::int64_t{},
                                                                       std::span<const double>()))>;
  using Edge = typename P::Edge;

  explicit OracleSession(const Owner& owner)
      : owner_(owner), task_(owner.task()), loss_(owner.loss()), counted_(owner.max_cells()) {}

  // Finds the best derivation, or the best cell of the frontier if the loss is not linear.
  void argmax(const Query& query, Answer& answer) {
    cursor_.end();
    if (query.truth.known() && !task_.covers(query.example, query.truth)) answer.truth_outside();
    if (has_loss(query) && !owner_.loss().is_linear()) {
      return argmax_by_counts(query, answer);
    }
    if (has_loss(query))
      return answer_best(loss_augmented_best_, augmented_program(query), query.example, answer);
    constant_ = 0;  // A prediction uses the rows of its program, if there are any.
    answer_best(best_, watched_program(query), query.example, answer);
  }

  // Starts the frontier of these counts. Throws E_UNSUPPORTED for unknown counts and too many
  // cells.
  void begin_frontier(const FrontierQuery& frontier_query, FrontierShape& shape) {
    cursor_.end();
    const Query query = frontier_query.query();
    check_known(frontier_query.counts(), count_names<T>(), "this frontier");
    if (query.truth.known() && !task_.covers(query.example, query.truth)) shape.truth_outside();
    const Counts size = begin_search(query, frontier_query.counts());
    if (size[0] == 0) return shape.no_output();
    shape.resize(size[0], size[1]);
    cursor_.begin(CursorKind::frontier);
  }
  // Writes the best scores with this first count. Throws E_INVALID without begin_frontier().
  void frontier_slice(std::int64_t first, std::span<double> scores) {
    cursor_.require(CursorKind::frontier);
    check_counts({first, 0}, counted_.size());
    for (std::size_t k = 0; k < scores.size(); ++k) {
      scores[k] = counted_.score({first, static_cast<std::int64_t>(k)});
    }
  }
  // Writes a best output with these counts. Throws E_INVALID if there is none.
  void frontier_output(const CountVector& counts, LabelOutput& out) {
    cursor_.require(CursorKind::frontier);
    check_counts(counts, counted_.size());
    if (counted_.score(counts) == underivable) throw no_output_with(counts);
    counted_.derivation(counts, derivation_);
    out.assign(output(example_));
  }

  // Returns log Z and adds E[psi] to the sum.
  double mean(const Query& query, Sum& sum) {
    cursor_.end();
    const LossAugmented program = augmented_program(query);
    const double log_z = moments_.log_z(program);
    if (log_z == underivable) return log_z;
    moments_.marginals(program, [&](const Edge& edge, double p) {
      if (p > 0) task_.add(query.example, edge, p, sum);
    });
    return log_z + constant_;
  }
  // Adds Cov[psi] v to the sum.
  void covariance_times(const Query& query, std::span<const double> v, Sum& sum) {
    cursor_.end();
    const LossAugmented program = augmented_program(query);
    if (!direction_task_) direction_task_.emplace(owner_.task());
    const Sloped<LossAugmented, P> sloped(program, program_of(*direction_task_, query, v));
    if (sloped_moments_.log_z(sloped) == underivable) return;
    sloped_moments_.covariance(
        sloped, [](const auto& edge) { return edge.slope; },
        [&](const Edge& edge, double change) {
          if (change != 0) task_.add(query.example, edge, change, sum);
        });
  }

  void begin_k_best(const Query& query) {
    store_program(query);
    k_best_.begin(*loss_augmented_);
    rank_ = 0;
    cursor_.begin(CursorKind::k_best);
  }
  // Writes the next output, best first. After the last one the answer is NO_OUTPUT.
  void next_best(Answer& answer) {
    cursor_.require(CursorKind::k_best);
    const double value = k_best_.find(rank_, derivation_);
    if (value == underivable) return answer.no_output();
    ++rank_;
    answer.labels().assign(output(example_));
    answer.exact(value + constant_);
  }

  double begin_sample(const Query& query) {
    store_program(query);
    const double log_z = sampler_.prepare(*loss_augmented_);
    if (log_z != underivable) cursor_.begin(CursorKind::sample);
    return log_z + constant_;
  }
  // Draws one output. Equal seeds give equal outputs.
  void draw(std::uint64_t seed, LabelOutput& out) {
    cursor_.require(CursorKind::sample);
    Random random(seed);
    sampler_.draw(*loss_augmented_, random, derivation_);
    out.assign(output(example_));
  }

 private:
  friend EnumerateMethod<OracleSession, true>;
  using WatchedProgram = Watched<P>;

  std::int64_t enumerate_all(std::int64_t example, std::int64_t limit, const Visit& visit) {
    cursor_.end();
    const std::vector<double> no_weights(static_cast<std::size_t>(owner_.task().dimension()), 0.0);
    const WatchedProgram& program =
        watched_.emplace(task_.program(example, no_weights), owner_.host());
    const std::int64_t too_many = limited_sum(limit, 1, std::numeric_limits<std::int64_t>::max());
    const std::int64_t count = derivations_.count(program, too_many);
    if (count > limit) return count;
    derivations_.each(program, [&](const Derivation<P>& derivation) {
      task_.output(example, derivation, y_);
      visit(Labels(y_));
    });
    return count;
  }

  // The score of an edge plus the linear loss of its counts.
  struct AugmentedScore {
    const Task* task = nullptr;  // nullptr: no loss
    std::array<double, SCULPT_MOST_COUNTS> count_weights{};
    double operator()(const Edge& edge) const {
      if (task == nullptr) return edge.score;
      const Counts counts = task->counts(edge);
      return edge.score + count_weights[0] * static_cast<double>(counts[0]) +
             count_weights[1] * static_cast<double>(counts[1]);
    }
  };
  using LossAugmented = Rescored<WatchedProgram, AugmentedScore>;

  static bool has_loss(const Query& query) { return query.truth.known() && query.loss_weight > 0; }

  static const P& program_of(Task& task, const Query& query, std::span<const double> w) {
    if constexpr (restricts<T>) task.restrict_to(query.truth);
    return task.program(query.example, w);
  }
  // Returns the program of the query, without its loss.
  const WatchedProgram& watched_program(const Query& query) {
    return watched_.emplace(program_of(task_, query, query.weights), owner_.host());
  }

  // Returns the program with the loss of the query in its scores, except for constant_. Throws
  // E_UNSUPPORTED for a loss that is not linear.
  LossAugmented augmented_program(const Query& query) {
    const WatchedProgram& program = watched_program(query);
    constant_ = 0;
    if (!has_loss(query)) return LossAugmented(program, AugmentedScore());
    if (!owner_.loss().is_linear()) {
      throw unsupported_error("needs a loss that is linear in its counts, but " +
                              owner_.loss().id() +
                              " is not (it has no count_slopes()): use another loss");
    }
    task_.begin_counts(query.example, query.truth, owner_.loss().counts());
    const CountLossSession::Line line = loss_.line(query.example, query.truth);
    constant_ = query.loss_weight * line.constant;
    return LossAugmented(program, AugmentedScore{&task_,
                                                 {query.loss_weight * line.slope[0],
                                                  query.loss_weight * line.slope[1]}});
  }

  // Answers with the best derivation of a program.
  template <class Search, class Searched>
  void answer_best(Search& best, const Searched& program, std::int64_t example, Answer& answer) {
    const double value = best.find(program);
    if (value == underivable) return answer.no_output();
    best.derivation(program, derivation_);
    answer.labels().assign(output(example));
    answer.exact(value + constant_);
  }

  // Answers with the cell of the frontier that maximizes score + loss_weight * Delta.
  void argmax_by_counts(const Query& query, Answer& answer) {
    const Counts size = begin_search(query, owner_.loss().counts());
    if (size[0] == 0) return answer.no_output();
    Counts best{0, 0};
    double best_value = underivable;
    for (Counts c{0, 0}; c[0] < size[0]; ++c[0]) {
      for (c[1] = 0; c[1] < size[1]; ++c[1]) {
        const double score = counted_.score(c);
        if (score == underivable) continue;
        const double value = score + query.loss_weight * loss_.value(query.example, query.truth, c);
        if (value > best_value) best_value = value, best = c;
      }
    }
    counted_.derivation(best, derivation_);
    answer.labels().assign(output(query.example));
    answer.exact(best_value);
  }

  // Starts the frontier of these counts. Returns its size.
  Counts begin_search(const Query& query, std::span<const sculpt_count> counts) {
    example_ = query.example;
    const WatchedProgram& program = watched_program(query);
    task_.begin_counts(query.example, query.truth, counts);
    return counted_.begin(task_, program, limits_of(counts));
  }

  // Keeps the program of the query for the next calls of the sequence.
  void store_program(const Query& query) {
    cursor_.end();
    example_ = query.example;
    loss_augmented_.emplace(augmented_program(query));
  }

  Labels output(std::int64_t example) {
    task_.output(example, derivation_, y_);
    return Labels(y_);
  }

  const Owner& owner_;
  Task task_;
  std::optional<Task> direction_task_;  // its program has the weights v, for covariances
  LossCountsSession loss_;
  double constant_ = 0;                    // of the loss in the last augmented_program()
  std::optional<WatchedProgram> watched_;  // of the last query
  Best<WatchedProgram> best_;
  Best<LossAugmented> loss_augmented_best_;
  Derivations<WatchedProgram> derivations_;
  Moments<LossAugmented> moments_;
  Moments<Sloped<LossAugmented, P>> sloped_moments_;
  Cursor cursor_;
  std::int64_t example_ = 0;  // of the current sequence of calls, like the following members
  std::optional<LossAugmented> loss_augmented_;
  CountedSearch<Task, WatchedProgram> counted_;
  KBest<LossAugmented> k_best_;
  std::int64_t rank_ = 0;
  Sampler<LossAugmented> sampler_;
  Derivation<P> derivation_;
  std::vector<std::int32_t> y_;
};

}  // namespace sculpt::program
