// agglomerative.hpp - an oracle that puts clusters together greedily, then moves single items.
//
// In training it also begins from the partition that it would predict and from the truth, and the
// best of the three is the answer: from single items alone the loss, which most wrong links raise
// and every right one lowers, leads away from partitions that score well.
//
// Without a promise, unless `bounds` asks for one: then the bound of objective.hpp comes along, and
// where the answer attains it, as it does where the scores contradict each other nowhere, it is
// EXACT. That alone is no good by default: a run that once has a finite bound of its objective goes
// by it from then on, and with MITRE w = 0 has one and most other weights have none of use.
#pragma once

#include "objective.hpp"

namespace clustering {

class Agglomerative {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.agglomerative", "1.0.0",
      "partitions of items: clusters put together greedily, then moves of single items",
      "Finley and Joachims, ICML 2005, section 4.1"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::boolean("moves", "true",
                      "goes on from where no two clusters gain together by moving single items"),
      sculpt::boolean("starts", "true",
                      "in training begins also from the prediction and from the truth"),
      sculpt::boolean(
          "bounds", "false",
          "promises an upper bound, all pairs that gain together and the largest loss; a "
          "loose one, by which a run judges its weights")};
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
      : moves_(given.boolean("moves")),
        starts_(given.boolean("starts")),
        bounds_(given.boolean("bounds")),
        host_(host) {}

  // Refuses losses of other libraries.
  void bind(const sculpt::Bindings& bindings);

  class Session {
   public:
    explicit Session(const Agglomerative& owner) : owner_(owner) {}
    void argmax(const sculpt::Query& query, sculpt::Answer& answer);

   private:
    // Takes y for the answer where it is better than the one there is.
    void offer();
    void try_further_starts(const sculpt::Query& query);

    const Agglomerative& owner_;
    Objective objective_;
    Objective score_;              // without the loss
    std::vector<std::int32_t> y_;  // the partition being made
    std::vector<std::int32_t> best_;
    double value_ = 0;  // of the best
  };

 private:
  bool moves_;
  bool starts_;
  bool bounds_;
  sculpt::Host host_;
  ClusterTask task_;
};

}  // namespace clustering
