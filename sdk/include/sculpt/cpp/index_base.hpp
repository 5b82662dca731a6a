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
//   base_.apply(rows, reader, split == "train" && !has_learned_);  // in load(), after all rows
//   void feature_name(...) const { out << "feature " << base_.index_of(feature); }
//   base_.save(writer);      // in save()
//   base_.restore(reader);   // in restore()
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

// A parameter with the choices learned, 0 and 1, and what is learned in its place.
class FirstNumber {
 public:
  // `key`: a literal.
  FirstNumber(const Parameters& given, const char* key)
      : key_(key),
        is_given_(given.choice(key) != "learned"),
        value_(given.choice(key) == "0" ? 0 : 1) {}

  bool is_given() const { return is_given_; }  // by the experiment
  std::int32_t value() const { return value_; }
  void learn(bool has_0) {
    if (!is_given_) value_ = has_0 ? 0 : 1;
  }

  void save(StateWriter& writer) const { writer.integer(value_); }
  // What the experiment gives must be what the model was trained with. `is_saved`: false for a
  // state from before this parameter, when all counted from 1.
  void restore(StateReader& reader, bool is_saved) {
    const std::int64_t saved = is_saved ? reader.integer() : 1;
    if (saved != 0 && saved != 1) reader.damaged();
    if (is_given_ && saved != value_) {
      throw parameter_error(std::string(key_) + " is " + std::to_string(value_) +
                            ", but the model was trained with " + std::to_string(saved) +
                            "; remove it, or train again");
    }
    value_ = static_cast<std::int32_t>(saved);
  }

 private:
  const char* key_;
  bool is_given_;
  std::int32_t value_;
};

class IndexBase {
 public:
  explicit IndexBase(const Parameters& given) : first_(given, "first_index") {}

  // Makes the rows count from the first index. `learns`: they are those of train, and there is no
  // state. Throws E_DATA at an index 0 if the first one is 1.
  void apply(SparseRows& rows, const LineReader& reader, bool learns) {
    if (learns && !first_.is_given() && rows.has_index_0() && rows.is_numbered_by_index_0()) {
      throw reader.error_at(rows.line_of_index_0(), rows.column_of_index_0(),
                            "each row has its own number at index 0, as LIBSVM writes values of "
                            "kernels; remove these entries, or add --set dataset.first_index=0 if "
                            "they are features");
    }
    if (learns) first_.learn(rows.has_index_0());
    if (first_.value() == 1 && rows.has_index_0()) {
      throw reader.error_at(rows.line_of_index_0(), rows.column_of_index_0(),
                            first_.is_given()
                                ? "index 0, but \"first_index\" is 1; count features from 1, "
                                  "or add --set dataset.first_index=0"
                                : "index 0, but no row of the training data has an index 0, "
                                  "so features count from 1; correct it, or train "
                                  "again with --set dataset.first_index=0");
    }
    rows.count_from(first_.value());
  }
  // The index of a feature in files.
  std::int64_t index_of(std::int64_t feature) const { return feature + first_.value(); }

  void save(StateWriter& writer) const { first_.save(writer); }
  // `is_saved`: see FirstNumber.
  void restore(StateReader& reader, bool is_saved = true) { first_.restore(reader, is_saved); }

 private:
  FirstNumber first_;
};

}  // namespace sculpt
