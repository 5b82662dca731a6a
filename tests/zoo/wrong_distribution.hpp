// wrong_distribution.hpp - a map_solver that tells of all assignments, wrong in one way: `Wrong`
// says in which.
//
// For mutants of plugins/viterbi/viterbi.cpp.
#pragma once

#include <sculpt/cpp/factor_tables.hpp>
#include <sculpt/cpp/map_demands.hpp>
#include <sculpt/cpp/map_distribution.hpp>
#include <sculpt/sculpt.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <vector>

enum class Wrong {
  map_isolated,         // log Z lacks the states of a variable that no factor joins to others
  map_marginals,        // E[z] has the states of the first variable the other way round
  map_covariance_sign,  // Cov[z] v has the other sign
  map_tie_skipped,      // of the k best, one with the value of the one before is left out
  map_order,            // the second and the third of the k best change places
  map_ends_early,       // of the k best there are two
  map_sample_best,      // each tenth draw is the best assignment
  map_sample_seed,      // draws depend on how many there were
  map_sample_first,     // draws do not depend on the seed
  map_k_best_begins,    // behind solve() the k best begin again with the best
  map_sample_moves      // behind solve() draws are from its question
};

template <class T, Wrong wrong>
class WrongSolver : public T {
 public:
  using T::T;

  struct Session : T::Session {
    using Right = typename T::Session;
    explicit Session(const WrongSolver& owner) : Right(owner) {}

    void solve(const sculpt::MapQuery& query, sculpt::Answer& answer) {
      Right::solve(query, answer);
      if (wrong == Wrong::map_k_best_begins && asked_) Right::begin_k_best(*asked_);
      if (wrong == Wrong::map_sample_moves) Right::begin_sample(query);
    }

    double mean(const sculpt::MapQuery& query, double* mu) {
      const double log_z = Right::mean(query, mu);
      const sculpt_factor_graph& graph = query.graph;
      if (wrong == Wrong::map_marginals && graph.variable_count > 0) {
        double* const first = mu + graph.table[0];
        std::reverse(first, first + graph.states[0]);
      }
      return wrong == Wrong::map_isolated && graph.variable_count > 1
                 ? log_z - states_of_isolated(graph)
                 : log_z;
    }
    void covariance_times(const sculpt::MapQuery& query, const double* direction, double* out) {
      Right::covariance_times(query, direction, out);
      if (wrong != Wrong::map_covariance_sign) return;
      for (std::int64_t c = 0; c < query.graph.theta_size; ++c) out[c] = -out[c];
    }

    void begin_k_best(const sculpt::MapQuery& query) {
      Right::begin_k_best(query);
      asked_.emplace(query);
      assignments_ =
          std::accumulate(query.graph.states, query.graph.states + query.graph.variable_count, 1,
                          std::multiplies<>());
      rank_ = 0;
      last_ = std::nan("");
    }
    void next_best(sculpt::Answer& answer) {
      if (wrong == Wrong::map_ends_early && ++rank_ > 2) return answer.no_output();
      if (wrong == Wrong::map_order && assignments_ > 2 && ++rank_ >= 2 && rank_ <= 4) {
        if (rank_ == 3) Right::begin_k_best(*asked_);
        Right::next_best(answer);
      }
      Right::next_best(answer);
    }

    double begin_sample(const sculpt::MapQuery& query) {
      asked_.emplace(query);
      return Right::begin_sample(query);
    }
    void draw(std::uint64_t seed, sculpt::LabelOutput& out) {
      if (wrong == Wrong::map_sample_first) seed = 1;
      if (wrong == Wrong::map_sample_seed) seed += ++drawn_;
      Right::draw(seed, out);
    }
    void draw_best(sculpt::Answer& answer) {
      Right::begin_k_best(*asked_);
      Right::next_best(answer);
      Right::begin_sample(*asked_);
    }

    // Of the last of the k best.
    double last_ = std::nan("");

   private:
    static double states_of_isolated(const sculpt_factor_graph& graph) {
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

    int assignments_ = 0;
    int rank_ = 0;
    std::uint64_t drawn_ = 0;
    std::optional<sculpt::MapQuery> asked_;
  };

  const void* extension(const char* id) const {
    if (wrong == Wrong::map_tie_skipped && std::strcmp(id, SCULPT_EXT_MAP_K_BEST) == 0) {
      return &without_ties;
    }
    if (wrong == Wrong::map_sample_best && std::strcmp(id, SCULPT_EXT_MAP_SAMPLE) == 0) {
      return &with_more_of_the_best;
    }
    const void* const demands = sculpt::map_demands_of<WrongSolver>(id);
    return demands != nullptr ? demands : sculpt::map_distribution_of<WrongSolver>(id);
  }

 private:
  static constexpr const auto& k_best = sculpt::map_k_best_table<WrongSolver>;
  static constexpr const auto& sample = sculpt::map_sample_table<WrongSolver>;

  static constexpr sculpt_ext_map_k_best without_ties{
      k_best.begin, [](void* session, sculpt_answer* out, sculpt_error* error) {
        double& last = sculpt::session_of<WrongSolver>(session).last_;
        sculpt_status status = k_best.next(session, out, error);
        if (status == SCULPT_OK && out->value == last) status = k_best.next(session, out, error);
        last = out->value;
        return status;
      }};
  static constexpr sculpt_ext_map_sample with_more_of_the_best{
      sample.begin,
      [](void* session, std::uint64_t seed, sculpt_label_buffer* out, sculpt_error* error) {
        if (seed % 10 != 0) return sample.draw(session, seed, out, error);
        sculpt_answer best{};
        best.struct_size = sizeof best;
        best.labels = *out;
        sculpt::Answer answer(&best);
        sculpt::session_of<WrongSolver>(session).draw_best(answer);
        *out = best.labels;
        return sculpt_status{SCULPT_OK};
      }};
};
