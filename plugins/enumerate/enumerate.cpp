// enumerate.cpp - the best assignment of any factor graph, exact, by enumeration.
//
//   S(c) = max of score(y) over the y with min(c_k(y), limit_k) = c_k
//
// block_search.hpp finds the argmax. The frontier visits the assignments one by one. For each
// vector of counts it keeps the best score, and the number of the first assignment that attains it.
//
// distribution.hpp has the probabilities of all assignments, the k best and samples.
#include "block_search.hpp"
#include "distribution.hpp"
#include "odometer.hpp"

#include <sculpt/cpp/count_tables.hpp>
#include <sculpt/sculpt.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace {

class Enumerate {
 public:
  static constexpr sculpt::About about{"org.sculpt.enumerate", "1.3.0",
                                       "exact argmax of any small factor graph, by enumeration"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("max_states", "1000000", 1, 1e15,
                      "refuses graphs with more assignments than this", "assignments"),
      sculpt::max_cells_parameter()};
  static constexpr const char* experiments[] = {R"({
    "name": "enumerate_two_words",
    "dataset": {"use": "letters", "train": {"text":
      "1 0 0 a 1 10\n1 0 1 b 1 01\n1 0 2 c 0 11\n2 0 0 c 1 11\n2 0 1 a 0 10\n"}},
    "features": "chain", "loss": "hamming", "oracle": "enumerate",
    "solver": {"use": "one_slack", "C": 1}})"};

  Enumerate(const sculpt::Parameters& given, sculpt::Host host)
      : max_states_(given.integer("max_states")),
        max_cells_(given.integer("max_cells")),
        host_(host) {}

  class Session {
   public:
    explicit Session(const Enumerate& owner) : owner_(owner), distribution_(owner.host_) {}

    void solve(const sculpt::MapQuery& query, sculpt::Answer& answer) {
      end_cursors();
      const sculpt_factor_graph& graph = query.graph;
      if (!sculpt::has_assignments(graph)) return answer.no_output();
      owner_.check_states(graph);
      const auto best = answer.labels().resize(graph.variable_count);
      if (best.size() == 1) {
        best[0] = best_state(graph, query.theta.data());
      } else {
        // Ties: the smallest label of the last variable, then of the variable before it, and so on.
        search_.find(graph, query.theta.data(), best, owner_.host_);
      }
      answer.exact(sculpt::assignment_score(graph, query.theta.data(), best.data()));
    }

    void begin_frontier(const sculpt::FrontierQuery& query, sculpt::FrontierShape& shape) {
      end_cursors();
      const sculpt_factor_graph& graph = query.graph();
      if (!sculpt::has_assignments(graph)) return shape.no_output();
      owner_.check_states(graph);
      sculpt::CountVector sizes = {1, 1};
      for (std::size_t k = 0; k < query.counts().size(); ++k) {
        sizes[k] += std::min(query.counts()[k].limit, max_count_in(graph, query.table(k)));
      }
      const double cells = static_cast<double>(sizes[0]) * static_cast<double>(sizes[1]);
      sculpt::check_frontier_size(cells, sizeof(Entry), owner_.max_cells_);
      query_.emplace(query);
      has_entries_ = false;
      sizes_ = sizes;
      shape.resize(sizes[0], sizes[1]);
    }

    void frontier_slice(std::int64_t first, std::span<double> scores) {
      for (std::size_t second = 0; second < scores.size(); ++second) {
        scores[second] = entry({first, static_cast<std::int64_t>(second)}).score;
      }
    }

    void frontier_output(sculpt::CountVector counts, sculpt::LabelOutput& out) {
      const Entry& best = entry(counts);
      if (best.score == sculpt::unattainable) throw sculpt::no_output_with(counts);
      std::int64_t number = best.assignment;
      const sculpt_factor_graph& graph = query_->graph();
      const auto y = out.resize(graph.variable_count);
      for (std::size_t v = 0; v < y.size(); ++v) {
        y[v] = static_cast<std::int32_t>(number % graph.states[v]);
        number /= graph.states[v];
      }
    }

    double mean(const sculpt::MapQuery& query, double* mu) {
      return distribution_of(query).mean(query, mu);
    }
    void covariance_times(const sculpt::MapQuery& query, const double* direction, double* out) {
      distribution_of(query).covariance_times(query, direction, out);
    }
    void begin_k_best(const sculpt::MapQuery& query) { distribution_of(query).begin_k_best(query); }
    void next_best(sculpt::Answer& answer) { distribution_.next_best(answer); }
    double begin_sample(const sculpt::MapQuery& query) {
      return distribution_of(query).begin_sample(query);
    }
    void draw(std::uint64_t seed, sculpt::LabelOutput& out) { distribution_.draw(seed, out); }

   private:
    void end_cursors() {
      sizes_ = {};
      distribution_.end();
    }
    Distribution& distribution_of(const sculpt::MapQuery& query) {
      end_cursors();
      if (sculpt::has_assignments(query.graph)) owner_.check_states(query.graph);
      return distribution_;
    }

    struct Entry {
      double score = sculpt::unattainable;
      std::int64_t assignment = 0;  // its number: y_0 + states_0 (y_1 + states_1 (y_2 + ...))
    };

    // Finds the best state of a single variable, as in multiclass, without a search. Ties: the
    // smallest label.
    std::int32_t best_state(const sculpt_factor_graph& graph, const double* theta) {
      scores_.assign(static_cast<std::size_t>(graph.states[0]), 0.0);
      for (std::int64_t f = 0; f < graph.factor_count; ++f) {
        if (sculpt::scope_of(graph, f).empty()) continue;  // the same for every state
        const double* table = theta + graph.table[f];
        for (std::size_t c = 0; c < scores_.size(); ++c) scores_[c] += table[c];
      }
      const auto best = std::max_element(scores_.begin(), scores_.end());
      return static_cast<std::int32_t>(best - scores_.begin());
    }

    // Returns the entry of these counts. The first call computes all entries.
    const Entry& entry(const sculpt::CountVector& counts) {
      sculpt::check_counts(counts, sizes_);
      if (!has_entries_) fill_entries();
      return entries_[index_of(counts)];
    }

    // Visits all assignments. Keeps the best score for each vector of counts.
    void fill_entries() {
      entries_.assign(static_cast<std::size_t>(sizes_[0] * sizes_[1]), {});
      const std::size_t count_count = query_->counts().size();
      const double* theta = query_->theta().data();
      odometer_.begin(query_->graph());
      odometer_.add_up_all(theta, scores_);
      for (std::size_t k = 0; k < count_count; ++k) {
        odometer_.add_up_all(query_->table(k).data(), count_sums_[k]);
      }
      std::int64_t number = 0;
      std::size_t changed;
      do {
        sculpt::CountVector counts = {0, 0};
        for (std::size_t k = 0; k < count_count; ++k) {
          counts[k] = std::min(count_sums_[k][0], sizes_[k] - 1);
        }
        Entry& best = entries_[index_of(counts)];
        if (scores_[0] > best.score) best = {scores_[0], number};
        if (++number % 65536 == 0) owner_.host_.throw_if_cancelled();
        changed = odometer_.next();
        odometer_.add_up(theta, changed, scores_);
        for (std::size_t k = 0; k < count_count; ++k) {
          odometer_.add_up(query_->table(k).data(), changed, count_sums_[k]);
        }
      } while (changed > 0);
      has_entries_ = true;
    }

    std::size_t index_of(const sculpt::CountVector& counts) const {
      return static_cast<std::size_t>(counts[0] * sizes_[1] + counts[1]);
    }

    // Returns an upper bound of the count.
    static std::int64_t max_count_in(const sculpt_factor_graph& graph,
                                     std::span<const std::int32_t> table) {
      std::int64_t largest = 0;
      for (std::int64_t f = 0; f < graph.factor_count; ++f) {
        std::size_t cells = 1;
        for (const std::int32_t v : sculpt::scope_of(graph, f)) {
          cells *= static_cast<std::size_t>(graph.states[v]);
        }
        largest +=
            sculpt::largest_count(table.subspan(static_cast<std::size_t>(graph.table[f]), cells));
      }
      return largest;
    }

    const Enumerate& owner_;
    BlockSearch search_;
    Distribution distribution_;
    Odometer odometer_;           // for the frontier
    std::vector<double> scores_;  // [variables + 1] for the odometer, or [states]

    std::optional<sculpt::FrontierQuery> query_;
    sculpt::CountVector sizes_ = {};                       // 0: there is no frontier
    std::vector<Entry> entries_;                           // [sizes_]
    bool has_entries_ = false;                             // entries_ is computed
    std::array<std::vector<std::int64_t>, 2> count_sums_;  // as scores_, for each count
  };

 private:
  // Throws if the search would take too long. The product is a double, because it may be very
  // large.
  void check_states(const sculpt_factor_graph& graph) const {
    double assignments = 1;
    double digits = 0;
    for (std::int64_t v = 0; v < graph.variable_count; ++v) {
      assignments *= graph.states[v];
      digits += std::log10(graph.states[v]);
    }
    if (assignments <= static_cast<double>(max_states_)) return;
    throw sculpt::unsupported_error(
        "this graph has " +
        (assignments < 1e15 ? sculpt::whole_number(assignments)
                            : "about 10^" + std::to_string(static_cast<std::int64_t>(digits))) +
        " assignments, more than max_states = " + std::to_string(max_states_) +
        "; use another map_solver, or raise max_states, which takes longer");
  }

  const std::int64_t max_states_;
  const std::int64_t max_cells_;
  const sculpt::Host host_;
};

}  // namespace

SCULPT_PLUGIN("enumerate", "1.3.0", "Apache-2.0", sculpt::MapSolver<Enumerate>)
