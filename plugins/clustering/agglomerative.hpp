// agglomerative.hpp - an oracle that merges clusters greedily, then moves single items.
//
// Finley and Joachims, ICML 2005, section 4.1. Called by the host (clustering.cpp).
//
// In training it starts from single items, from the predicted partition and from the truth. The
// best of the three results is the answer. Single items alone are not enough. Most wrong links
// raise the loss and every right link lowers it. This leads away from partitions with good scores.
//
// The answer has no bound by default. With `bounds` it has the bound of objective.hpp, and is EXACT
// if it attains the bound, as it does if no scores contradict each other. This is off by default,
// because a run compares weights by their bound once it has a finite one. With MITRE, w = 0 has a
// finite bound, and most other weights have a useless one.
#pragma once

#include "objective.hpp"

namespace clustering {

class Agglomerative {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.agglomerative", "1.0.0",
      "partitions of items: merges clusters greedily, then moves single items",
      "Finley and Joachims, ICML 2005, section 4.1"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::boolean("moves", "true",
                      "moves single items when no merge of two clusters gains anything"),
      sculpt::boolean("starts", "true",
                      "in training also starts from the prediction and from the truth"),
      sculpt::boolean(
          "bounds", "false",
          "gives a loose upper bound: the sum of all positive pairs plus the largest loss; a run "
          "then compares its weights by this bound")};
  static constexpr const char* experiments[] = {R"({
    "name": "agglomerative_rand_error",
    "dataset": {"use": "item_pairs", "train": {"text":
      "1 0 1 1 1:1\n1 0 2 -1 2:1\n1 1 2 -1 1:0.5 2:1\n1 2 3 1 1:1 3:1\n2 0 1 -1 2:1 3:1\n2 0 2 1 1:1 2:1\n"}},
    "features": "clustering", "loss": "rand_error", "oracle": "agglomerative",
    "solver": {"use": "n_slack", "C": 10}})",
                                                R"({
    "name": "agglomerative_mitre",
    "dataset": {"use": "item_pairs", "train": {"text":
      "1 0 1 1 1:1\n1 0 2 -1 2:1\n1 1 2 -1 1:0.5 2:1\n1 2 3 1 1:1 3:1\nitems 2 5\n2 0 1 -1 2:1 3:1\n2 0 2 1 1:1\n"}},
    "features": {"use": "clustering", "bias": false}, "loss": "mitre",
    "oracle": {"use": "agglomerative", "moves": false, "starts": false, "bounds": true}, "solver": {"use": "n_slack", "C": 10}})"};

  Agglomerative(const sculpt::Parameters& given, sculpt::Host host)
      : moves_items_(given.boolean("moves")),
        has_further_starts_(given.boolean("starts")),
        gives_bounds_(given.boolean("bounds")),
        host_(host) {}

  // Throws if the loss is of another library.
  void bind(const sculpt::Bindings& bindings);

  class Session {
   public:
    explicit Session(const Agglomerative& owner) : owner_(owner) {}
    void argmax(const sculpt::Query& query, sculpt::Answer& answer);

   private:
    // Makes y_ the best partition if its value is larger.
    void keep_if_better();
    void try_further_starts(const sculpt::Query& query);

    const Agglomerative& owner_;
    Objective objective_;
    Objective score_objective_;    // without the loss
    std::vector<std::int32_t> y_;  // the current partition
    std::vector<std::int32_t> best_;
    double best_value_ = 0;  // of best_
  };

 private:
  bool moves_items_;
  bool has_further_starts_;
  bool gives_bounds_;
  sculpt::Host host_;
  ClusterTask task_;
};

}  // namespace clustering
