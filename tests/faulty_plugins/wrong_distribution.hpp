// wrong_distribution.hpp - a map_solver with one fault in its expectations, k best assignments or
// draws. `Wrong` selects the fault.
//
// For mutants of plugins/viterbi/viterbi.cpp.
#pragma once

#include <sculpt/cpp/distribution.hpp>
#include <sculpt/cpp/factor_tables.hpp>
#include <sculpt/sculpt.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
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

    double mean(const sculpt::MapQuery& query, double* mu) {
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
      if (wrong == Wrong::map_sample_ignores_seed) seed = 1;
      if (wrong == Wrong::map_sample_not_repeatable) seed += ++draws_;
      Base::draw(seed, out);
    }
    void draw_best(sculpt::Answer& answer) {
      Base::begin_k_best(*query_);
      Base::next_best(answer);
      Base::begin_sample(*query_);
    }

    // The value of the last of the k best.
    double last_value_ = std::nan("");

   private:
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

    int assignments_ = 0;
    int rank_ = 0;
    std::uint64_t draws_ = 0;
    std::optional<sculpt::MapQuery> query_;
  };

  // The tables of the host's calls, two of them with a fault.
  using drafts = sculpt::Drafts<>;
  static constexpr const char* extensions[] = {SCULPT_EXT_MAP_EXPECTATION, SCULPT_EXT_MAP_K_BEST,
                                               SCULPT_EXT_MAP_SAMPLE};
  const void* extension(const char* id) const {
    if (std::strcmp(id, SCULPT_EXT_MAP_EXPECTATION) == 0) return &table<sculpt::Expectation>();
    if (std::strcmp(id, SCULPT_EXT_MAP_K_BEST) == 0) {
      return wrong == Wrong::map_tie_skipped ? &without_ties : &table<sculpt::KBest>();
    }
    if (std::strcmp(id, SCULPT_EXT_MAP_SAMPLE) == 0) {
      return wrong == Wrong::map_sample_best ? &with_more_of_the_best : &table<sculpt::Sample>();
    }
    return nullptr;
  }

 private:
  template <class Draft>
  static const auto& table() {
    return Draft::template Of<SCULPT_KIND_MAP_SOLVER>::template table<WrongSolver>;
  }

  static constexpr sculpt_ext_map_k_best without_ties{
      [](void* session, const sculpt_map_query* query, sculpt_error* error) {
        return table<sculpt::KBest>().begin(session, query, error);
      },
      [](void* session, sculpt_answer* out, sculpt_error* error) {
        double& last_value = sculpt::session_of<WrongSolver>(session).last_value_;
        sculpt_status status = table<sculpt::KBest>().next(session, out, error);
        if (status == SCULPT_OK && out->value == last_value) {
          status = table<sculpt::KBest>().next(session, out, error);
        }
        last_value = out->value;
        return status;
      }};
  static constexpr sculpt_ext_map_sample with_more_of_the_best{
      [](void* session, const sculpt_map_query* query, double* log_z, sculpt_error* error) {
        return table<sculpt::Sample>().begin(session, query, log_z, error);
      },
      [](void* session, std::uint64_t seed, sculpt_label_buffer* out, sculpt_error* error) {
        if (seed % 10 != 0) return table<sculpt::Sample>().draw(session, seed, out, error);
        sculpt_answer best{};
        best.struct_size = sizeof best;
        std::vector<std::int32_t> memory(1000);  // more labels than any graph of check has
        best.labels = {memory.data(), 0, static_cast<std::int64_t>(memory.size()), nullptr};
        sculpt::Answer answer(&best);
        sculpt::session_of<WrongSolver>(session).draw_best(answer);
        const sculpt_labels y = {best.labels.data, best.labels.size};
        sculpt::LabelOutput(out).assign(sculpt::Labels(y));
        return sculpt_status{SCULPT_OK};
      }};
};
