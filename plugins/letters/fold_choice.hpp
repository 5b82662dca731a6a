// fold_choice.hpp - decides which split the words of a fold belong to.
//
// letters.cpp makes it from train_folds, validation_folds and test_folds, for the file under
// `train` only.
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

  // True if this split (an index of `splits`) is made from the file. "train" always is.
  bool has_split(std::size_t split) const { return split == 0 || is_set_[split]; }

  // True if the words of `fold` belong to the split. Requires has_split(split). Without
  // train_folds, "train" has the folds that no other split has.
  bool contains(std::size_t split, std::int64_t fold) const;

 private:
  // True if the parameter of the split lists the fold.
  bool is_listed(std::size_t split, std::int64_t fold) const;

  std::array<bool, split_count> is_set_ = {};  // the experiment sets the parameter
  std::array<std::vector<std::int64_t>, split_count> folds_;
};
