// unseen_numbers.hpp - the labels of other data that training does not have, if they count as
// wrong.
//
// Called by the dataset mlsvml. An output has no place for such a label, so only the metrics count
// it: each is missed by every guess.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <sculpt/cpp/unseen_labels.hpp>
#include <sculpt/sculpt.hpp>

class UnseenNumbers {
 public:
  explicit UnseenNumbers(const sculpt::Parameters& given)
      : taken_for_(sculpt::unseen_labels_of(given)) {}

  bool are_refused() const { return taken_for_ == sculpt::UnseenLabels::refuse; }
  // Adds a label of the truth of an example.
  void add(std::int64_t example, std::int32_t number) {
    ++new_labels_;
    if (taken_for_ == sculpt::UnseenLabels::free) return;
    const auto known = kinds_.emplace(number, static_cast<std::size_t>(kind_count())).first;
    kinds_of_examples_[example].push_back(known->second);
  }
  // Warns of the labels since the last call.
  void warn(const sculpt::Host& host, const std::string& path) {
    if (new_labels_ > 0) {
      const bool is_one = new_labels_ == 1;
      host.warn(path + ": " + std::to_string(new_labels_) +
                (is_one ? " label does" : " labels do") + " not occur in the training data; " +
                (taken_for_ == sculpt::UnseenLabels::free
                     ? std::string(is_one ? "it is" : "they are") + " left out"
                     : std::string("micro_f1 and macro_f1 count ") + (is_one ? "it" : "them") +
                           " as missed, the loss and its metrics leave " +
                           (is_one ? "it" : "them") + " out"));
    }
    new_labels_ = 0;
  }

  // The number of different labels.
  std::int64_t kind_count() const { return static_cast<std::int64_t>(kinds_.size()); }
  // The labels of an example, from 0 to kind_count().
  const std::vector<std::size_t>& of(std::int64_t example) const {
    static const std::vector<std::size_t> none;
    const auto found = kinds_of_examples_.find(example);
    return found == kinds_of_examples_.end() ? none : found->second;
  }

  // All of it, for a cache (sculpt/cpp/cached_arrays.hpp).
  template <class Cache>
  void cached(Cache& cache) {
    std::vector<std::int32_t> numbers;
    std::vector<std::size_t> kinds;
    for (const auto& [number, kind] : kinds_) {
      numbers.push_back(number);
      kinds.push_back(kind);
    }
    std::vector<std::int64_t> examples;  // one for each label of kinds_of_examples_
    std::vector<std::size_t> labels;
    for (const auto& [example, unseen] : kinds_of_examples_) {
      examples.insert(examples.end(), unseen.size(), example);
      labels.insert(labels.end(), unseen.begin(), unseen.end());
    }
    cache(numbers, kinds, examples, labels);
    if constexpr (Cache::reads) {
      for (std::size_t k = 0; k < numbers.size(); ++k) kinds_[numbers[k]] = kinds[k];
      for (std::size_t k = 0; k < examples.size(); ++k) {
        kinds_of_examples_[examples[k]].push_back(labels[k]);
      }
    }
  }

 private:
  const sculpt::UnseenLabels taken_for_;
  std::map<std::int32_t, std::size_t> kinds_;                           // by number
  std::map<std::int64_t, std::vector<std::size_t>> kinds_of_examples_;  // by example
  std::int64_t new_labels_ = 0;
};
