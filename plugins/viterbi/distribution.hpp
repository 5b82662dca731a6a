// distribution.hpp - p(y) ~ exp <theta, z(y)> over the assignments of a graph: log Z with marginals
// and covariances, the k best, samples.
//
// The sessions of viterbi.cpp own one for forests (forest_program.hpp) and one for graphs of order
// two (order_two_program.hpp). All sums are over logarithms, so any scores are possible. For log Z
// of chains with moderate scores, chain_marginals.hpp is many times as fast. Every call regularly
// asks the host whether to stop.
#pragma once

#include <sculpt/cpp/cursor.hpp>
#include <sculpt/cpp/factor_tables.hpp>
#include <sculpt/program/k_best.hpp>
#include <sculpt/program/rescored.hpp>
#include <sculpt/program/sample.hpp>
#include <sculpt/program/watched.hpp>
#include <sculpt/sculpt.hpp>

template <sculpt::program::Program P>
class Distribution {
 public:
  explicit Distribution(const sculpt::Host& host) : watched_(program_, host) {}

  Distribution(const Distribution&) = delete;  // watched_ refers to a member
  Distribution& operator=(const Distribution&) = delete;

  // Ends the current k best or samples.
  void end() { cursor_.end(); }

  // Returns log Z and writes mu[theta_size] = E[z].
  double mean(const sculpt::MapQuery& query, double* mu) {
    std::fill_n(mu, query.graph.theta_size, 0.0);
    if (!read_query(query)) return sculpt::program::underivable;
    const double log_z = moments_.log_z(watched_);
    moments_.marginals(watched_, [&](const Edge& edge, double p) {
      program_.add_cells(query.graph, edge, p, mu);
    });
    add_constants(query.graph, mu);
    return log_z + program_.constant();
  }

  // Writes out[theta_size] = Cov[z] direction. The change of a score along `direction` is the score
  // in the same program with `direction` as theta.
  void covariance_times(const sculpt::MapQuery& query, const double* direction, double* out) {
    std::fill_n(out, query.graph.theta_size, 0.0);
    if (!read_query(query)) return;
    direction_program_.build(query.graph);
    direction_program_.score(query.graph, direction);
    const Sloped sloped(watched_, direction_program_);
    sloped_moments_.log_z(sloped);
    sloped_moments_.covariance(
        sloped, [](const auto& edge) { return edge.slope; },
        [&](const Edge& edge, double change) {
          program_.add_cells(query.graph, edge, change, out);
        });
  }

  // Starts the list of assignments, best first.
  void begin_k_best(const sculpt::MapQuery& query) {
    rank_ = read_query(query) ? 0 : no_rank;
    if (rank_ == 0) k_best_.begin(watched_);
    cursor_.begin(sculpt::CursorKind::k_best);
  }
  // Writes the next assignment. After the last one the answer is NO_OUTPUT. Throws E_INVALID
  // without begin_k_best().
  void next_best(sculpt::Answer& answer) {
    cursor_.require(sculpt::CursorKind::k_best);
    if (rank_ == no_rank) return answer.no_output();
    const double value = k_best_.find(rank_, derivation_);
    if (value == sculpt::program::underivable) return answer.no_output();
    ++rank_;
    write_labels(answer.labels().resize(variables_));
    answer.exact(value + program_.constant());
  }

  // Prepares samples. Returns log Z.
  double begin_sample(const sculpt::MapQuery& query) {
    if (!read_query(query)) return sculpt::program::underivable;
    const double log_z = sampler_.prepare(watched_);
    cursor_.begin(sculpt::CursorKind::sample);
    return log_z + program_.constant();
  }
  // Draws one assignment. Equal seeds give equal assignments.
  void draw(std::uint64_t seed, sculpt::LabelOutput& out) {
    cursor_.require(sculpt::CursorKind::sample);
    sculpt::Random random(seed);
    sampler_.draw(watched_, random, derivation_);
    write_labels(out.resize(variables_));
  }

 private:
  using Edge = typename P::Edge;
  using Watched = sculpt::program::Watched<P>;
  using Sloped = sculpt::program::Sloped<Watched, P>;
  static constexpr std::int64_t no_rank = -1;  // there is no assignment

  // Ends the current sequence and reads the query. Returns false if there is no assignment.
  bool read_query(const sculpt::MapQuery& query) {
    end();
    if (!sculpt::has_assignments(query.graph)) return false;
    variables_ = query.graph.variable_count;
    program_.build(query.graph);
    program_.score(query.graph, query.theta.data());
    return true;
  }
  // Factors over no variable have one cell, which all assignments use. Several may share it.
  static void add_constants(const sculpt_factor_graph& graph, double* mu) {
    for (std::int64_t f = 0; f < graph.factor_count; ++f) {
      if (graph.scope_from[f] == graph.scope_from[f + 1]) mu[graph.table[f]] += 1;
    }
  }
  // Writes the labels of derivation_ to y[variables].
  void write_labels(std::span<std::int32_t> y) const {
    for (const Edge& edge : derivation_) {
      if (!P::is_label(edge)) continue;
      const auto [variable, state] = program_.label(edge);
      y[static_cast<std::size_t>(variable)] = state;
    }
  }

  sculpt::Cursor cursor_;
  std::int64_t variables_ = 0;
  P program_;
  Watched watched_;
  P direction_program_;  // with a direction as theta
  sculpt::program::Moments<Watched> moments_;
  sculpt::program::Moments<Sloped> sloped_moments_;
  sculpt::program::KBest<Watched> k_best_;
  std::int64_t rank_ = no_rank;  // of the next assignment
  sculpt::program::Sampler<Watched> sampler_;
  sculpt::program::Derivation<Watched> derivation_;
};
