// coverage_oracles.hpp - the choice of documents with the largest
//
//   <w, psi(x, y)> + loss_weight * Delta(truth, y)
//
// Covered words have the value of their weights. With a loss, covered subtopics have a negative
// value. Both are elements of one cover (cover.hpp). Delta is 0 if an output covers more than the
// truth, which happens only if the truth is not the best choice. Then the maximum is the larger one
// of two problems: with and without the values of the subtopics.
//
// `greedy_coverage` adds one document after the other. `exact_coverage` continues from there by
// branch and bound. Yue and Joachims, ICML 2008, Algorithm 1. Called by the host (diversity.cpp).
#pragma once

#include "coverage_features.hpp"
#include "subtopics_loss.hpp"

namespace diversity {

// Base class of both oracles.
class CoverageOracle {
 public:
  explicit CoverageOracle(sculpt::Host host) : host_(host) {}
  virtual ~CoverageOracle() = default;

  void bind(const sculpt::Bindings& bindings);

  class Session {
   public:
    explicit Session(const CoverageOracle& owner) : owner_(owner), search_(owner.host_) {}
    // Answers with the larger one of the two problems, and with a bound if find() has one.
    void argmax(const sculpt::Query& query, sculpt::Answer& answer);

   private:
    void begin(const sculpt::Query& query);
    Choice find_with_loss();
    Choice find_without_loss();
    // <w, psi> + loss_weight * Delta
    double value_of(const Choice& choice) const;

    const CoverageOracle& owner_;
    ChoiceSearch search_;
    const Topic* topic_ = nullptr;
    const DocumentSets* words_ = nullptr;
    const DocumentSets* elements_ = nullptr;  // words, then subtopics
    sculpt::Labels truth_;
    double loss_weight_ = 0;      // 0 if no loss is possible
    std::vector<double> values_;  // [elements]
  };

 protected:
  static constexpr double no_bound = std::numeric_limits<double>::infinity();
  // Finds a good or the best choice under Cover's F. The bound may be no_bound.
  virtual Choice find(ChoiceSearch& search, const DocumentSets& sets, std::span<const double> value,
                      std::int64_t size) const = 0;

 private:
  sculpt::Host host_;
  const CoverageFeatures* features_ = nullptr;
  std::vector<DocumentSets> elements_;  // [topics]; empty without a loss
};

// Greedy addition, then exchanges. The parameter `bound` decides when it gives a bound.
class GreedyCoverage : public CoverageOracle {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.greedy_coverage", "1.0.0",
      "adds one document after the other, each time the one with the largest gain",
      "Yue & Joachims, ICML 2008, Algorithm 1; Nemhauser, Wolsey & Fisher, 1978"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("exchange_rounds", "0", 0, 1000000,
                      "how often each chosen document may then be exchanged for a better one",
                      "rounds"),
      sculpt::choice(
          "bound", R"("nonnegative")", "nonnegative|always",
          "nonnegative: gives a bound only if no element has a negative value, so it is tight; "
          "always: also with a loss or negative weights, where it is loose")};
  static constexpr const char* experiments[] = {
      R"({
    "name": "greedy_coverage_of_two_topics",
    "dataset": {"use": "topics", "k": 2, "train": {"text":
      "topic a\ndocument 1 | s t | x x y\ndocument 2 | s | x z\ndocument 3 | u | z:2 v\n)"
      R"(document 4 | | x y z v\ntopic b\ndocument 1 | p | x\ndocument 2 | q | z x\ndocument 3 | p q | y\n"}},
    "features": {"use": "coverage", "frequency": [0.5], "counts": [1, 2], "nonnegative": true},
    "loss": "subtopics", "oracle": {"use": "greedy_coverage", "bound": "always"}, "solver": {"use": "n_slack", "C": 10}})"};

  GreedyCoverage(const sculpt::Parameters& given, sculpt::Host host)
      : CoverageOracle(host),
        exchange_rounds_(given.integer("exchange_rounds")),
        always_bounds_(given.choice("bound") == "always") {}

 private:
  Choice find(ChoiceSearch& search, const DocumentSets& sets, std::span<const double> value,
              std::int64_t size) const override {
    Choice choice = search.greedy(sets, value, size, exchange_rounds_);
    const bool has_negative_value = std::any_of(
        value.begin(), value.end(), [](double element_value) { return element_value < 0; });
    if (has_negative_value && !always_bounds_) choice.bound = no_bound;
    return choice;
  }

  std::int64_t exchange_rounds_;
  bool always_bounds_;
};

// Branch and bound. Exact unless max_steps ends the search.
class ExactCoverage : public CoverageOracle {
 public:
  static constexpr sculpt::About about{"org.sculpt.exact_coverage", "1.0.0",
                                       "the best choice of documents, by branch and bound",
                                       "Land & Doig, Econometrica, 1960"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("max_steps", "200000000", 0, 1e15,
                      "steps of the search for one answer: it reads or changes the gain of a "
                      "document; after these, the answer is the best choice so far, with a bound",
                      "steps")};
  static constexpr const char* experiments[] = {
      R"({
    "name": "exact_coverage_of_two_topics",
    "dataset": {"use": "topics", "k": 2, "weights": "uniform", "train": {"text":
      "topic a\ndocument 1 | s t | x x y\ndocument 2 | s | x z\ndocument 3 | u | z:2 v\n)"
      R"(document 4 | | x y z v\ntopic b\ndocument 1 | p | x\ndocument 2 | q | z x\ndocument 3 | p q | y\n"}},
    "features": {"use": "coverage", "frequency": [0.3, 0.5], "normalize": false},
    "loss": "subtopics", "oracle": "exact_coverage",
    "solver": {"use": "one_slack", "C": 10, "rescaling": "slack"}})",
      R"({
    "name": "exact_coverage_cut_short",
    "dataset": {"use": "topics", "k": 3, "train": {"text":
      "topic a\ndocument 1 | s t | x y\ndocument 2 | s | x z\ndocument 3 | u | z v\n)"
      R"(document 4 | | x y v\ndocument 5 | u t | y\n"}},
    "features": {"use": "coverage", "frequency": [0.5], "normalize": false}, "loss": "subtopics",
    "oracle": ["greedy_coverage", {"use": "exact_coverage", "max_steps": 30}],
    "solver": {"use": "n_slack", "C": 10}})"};

  ExactCoverage(const sculpt::Parameters& given, sculpt::Host host)
      : CoverageOracle(host), max_steps_(given.integer("max_steps")) {}

 private:
  Choice find(ChoiceSearch& search, const DocumentSets& sets, std::span<const double> value,
              std::int64_t size) const override {
    return search.best(sets, value, size, max_steps_);
  }

  std::int64_t max_steps_;
};

}  // namespace diversity
