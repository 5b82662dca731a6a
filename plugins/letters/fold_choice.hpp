// fold_choice.hpp - which split the words of a fold go to.
//
// Made by the dataset letters from train_folds, validation_folds and test_folds; used for the file
// under `train` alone.
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

  // Refuses a fold that stands in two lists, and empty lists.
  explicit FoldChoice(const sculpt::Parameters& given);

  // True when the experiment makes this split (a place in `splits`) out of the file; "train" always
  // is.
  bool makes(std::size_t split) const { return split == 0 || given_[split]; }

  // Whether the words of `fold` belong to the split, which must be one it makes. Without
  // train_folds, "train" takes what no other split takes.
  bool takes(std::size_t split, std::int64_t fold) const;

 private:
  bool lists(std::size_t split, std::int64_t fold) const;

  std::array<bool, split_count> given_ = {};
  std::array<std::vector<std::int64_t>, split_count> folds_;
};
