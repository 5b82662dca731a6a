// greedy.cpp - changes one variable after the other, always the one with the largest gain. No
// bound.
//
//   gain_v(k) = sum over the factors f around v of theta_f(k, y of the others) - theta_f(y)
//
// From a start, every variable is changed at most once. The next change has the largest gain of all
// variables not yet changed. The search ends if no gain is positive. With binary graphs and the
// start at label 0 ("off") this is the greedy search of Finley & Joachims. See "Training Structural
// SVMs when Exact Inference is Intractable" (ICML 2008). It switches labels on, the most profitable
// first.
#include <sculpt/cpp/factor_tables.hpp>
#include <sculpt/sculpt.hpp>

#include <cmath>
#include <queue>

namespace {

class Greedy {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.greedy", "1.0.0",
      "changes one label after the other, the largest gain first; without a bound",
      "Finley & Joachims, Training Structural SVMs when Exact Inference is Intractable, ICML 2008"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("start", R"("zero")", "zero|unary",
                     "first assignment: zero: all labels 0; unary: the best state of each unary "
                     "table")};
  static constexpr const char* experiments[] = {R"({
    "name": "greedy_two_words",
    "dataset": {"use": "letters", "train": {"text":
      "1 0 0 a 1 10\n1 0 1 b 1 01\n1 0 2 c 0 11\n2 0 0 c 1 11\n2 0 1 a 0 10\n"}},
    "features": "chain", "loss": "hamming", "oracle": "greedy",
    "solver": {"use": "one_slack", "C": 1}})"};

  Greedy(const sculpt::Parameters& given, sculpt::Host host)
      : from_unaries_(given.choice("start") == "unary"), host_(host) {}

  class Session {
   public:
    explicit Session(const Greedy& owner) : owner_(owner) {}

    void solve(const sculpt::MapQuery& query, sculpt::Answer& answer) {
      graph_ = &query.graph;
      theta_ = query.theta.data();
      if (!sculpt::has_assignments(*graph_)) return answer.no_output();
      incidence_.build(*graph_);
      initialize();
      apply_changes();
      const auto y = answer.labels().resize(graph_->variable_count);
      std::copy(y_.begin(), y_.end(), y.begin());
      answer.found(sculpt::assignment_score(*graph_, theta_, y.data()));
    }

   private:
    // A queued change that gains. It is outdated if the scores of its variable changed later.
    struct Change {
      double gain;
      std::size_t variable;
      std::int32_t state;
      std::int64_t revision;
      // True if the other change comes first: by gain, then the smaller variable.
      bool operator<(const Change& other) const {
        return gain < other.gain || (gain == other.gain && variable > other.variable);
      }
    };

    // Makes the first assignment, its scores and the queue of changes.
    void initialize() {
      const auto variables = static_cast<std::size_t>(graph_->variable_count);
      y_.assign(variables, 0);
      from_.assign(1, 0);
      for (std::size_t v = 0; v < variables; ++v) {
        const std::int32_t states = graph_->states[v];
        from_.push_back(from_.back() + static_cast<std::size_t>(states));
        if (!owner_.from_unaries_) continue;
        const double* unary = theta_ + graph_->table[v];
        y_[v] = static_cast<std::int32_t>(std::max_element(unary, unary + states) - unary);
      }
      scores_.resize(from_.back());
      changed_.assign(variables, 0);
      revision_.assign(variables, 0);
      queue_ = {};
      for (std::size_t v = 0; v < variables; ++v) {
        compute_scores(v);
        queue_best_change(v);
      }
    }

    // Applies the queued changes, the largest gain first.
    void apply_changes() {
      for (std::size_t steps = 1; !queue_.empty(); ++steps) {
        if (steps % 65536 == 0) owner_.host_.throw_if_cancelled();
        const Change next = queue_.top();
        queue_.pop();
        if (changed_[next.variable] == 0 && revision_[next.variable] == next.revision) apply(next);
      }
    }

    // Sets scores_ of v: for each of its states the sum of the factors around it.
    void compute_scores(std::size_t v) {
      const std::span<double> scores = scores_of(v);
      std::fill(scores.begin(), scores.end(), 0.0);
      for (const auto& [factor, stride] : incidence_.of(static_cast<std::int64_t>(v))) {
        const double* cells =
            theta_ + sculpt::factor_cell(*graph_, factor, y_.data()) - y_[v] * stride;
        for (std::size_t k = 0; k < scores.size(); ++k) {
          scores[k] += cells[static_cast<std::int64_t>(k) * stride];
        }
      }
    }

    // Queues the best change of v if it gains. Ties: the smallest state.
    void queue_best_change(std::size_t v) {
      const std::span<const double> scores = scores_of(v);
      const auto best = std::max_element(scores.begin(), scores.end()) - scores.begin();
      const double gain =
          scores[static_cast<std::size_t>(best)] - scores[static_cast<std::size_t>(y_[v])];
      if (gain > 0) queue_.push({gain, v, static_cast<std::int32_t>(best), revision_[v]});
    }

    // Changes the variable, and updates the variables that share factors with it.
    void apply(const Change& change) {
      const std::size_t v = change.variable;
      changed_[v] = 1;
      updated_.clear();
      for (const auto& [factor, stride] : incidence_.of(static_cast<std::int64_t>(v))) {
        const std::int64_t step = (change.state - y_[v]) * stride;
        update_neighbours(factor, v, step);
      }
      y_[v] = change.state;
      for (const std::size_t u : updated_) {
        // A forbidden cell (minus infinity) appeared or disappeared, so the scores cannot be
        // updated by differences.
        if (!all_finite(u)) compute_scores(u);
        queue_best_change(u);
      }
    }

    // Changes the scores of the other variables of a factor by the difference of its cells `step`
    // apart.
    void update_neighbours(std::int64_t factor, std::size_t v, std::int64_t step) {
      const auto scope = sculpt::scope_of(*graph_, factor);
      const double* current = theta_ + sculpt::factor_cell(*graph_, factor, y_.data());
      std::int64_t stride = 1;
      for (std::size_t p = scope.size(); p-- > 0;) {
        const auto u = static_cast<std::size_t>(scope[p]);
        if (u != v && changed_[u] == 0) {
          const double* cells = current - y_[u] * stride;
          const std::span<double> scores = scores_of(u);
          for (std::size_t k = 0; k < scores.size(); ++k) {
            const std::int64_t cell = static_cast<std::int64_t>(k) * stride;
            scores[k] += cells[cell + step] - cells[cell];
          }
          ++revision_[u];
          updated_.push_back(u);
        }
        stride *= graph_->states[u];
      }
    }

    bool all_finite(std::size_t v) const {
      const std::span<const double> scores = scores_of(v);
      return std::all_of(scores.begin(), scores.end(), [](double s) { return std::isfinite(s); });
    }

    std::span<double> scores_of(std::size_t v) {
      return {scores_.data() + from_[v], scores_.data() + from_[v + 1]};
    }
    std::span<const double> scores_of(std::size_t v) const {
      return {scores_.data() + from_[v], scores_.data() + from_[v + 1]};
    }

    const Greedy& owner_;
    const sculpt_factor_graph* graph_ = nullptr;
    const double* theta_ = nullptr;
    sculpt::FactorIncidence incidence_;
    std::vector<std::int32_t> y_;         // [variables]
    std::vector<std::size_t> from_;       // Offsets into scores_, [variables + 1].
    std::vector<double> scores_;          // [sum of states]
    std::vector<std::uint8_t> changed_;   // [variables]
    std::vector<std::int64_t> revision_;  // [variables]
    std::priority_queue<Change> queue_;
    std::vector<std::size_t> updated_;  // by the current change, with duplicates
  };

 private:
  const bool from_unaries_;
  const sculpt::Host host_;
};

}  // namespace

SCULPT_PLUGIN("greedy", "1.0.0", "Apache-2.0", sculpt::MapSolver<Greedy>)
