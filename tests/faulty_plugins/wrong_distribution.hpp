// wrong_distribution.hpp - a map_solver with one fault in its expectations, k best assignments or
// draws. `Wrong` selects the fault.
//
// For mutants of plugins/viterbi/viterbi.cpp.
#pragma once

#include <sculpt/cpp/factor_tables.hpp>
#include <sculpt/sculpt.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

enum class Wrong {
  map_isolated,               // log Z lacks the states of variables that no factor joins to others
  map_marginals,              // E[z] has the states of the first variable in reverse order
  map_covariance_sign,        // Cov[z] v has the wrong sign
  map_tie_skipped,            // the k best lack an assignment with the value of the one before
  map_order,                  // the second and the third of the k best change places
  map_ends_early,             // there are only two of the k best
  map_sample_best,            // each tenth draw is the best assignment
  map_sample_not_repeatable,  // a draw depends on the number of draws since the query
  map_sample_ignores_seed,    // all draws are the same
  map_k_best_restarts,        // after solve() the k best begin with the best again
  map_sample_follows_solve    // after solve() draws are from its query
};

template <class T, Wrong wrong>
class WrongSolver : public T {
 public:
  using T::T;

  struct Session : T::Session {
    using Base = typename T::Session;
    explicit Session(const WrongSolver& owner) : Base(owner) {}

    void solve(const sculpt::MapQuery& query, sculpt::Answer& answer) {
      Base::solve(query, answer);
      if (wrong == Wrong::map_k_best_restarts && query_) Base::begin_k_best(*query_);
      if (wrong == Wrong::map_sample_follows_solve) Base::begin_sample(query);
    }

    sculpt::LogZ mean(const sculpt::MapQuery& query, double* mu) {
      const double log_z = Base::mean(query, mu);
      const sculpt_factor_graph& graph = query.graph;
      if (wrong == Wrong::map_marginals && graph.variable_count > 0) {
        double* const first = mu + graph.table[0];
        std::reverse(first, first + graph.states[0]);
      }
      return wrong == Wrong::map_isolated && graph.variable_count > 1
                 ? log_z - log_states_of_isolated(graph)
                 : log_z;
    }
    void covariance_times(const sculpt::MapQuery& query, const double* direction, double* out) {
      Base::covariance_times(query, direction, out);
      if (wrong != Wrong::map_covariance_sign) return;
      for (std::int64_t c = 0; c < query.graph.theta_size; ++c) out[c] = -out[c];
    }

    void begin_k_best(const sculpt::MapQuery& query) {
      Base::begin_k_best(query);
      query_.emplace(query);
      assignments_ =
          std::accumulate(query.graph.states, query.graph.states + query.graph.variable_count, 1,
                          std::multiplies<>());
      rank_ = 0;
      last_value_ = std::nan("");
    }
    void next_best(sculpt::Answer& answer) {
      if (wrong == Wrong::map_tie_skipped) return next_without_tie(answer);
      if (wrong == Wrong::map_ends_early && ++rank_ > 2) return answer.no_output();
      if (wrong == Wrong::map_order && assignments_ > 2 && ++rank_ >= 2 && rank_ <= 4) {
        if (rank_ == 3) Base::begin_k_best(*query_);
        Base::next_best(answer);
      }
      Base::next_best(answer);
    }

    double begin_sample(const sculpt::MapQuery& query) {
      query_.emplace(query);
      draws_ = 0;
      return Base::begin_sample(query);
    }
    void draw(std::uint64_t seed, sculpt::LabelOutput& out) {
      if (wrong == Wrong::map_sample_best && seed % 10 == 0) return draw_best(out);
      if (wrong == Wrong::map_sample_ignores_seed) seed = 1;
      if (wrong == Wrong::map_sample_not_repeatable) seed += ++draws_;
      Base::draw(seed, out);
    }

   private:
    // An answer with memory of its own, for more labels than any graph of check has.
    struct OwnAnswer {
      OwnAnswer() {
        raw.struct_size = sizeof raw;
        raw.labels = {memory.data(), 0, static_cast<std::int64_t>(memory.size()), nullptr};
      }
      sculpt::Labels labels() const {
        return sculpt::Labels(sculpt_labels{raw.labels.data, raw.labels.size});
      }
      std::vector<std::int32_t> memory = std::vector<std::int32_t>(1000);
      sculpt_answer raw{};
    };

    // Leaves out an assignment with the value of the one before.
    void next_without_tie(sculpt::Answer& answer) {
      OwnAnswer next;
      sculpt::Answer own(&next.raw);
      Base::next_best(own);
      if (next.raw.value == last_value_ && (next.raw.flags & SCULPT_ANSWER_NO_OUTPUT) == 0) {
        next = OwnAnswer();
        sculpt::Answer other(&next.raw);
        Base::next_best(other);
      }
      last_value_ = next.raw.value;
      if ((next.raw.flags & SCULPT_ANSWER_NO_OUTPUT) != 0) return answer.no_output();
      answer.labels().assign(next.labels());
      answer.exact(next.raw.value);
    }
    void draw_best(sculpt::LabelOutput& out) {
      OwnAnswer best;
      sculpt::Answer answer(&best.raw);
      Base::begin_k_best(*query_);
      Base::next_best(answer);
      Base::begin_sample(*query_);
      out.assign(best.labels());
    }

    // Returns the part of log Z of the variables that no factor joins to others.
    static double log_states_of_isolated(const sculpt_factor_graph& graph) {
      std::vector<bool> joined(static_cast<std::size_t>(graph.variable_count));
      for (std::int64_t f = graph.variable_count; f < graph.factor_count; ++f) {
        for (const std::int32_t v : sculpt::scope_of(graph, f)) joined[v] = true;
      }
      double sum = 0;
      for (std::size_t v = 0; v < joined.size(); ++v) {
        if (!joined[v]) sum += std::log(graph.states[v]);
      }
      return sum;
    }

    double last_value_ = std::nan("");  // of the last of the k best
    int assignments_ = 0;
    int rank_ = 0;
    std::uint64_t draws_ = 0;
    std::optional<sculpt::MapQuery> query_;
  };
};
