// icm.cpp - a local maximum of any factor graph by iterated conditional modes. No bound.
//
//   y_v <- argmax_k  sum over the factors f around v of theta_f(k, y of the others)
//
// for one variable after the other until nothing changes (sculpt/cpp/local_search.hpp). Starts from
// the best state of each unary table. `restarts` adds random starts; the best result is the answer.
// Besag, "On the Statistical Analysis of Dirty Pictures", Journal of the Royal Statistical Society
// B 48 (1986).
#include <sculpt/cpp/local_search.hpp>
#include <sculpt/cpp/random.hpp>
#include <sculpt/sculpt.hpp>

namespace {

// Returns the first of the largest scores.
std::int32_t argmax(std::span<const double> scores) {
  return static_cast<std::int32_t>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

class IteratedConditionalModes {
 public:
  static constexpr sculpt::About about{"org.sculpt.icm", "1.0.0",
                                       "a local maximum of any factor graph; without a bound",
                                       "Besag, Journal of the Royal Statistical Society B, 1986"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("restarts", "0", 0, 1e6, "additional searches from random assignments"),
      sculpt::integer("max_sweeps", "100", 1, 1e6,
                      "maximum number of passes over the variables in a search")};
  static constexpr const char* experiments[] = {R"({
    "name": "icm_two_words",
    "dataset": {"use": "letters", "train": {"text":
      "1 0 0 a 1 10\n1 0 1 b 1 01\n1 0 2 c 0 11\n2 0 0 c 1 11\n2 0 1 a 0 10\n"}},
    "features": "chain", "loss": "hamming", "oracle": {"use": "icm", "restarts": 2},
    "solver": {"use": "one_slack", "C": 1}})"};

  IteratedConditionalModes(const sculpt::Parameters& given, sculpt::Host host)
      : restarts_(given.integer("restarts")),
        max_sweeps_(given.integer("max_sweeps")),
        host_(host) {}

  class Session {
   public:
    explicit Session(const IteratedConditionalModes& owner) : owner_(owner) {}

    void solve(const sculpt::MapQuery& query, sculpt::Answer& answer) {
      const sculpt_factor_graph& graph = query.graph;
      const double* theta = query.theta.data();
      if (!sculpt::has_assignments(graph)) return answer.no_output();
      search_.begin(graph, theta);
      const auto best = answer.labels().resize(graph.variable_count);
      start_from_unaries(graph, theta);
      double maximum = climb();
      std::copy(y_.begin(), y_.end(), best.begin());
      sculpt::Random random(query.seed);
      for (std::int64_t restart = 0; restart < owner_.restarts_; ++restart) {
        for (std::size_t v = 0; v < y_.size(); ++v) y_[v] = random.draw(graph.states[v]);
        const double value = climb();
        if (!(value > maximum)) continue;
        maximum = value;
        std::copy(y_.begin(), y_.end(), best.begin());
      }
      answer.found(maximum);
    }

   private:
    void start_from_unaries(const sculpt_factor_graph& graph, const double* theta) {
      y_.resize(static_cast<std::size_t>(graph.variable_count));
      for (std::size_t v = 0; v < y_.size(); ++v) {
        y_[v] = argmax({theta + graph.table[v], static_cast<std::size_t>(graph.states[v])});
      }
    }

    // Improves y_ to a local maximum. Returns its score.
    double climb() {
      return search_.climb(y_, owner_.max_sweeps_, [this] { owner_.host_.throw_if_cancelled(); });
    }

    const IteratedConditionalModes& owner_;
    sculpt::LocalSearch search_;
    std::vector<std::int32_t> y_;  // [variables]
  };

 private:
  const std::int64_t restarts_;
  const std::int64_t max_sweeps_;
  const sculpt::Host host_;
};

}  // namespace

SCULPT_PLUGIN("icm", "1.0.0", "Apache-2.0", sculpt::MapSolver<IteratedConditionalModes>)
