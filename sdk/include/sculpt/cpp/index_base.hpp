// index_base.hpp - the parameter `first_index` of datasets: where the indices of features count
// from.
//
// SPDX-License-Identifier: Apache-2.0
//
// Files of SVM-light count features from 1, those that programs export often from 0. A dataset that
// reads rows by SparseRows (sparse_rows.hpp) needs six lines:
//
//   static constexpr sculpt_parameter parameters[] = {..., sculpt::first_index()};
//   MyDataset(const sculpt::Parameters& given) : base_(given) {}
//   base_.apply(rows, reader, split == "train" && !has_learned_);  in load(), after all rows are
//   read void feature_name(...) const { out << base_.index_of(feature); } base_.save(writer); in
//   save() and restore() base_.restore(reader);
#pragma once

#include <cstdint>
#include <string>

#include "parameters.hpp"
#include "sparse_rows.hpp"
#include "state.hpp"

namespace sculpt {

constexpr sculpt_parameter first_index() {
  return choice("first_index", R"("learned")", "learned|0|1",
                "the index of the first feature; learned: 0 if the training data have an index 0, "
                "else 1");
}

class IndexBase {
 public:
  explicit IndexBase(const Parameters& given)
      : is_given_(given.choice("first_index") != "learned") {
    if (given.choice("first_index") == "0") first_ = 0;
  }

  // Makes the rows count from the first index. `learns`: they are those of train, and there is no
  // state. Throws E_DATA at an index 0 if the first one is 1.
  void apply(SparseRows& rows, const LineReader& reader, bool learns) {
    if (learns && !is_given_) {
      first_ = rows.has_index_0() ? 0 : 1;
      if (rows.has_index_0() && rows.is_numbered_by_index_0()) {
        throw reader.error_at(
            rows.line_of_index_0(), rows.column_of_index_0(),
            "each row has its own number at index 0, as LIBSVM writes values of "
            "kernels; remove these entries, or set \"first_index\" of the dataset "
            "to 0 if they are features");
      }
    }
    if (first_ == 1 && rows.has_index_0()) {
      throw reader.error_at(rows.line_of_index_0(), rows.column_of_index_0(),
                            is_given_ ? "index 0, but \"first_index\" is 1; count features from 1, "
                                        "or set \"first_index\" of the dataset to 0"
                                      : "index 0, but no row of the training data has an index 0, "
                                        "so features count from 1; correct it, or set "
                                        "\"first_index\" of the dataset to 0 and train again");
    }
    rows.count_from(first_);
  }
  // The index of a feature in files.
  std::int64_t index_of(std::int64_t feature) const { return feature + first_; }

  void save(StateWriter& writer) const { writer.integer(first_); }
  // What the experiment gives must be what the model was trained with.
  void restore(StateReader& reader) {
    const std::int64_t saved = reader.integer();
    if (saved != 0 && saved != 1) reader.damaged();
    if (is_given_ && saved != first_) {
      throw parameter_error("first_index is " + std::to_string(first_) +
                            ", but the model was trained with " + std::to_string(saved) +
                            "; remove it, or train again");
    }
    first_ = saved;
  }

 private:
  bool is_given_;           // by the experiment
  std::int64_t first_ = 1;  // 0 or 1
};

}  // namespace sculpt
