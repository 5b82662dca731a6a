// clustering_lp.hpp - an oracle that solves the linear program over pairs. It returns a relaxed
// answer, or labels rounded from it, with a certified bound.
//
// Finley and Joachims, ICML 2005, section 4.2. Called by the host (clustering.cpp).
#pragma once

#include "objective.hpp"
#include "triangle_program.hpp"

namespace clustering {

class ClusteringLp {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.clustering_lp", "1.0.0",
      "partitions of items by the linear program over pairs with triangle inequalities",
      "Finley and Joachims, ICML 2005, section 4.2"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::choice("answers", R"("relaxed")", "relaxed|rounded",
                     "relaxed: training gets fractional answers; rounded: training gets partitions "
                     "rounded from them, with the bound"),
      sculpt::integer("max_items", "200", 1, 2000, "refuses documents with more items", "items"),
      sculpt::integer("max_rounds", "100", 0, 1000000,
                      "adds violated triangles at most this many times; then the answer is a "
                      "partition, with the bound so far",
                      "rounds"),
      sculpt::integer("max_triangles", "200000", 1, 100000000,
                      "also ends the rounds if a program would have more triangles than this",
                      "triangles")};
  static constexpr const char* experiments[] = {R"({
    "name": "clustering_lp_relaxed",
    "dataset": {"use": "item_pairs", "train": {"text":
      "1 0 1 1 1:1\n1 0 2 -1 2:1\n1 1 2 -1 1:0.5 2:1\n1 2 3 1 1:1 3:1\n1 0 3 -1 3:-1\n2 0 1 -1 2:1 3:1\n2 0 2 1 1:1 2:1\n"}},
    "features": "clustering", "loss": "rand_error", "oracle": "clustering_lp",
    "solver": {"use": "n_slack", "C": 10}})",
                                                R"({
    "name": "clustering_lp_rounded",
    "dataset": {"use": "item_pairs", "train": {"text":
      "1 0 1 1 1:1\n1 0 2 -1 2:1\n1 1 2 -1 1:0.5 2:1\n1 2 3 1 1:1 3:1\n1 0 3 -1 3:-1\n2 0 1 -1 2:1 3:1\n2 0 2 1 1:1 2:1\n"}},
    "features": {"use": "clustering", "bias": false}, "loss": "rand_error",
    "oracle": {"use": "clustering_lp", "answers": "rounded"},
    "solver": {"use": "one_slack", "C": 10, "rescaling": "slack"}})"};

  ClusteringLp(const sculpt::Parameters& given, sculpt::Host host)
      : relaxes_(given.choice("answers") == "relaxed"),
        max_items_(given.integer("max_items")),
        limits_{given.integer("max_rounds"), given.integer("max_triangles")},
        host_(host) {}

  // Throws if the loss is no sum over pairs, or a document is too large.
  void bind(const sculpt::Bindings& bindings);
  bool relaxes() const { return relaxes_; }

  class Session {
   public:
    explicit Session(const ClusteringLp& owner) : owner_(owner) {}
    // The rounded partition with the bound of the program; EXACT if it attains the bound.
    void argmax(const sculpt::Query& query, sculpt::Answer& answer);
    // The fractional solution with the bound, or the partition if it attains the bound or a limit
    // ended the rounds.
    void cut(const sculpt::Query& query, sculpt::Sum& psi, sculpt::Cut& out);

   private:
    // Computes the objective, the solution of the program and the best partition found from it.
    void solve(const sculpt::Query& query);
    // Sets y_ to the better of two partitions, both improved by agglomerate().
    void round();
    // True if the partition attains the maximum of the program.
    bool is_attained() const { return bound_ - value_ <= tolerance(); }
    double tolerance() const;
    // Writes psi and the loss of an answer with share(i, j) of each pair, i < j. Returns its value.
    template <class Share>
    double write_answer(const sculpt::Query& query, Share share, sculpt::Sum& psi,
                        sculpt::Cut& out) const;

    const ClusteringLp& owner_;
    Objective objective_;
    TriangleProgram program_;
    std::vector<std::int32_t> y_;  // the partition
    double value_ = 0;             // of y_
    double bound_ = 0;             // upper bound of all partitions
  };

 private:
  bool relaxes_;
  std::int64_t max_items_;
  TriangleProgram::Limits limits_;
  sculpt::Host host_;
  ClusterTask task_;
};

}  // namespace clustering
