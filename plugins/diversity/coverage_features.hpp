// coverage_features.hpp - psi of a choice of documents: the words they cover, grouped by how many
// candidates have them. Yue and Joachims, ICML 2008, section 3.
//
// Called by the host (diversity.cpp) and coverage_oracles.cpp.
#pragma once

#include "topics.hpp"

namespace diversity {

// A document covers word v at level l if it has v at least counts_l times. D_l(v) of the n
// candidates do. The bin of v is the number of thresholds <= D_l(v) / n.
//
//   psi(x, y)_(l, b) = how many words of bin b a document of y covers at level l
//
// divided, with `normalize`, by the number of words of the topic.
class CoverageFeatures {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.coverage", "1.0.0",
      "the words that the chosen documents cover, grouped by how many candidates have them",
      "Yue & Joachims, ICML 2008, section 3"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::list_of(
          sculpt::real("frequency", "[0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5]", 0, 1,
                       "where bins end: shares of the candidates that have a word, increasing")),
      sculpt::list_of(sculpt::integer(
          "counts", "[1]", 1, 1000000000,
          "levels: how many times a document must have a word to cover it; increasing")),
      sculpt::boolean("normalize", "true", "divides by the number of words of the topic"),
      sculpt::boolean("nonnegative", "false",
                      "keeps all weights at 0 or above, so that greedy choices are near the best")};
  static constexpr std::size_t max_thresholds = 1000;
  static constexpr std::size_t max_levels = 20;

  explicit CoverageFeatures(const sculpt::Parameters& given);

  void bind(const sculpt::Bindings& bindings);
  std::int64_t dimension() const { return static_cast<std::int64_t>(levels_.size() * bins()); }
  sculpt::OutputShape output_shape(std::int64_t example) const {
    const Topic& topic = topics_->topic(example);
    return sculpt::OutputShape::of_size(topic.choice_size, topic.document_count());
  }
  void features(std::int64_t example, sculpt::Labels y, sculpt::Sum& sum) const;
  void weight_name(std::int64_t weight, sculpt::ByteOutput& out) const;
  std::int64_t enumerate(std::int64_t example, std::int64_t limit,
                         const sculpt::Visit& visit) const;
  bool bounds_weights() const { return nonnegative_; }
  void weight_bounds(std::span<std::uint8_t> nonnegative) const {
    std::fill(nonnegative.begin(), nonnegative.end(), std::uint8_t{1});
  }

  const Topics& topics() const { return *topics_; }

  // The elements are words at levels. Returns which documents of a topic have them.
  const DocumentSets& elements(std::int64_t example) const { return covers(example).sets; }
  // Writes the change of <w, psi> by covering each element, value[elements].
  void values(std::int64_t example, std::span<const double> w, std::span<double> value) const;

 private:
  struct Covers {
    DocumentSets sets;
    std::vector<std::int32_t> feature;  // [elements]
    double element_value = 1;           // of an element in its feature
  };

  std::size_t bins() const { return frequency_.size() + 1; }
  Covers make_covers(const Topic& topic) const;
  const Covers& covers(std::int64_t example) const {
    return covers_[static_cast<std::size_t>(example)];
  }

  std::vector<double> frequency_;
  std::vector<std::int64_t> levels_;
  bool normalize_;
  bool nonnegative_;
  const Topics* topics_ = nullptr;
  std::vector<Covers> covers_;  // [topics]
};

}  // namespace diversity
