// belief_propagation.cpp - max-product messages on any factor graph: exact without cycles, without
// a bound if there are cycles. Sum-product messages give log Z and marginals (bethe.hpp): exact
// without cycles, else approximations.
//
//   m_fv(k) = max over y_f with y_v = k of theta_f(y_f) + sum over u != v of m_uf(y_u)
//   m_vf(k) = theta_v(k) + sum over g != f of m_gv(k)
//
// with the variables u of factor f and the factors g around variable v.
//
// The updates repeat until the messages converge. Pearl, Probabilistic Reasoning in Intelligent
// Systems (1988). Factor graphs: Kschischang, Frey & Loeliger, IEEE Transactions on Information
// Theory 47 (2001). Cycles: Murphy, Weiss & Jordan, UAI 1999. After each iteration the messages
// give an assignment, and the best of these is the answer.
#include "bethe.hpp"

#include <sculpt/cpp/factor_tables.hpp>
#include <sculpt/sculpt.hpp>

#include <atomic>
#include <limits>
#include <string>

namespace {

class BeliefPropagation {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.belief_propagation", "1.1.0",
      "messages on any factor graph, also for log Z and marginals; exact if there is no cycle",
      "Kschischang, Frey & Loeliger, IEEE Transactions on Information Theory, 2001"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("schedule", R"("sequential")", "sequential|parallel",
                     "sequential: each message uses the newest messages; parallel: all messages "
                     "use those of the previous iteration"),
      sculpt::integer("max_iterations", "100", 1, 1e6,
                      "maximum number of iterations; each sends a message along every edge"),
      sculpt::real("tolerance", "1e-6", 0, 1e300,
                   "stops when no message changes by more than this"),
      sculpt::real("damping", "0", 0, 0.999,
                   "share of the old message that is kept; graphs without cycles use 0")};
  static constexpr const char* experiments[] = {R"({
    "name": "belief_propagation_two_words",
    "dataset": {"use": "letters", "train": {"text":
      "1 0 0 a 1 10\n1 0 1 b 1 01\n1 0 2 c 0 11\n2 0 0 c 1 11\n2 0 1 a 0 10\n"}},
    "features": "chain", "loss": "hamming", "oracle": "belief_propagation",
    "solver": {"use": "one_slack", "C": 1}})"};

  BeliefPropagation(const sculpt::Parameters& given, sculpt::Host host)
      : sequential_(given.choice("schedule") == "sequential"),
        max_iterations_(given.integer("max_iterations")),
        tolerance_(given.real("tolerance")),
        damping_(given.real("damping")),
        host_(host) {}

  class Session {
   public:
    explicit Session(const BeliefPropagation& owner) : owner_(owner) {}

    void solve(const sculpt::MapQuery& query, sculpt::Answer& answer) {
      const sculpt_factor_graph& graph = query.graph;
      const double* theta = query.theta.data();
      if (!sculpt::has_assignments(graph)) return answer.no_output();
      edges_.build(graph);
      messages_.begin(graph, theta, edges_, Combine::max);
      const auto best = answer.labels().resize(graph.variable_count);
      messages_.decode(best);
      double maximum = sculpt::assignment_score(graph, theta, best.data());
      y_.resize(best.size());
      bool converged = false;
      for (std::int64_t k = 0; !converged && k < owner_.max_iterations_; ++k) {
        converged = iterate(k % 2 == 1);
        messages_.decode(y_);
        const double value = sculpt::assignment_score(graph, theta, y_.data());
        if (value > maximum) {
          maximum = value;
          std::copy(y_.begin(), y_.end(), best.begin());
        }
        owner_.host_.throw_if_cancelled();
      }
      // Without cycles, messages that no longer change in any bit are those of dynamic programming.
      if (converged && edges_.is_acyclic()) return answer.exact(maximum);
      answer.found(maximum);
    }

    sculpt::LogZ mean(const sculpt::MapQuery& query, double* mu) {
      const sculpt_factor_graph& graph = query.graph;
      if (!sculpt::has_assignments(graph)) return -std::numeric_limits<double>::infinity();
      edges_.build(graph);
      messages_.begin(graph, query.theta.data(), edges_, Combine::log_sum);
      bool converged = false;
      for (std::int64_t k = 0; !converged && k < owner_.max_iterations_; ++k) {
        converged = iterate(k % 2 == 1);
        owner_.host_.throw_if_cancelled();
      }
      if (!converged) owner_.advise_on_convergence();
      const double log_z = beliefs_.compute(graph, query.theta.data(), edges_, messages_, mu);
      const bool is_exact = converged && edges_.is_acyclic();
      return is_exact ? sculpt::LogZ(log_z) : sculpt::LogZ::approximate(log_z);
    }
    void covariance_times(const sculpt::MapQuery&, const double*, double*) {
      throw sculpt::unsupported_error("has no covariances; use viterbi or enumerate");
    }

   private:
    // Updates all messages. Returns true if none changed by more than the tolerance.
    bool iterate(bool backward) {
      double change = 0;
      const double damping = edges_.is_acyclic() ? 0 : owner_.damping_;
      const std::vector<std::size_t>& order = edges_.order();
      for (std::size_t k = 0; k < order.size(); ++k) {
        const std::size_t v = order[backward ? order.size() - 1 - k : k];
        change = std::max(change, messages_.update_to_variable(v, damping));
        if (owner_.sequential_) messages_.update_to_factors(v);
      }
      if (!owner_.sequential_) {
        for (const std::size_t v : order) messages_.update_to_factors(v);
      }
      return change <= (edges_.is_acyclic() ? 0 : owner_.tolerance_);
    }

    const BeliefPropagation& owner_;
    MessageGraph edges_;
    Messages messages_;
    BetheBeliefs beliefs_;
    std::vector<std::int32_t> y_;  // [variables]
  };

 private:
  // Once, because most examples are alike. Sessions run at the same time.
  void advise_on_convergence() const {
    if (has_advised_.exchange(true)) return;
    host_.warn("the messages did not converge before \"max_iterations\" " +
               std::to_string(max_iterations_) +
               ", so log Z and marginals are only rough; set \"damping\", for example 0.5, or a "
               "larger \"max_iterations\"");
  }

  mutable std::atomic<bool> has_advised_ = false;
  const bool sequential_;
  const std::int64_t max_iterations_;
  const double tolerance_;
  const double damping_;
  const sculpt::Host host_;
};

}  // namespace

SCULPT_PLUGIN("belief_propagation", "1.1.0", "Apache-2.0", sculpt::MapSolver<BeliefPropagation>)
