// topics.hpp - a dataset whose examples are topics: candidate documents, of which an output chooses
// k. Yue and Joachims, ICML 2008. Called by the host (diversity.cpp).
#pragma once

#include <map>

#include "choice_search.hpp"
#include "topic.hpp"

namespace diversity {

class Topics {
 public:
  static constexpr sculpt::About about{
      "org.sculpt.topics", "1.0.0",
      "topics with candidate documents; an output chooses those that cover most subtopics",
      "Yue & Joachims, ICML 2008"};
  static constexpr sculpt_parameter parameters[] = {
      sculpt::integer("k", "5", 1, 100, "how many documents an output chooses", "documents"),
      sculpt::choice(
          "weights", R"("documents")", "documents|uniform",
          "the weight of a subtopic; documents: how many documents have it; uniform: 1")};

  Topics(const sculpt::Parameters& given, sculpt::Host host)
      : host_(host),
        choice_size_(given.integer("k")),
        weights_by_documents_(given.choice("weights") == "documents") {}

  // Adds a split, and finds the truth of each labelled topic: the choice that covers most.
  void load(std::string_view split, const sculpt::Source& source);
  std::int64_t count() const { return static_cast<std::int64_t>(topics_.size()); }
  sculpt::Range split(std::string_view name) const {
    const auto found = splits_.find(name);
    return found == splits_.end() ? sculpt::Range() : found->second;
  }
  sculpt::Labels truth(std::int64_t example) const {
    const Topic& stored = topic(example);
    return stored.truth.empty() ? sculpt::Labels() : sculpt::Labels(stored.truth);
  }
  // Throws E_INVALID if there is no such topic.
  const Topic& topic(std::int64_t example) const;

  // Text is the names of the documents, in the order of the file.
  void format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const;
  void parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const;

 private:
  // Sets the weights of the subtopics, the truth and max_covered.
  void find_truth(Topic& topic, ChoiceSearch& search) const;

  sculpt::Host host_;
  std::int64_t choice_size_;
  bool weights_by_documents_;
  std::vector<Topic> topics_;
  std::map<std::string, sculpt::Range, std::less<>> splits_;
};

// Returns the dataset. Throws an error if it is not Topics.
inline const Topics& topics_of(sculpt::Ref dataset) {
  const Topics* topics = sculpt::same_library<Topics>(dataset, sculpt::Dataset<Topics>::component);
  if (topics != nullptr) return *topics;
  throw sculpt::unsupported_error("needs the dataset topics, not " + dataset.id() +
                                  "; set dataset.use to topics");
}

}  // namespace diversity
