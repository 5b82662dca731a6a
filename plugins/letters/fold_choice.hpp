// fold_choice.hpp - decides which split the words of a fold belong to.
//
// The dataset letters makes it from train_folds, validation_folds and test_folds. Only the file
// under `train` uses it.
#pragma once

#include <sculpt/cpp/parameters.hpp>

#include <array>
#include <cstdint>
#include <vector>

class FoldChoice {
 public:
  static constexpr std::size_t split_count = 3;
  static constexpr std::array<const char*, split_count> splits = {"train", "validation", "test"};
  static constexpr std::array<const char*, split_count> parameter_names = {
      "train_folds", "validation_folds", "test_folds"};

  // Throws if a fold is in two lists, or if a list is empty.
  explicit FoldChoice(const sculpt::Parameters& given);

  // True if the experiment makes this split (an index of `splits`) from the file. "train" is always
  // made.
  bool makes(std::size_t split) const { return split == 0 || given_[split]; }

  // True if the words of `fold` belong to the split. Requires makes(split). Without train_folds,
  // "train" has the folds that no other split has.
  bool takes(std::size_t split, std::int64_t fold) const;

 private:
  bool lists(std::size_t split, std::int64_t fold) const;

  std::array<bool, split_count> given_ = {};
  std::array<std::vector<std::int64_t>, split_count> folds_;
};
