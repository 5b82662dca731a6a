// agglomerative.hpp - an oracle that puts clusters together greedily, then moves single items.
//
// Without a promise but the bound of objective.hpp, all pairs that gain: where the answer attains
// it, as it does where the scores contradict each other nowhere, it is EXACT.
#pragma once

#include "objective.hpp"

namespace clustering {

class Agglomerative {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.agglomerative", "1.0.0",
      "partitions of items: clusters put together greedily, then moves of single items",
      "Finley and Joachims, ICML 2005, section 4.1"};
  static constexpr sculpt_parameter parameters[] = {sculpt::boolean(
      "moves", "true", "goes on from where no two clusters gain together by moving single items")};
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
    "oracle": {"use": "agglomerative", "moves": false}, "solver": {"use": "n_slack", "C": 10}})"};

  Agglomerative(const sculpt::Parameters& given, sculpt::Host host)
      : moves_(given.boolean("moves")), host_(host) {}

  // Refuses losses of other libraries.
  void bind(const sculpt::Bindings& bindings);

  class Session {
   public:
    explicit Session(const Agglomerative& owner) : owner_(owner) {}
    void argmax(const sculpt::Query& query, sculpt::Answer& answer);

   private:
    const Agglomerative& owner_;
    Objective objective_;
  };

 private:
  bool moves_;
  sculpt::Host host_;
  ClusterTask task_;
};

}  // namespace clustering
