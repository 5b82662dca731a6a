// lp.cpp - the linear program over the local polytope of any factor graph: a relaxed answer with a
// certified bound, and labels rounded from it.
//
// The program and its dual are in local_polytope.hpp, the methods in relaxation.hpp. Source: Finley
// & Joachims, "Training Structural SVMs when Exact Inference is Intractable", ICML 2008. They train
// and predict with it.
#include "cell_limit.hpp"
#include "relaxation.hpp"
#include "rounding.hpp"

#include <sculpt/sculpt.hpp>

namespace {

Rounding::Rule rule_of(const std::string& name) {
  if (name == "up") return Rounding::Rule::up;
  if (name == "down") return Rounding::Rule::down;
  return name == "random" ? Rounding::Rule::random : Rounding::Rule::conditional;
}

class LinearProgram {
 public:
  static constexpr sculpt::About about{"org.sculpt.lp", "1.0.0",
                                       "the local polytope relaxation of any factor graph",
                                       "Finley & Joachims, ICML 2008"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("answers", "\"relaxed\"", "relaxed|rounded",
                     "relaxed: training gets fractional answers; rounded: training gets rounded "
                     "labels and the bound"),
      sculpt::choice("rounding", "\"conditional\"", "conditional|up|down|random",
                     "how a variable with a fractional belief gets its label"),
      sculpt::choice("method", "\"dual\"", "dual|clp",
                     "dual: minimum cut, message passing or interior point; clp: the simplex "
                     "method of COIN-OR CLP"),
      sculpt::real("tolerance", "1e-10", 1e-12, 0.01,
                   "the interior point method ends at this gap, relative to the largest score"),
      sculpt::integer(
          "max_cells", "30000000", 1, max_int32_cells,
          "refuses linear programs with more cells than this in their beliefs and messages, or "
          "in one matrix",
          "cells")};
  static constexpr const char* experiments[] = {R"({
    "name": "lp_two_words",
    "dataset": {"use": "letters", "train": {"text":
      "1 0 0 a 1 10\n1 0 1 b 1 01\n1 0 2 c 0 11\n2 0 0 c 1 11\n2 0 1 a 0 10\n"}},
    "features": "chain", "loss": "hamming", "oracle": "lp",
    "solver": {"use": "one_slack", "C": 1}})"};

  LinearProgram(const sculpt::Parameters& given, sculpt::Host host)
      : relaxes_(given.choice("answers") == "relaxed"),
        rule_(rule_of(given.choice("rounding"))),
        options_{
            given.choice("method") == "clp" ? Relaxation::Method::clp : Relaxation::Method::dual,
            {given.real("tolerance"), given.integer("max_cells")}},
        host_(host) {}

  bool relaxes() const { return relaxes_; }

  class Session {
   public:
    explicit Session(const LinearProgram& owner) : owner_(owner) {}

    void solve(const sculpt::MapQuery& query, sculpt::Answer& answer) {
      if (!sculpt::has_assignments(query.graph)) return answer.no_output();
      relaxation_.solve(query, owner_.options_, owner_.host_);
      const auto y = answer.labels().resize(query.graph.variable_count);
      const double value = round(query, owner_.rule_, y);
      if (relaxation_.bound() - value <= relaxation_.rounding()) {
        answer.exact(value);
      } else {
        answer.found(value);
      }
      answer.bound(std::max(relaxation_.bound(), value));
    }

    // The relaxed answer: beliefs, or labels if they attain the bound up to rounding.
    void cut(const sculpt::MapQuery& query, std::span<double> mu, sculpt::Cut& out) {
      if (!sculpt::has_assignments(query.graph)) return out.no_output();
      relaxation_.solve(query, owner_.options_, owner_.host_);
      y_.resize(static_cast<std::size_t>(query.graph.variable_count));
      const double rounded = round(query, Rounding::Rule::conditional, y_);
      double value = rounded;
      if (relaxation_.bound() - rounded <= relaxation_.rounding()) {
        out.labels().assign(y_);
        std::fill(mu.begin(), mu.end(), 0.0);
        for (std::int64_t f = 0; f < query.graph.factor_count; ++f) {
          mu[static_cast<std::size_t>(sculpt::factor_cell(query.graph, f, y_.data()))] += 1;
        }
      } else {
        out.fractional();
        relaxation_.polytope().scatter(relaxation_.beliefs(), mu);
        value = 0;
        for (std::size_t c = 0; c < mu.size(); ++c) value += query.theta[c] * mu[c];
      }
      if (relaxation_.bound() - value <= relaxation_.rounding()) {
        out.exact(value);
      } else {
        out.found(value);
      }
      out.bound(std::max(relaxation_.bound(), value));
    }

   private:
    // Writes labels to y[variables] and returns their score.
    double round(const sculpt::MapQuery& query, Rounding::Rule rule, std::span<std::int32_t> y) {
      rounding_.round(relaxation_.polytope(), relaxation_.beliefs(), rule, query.seed, y);
      return sculpt::assignment_score(query.graph, query.theta.data(), y.data());
    }

    const LinearProgram& owner_;
    Relaxation relaxation_;
    Rounding rounding_;
    std::vector<std::int32_t> y_;
  };

 private:
  const bool relaxes_;
  const Rounding::Rule rule_;
  const Relaxation::Options options_;
  const sculpt::Host host_;
};

}  // namespace

SCULPT_PLUGIN("lp", "1.0.0", "Apache-2.0", sculpt::MapSolver<LinearProgram>)
