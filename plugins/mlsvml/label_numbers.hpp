// label_numbers.hpp - which numbers the labels of multi-label rows have: K numbers from 0 or 1 on.
//
// Called by the dataset mlsvml.
#pragma once

#include <cstdint>
#include <string>

#include <sculpt/cpp/index_base.hpp>
#include <sculpt/cpp/unseen_labels.hpp>
#include <sculpt/sculpt.hpp>

#include "label_rows.hpp"

class LabelNumbers {
 public:
  // Reads the parameters `labels` and `first_label`.
  explicit LabelNumbers(const sculpt::Parameters& given)
      : count_(static_cast<std::int32_t>(given.integer("labels"))), first_(given, "first_label") {}

  std::int32_t count() const { return count_; }  // K; 0: not yet known
  std::int32_t number_of(std::size_t label) const {
    return static_cast<std::int32_t>(label) + first_.value();
  }

  // Learns from the split train. Throws E_DATA.
  void learn(const LabelRows& file, const sculpt::LineReader& reader) {
    first_.learn(file.has_label_0);
    if (count_ > 0) return;
    if (file.largest_label < 0) {
      throw reader.error_at(1, 0,
                            "no row has a label that is on, so the number of labels is not known; "
                            "give it by --set dataset.labels=N");
    }
    count_ = file.largest_label + 1 - first_.value();
    if (count_ <= max_labels) return;
    throw reader.error_at(1, 0,
                          "there are " + std::to_string(count_) + " labels; the limit is " +
                              std::to_string(max_labels));
  }

  // Returns what is wrong with a label in a list; "": nothing.
  std::string fault(std::int32_t number) const {
    const std::string label = "label " + std::to_string(number);
    if (number < first_.value()) {
      return label +
             (first_.is_given()
                  ? ", but \"first_label\" is 1; correct it, or add --set dataset.first_label=0"
                  : ", but no row of the training data has the label 0, so labels count "
                    "from 1; correct it, or train again with --set dataset.first_label=0");
    }
    if (!is_above(number)) return "";
    return above_text(number) + "remove it, or " + train_with_more;
  }
  // Whether a label is above those of the training data.
  bool is_above(std::int32_t number) const { return number - first_.value() >= count_; }
  // The message for such a label in other data.
  std::string fault_of_unseen(std::int32_t number) const {
    return above_text(number) + sculpt::unseen_label_remedies + train_with_more;
  }
  // The place of a label without a fault in an output.
  std::size_t place_of(std::int32_t number) const {
    return static_cast<std::size_t>(number - first_.value());
  }

  void save_count(sculpt::StateWriter& writer) const { writer.integer(count_); }
  void save_first(sculpt::StateWriter& writer) const { first_.save(writer); }
  void restore_count(sculpt::StateReader& reader) {
    const std::int64_t count = reader.integer();
    if (count < 1 || count > max_labels) reader.damaged();
    count_ = static_cast<std::int32_t>(count);
  }
  void restore_first(sculpt::StateReader& reader, bool is_saved) {
    first_.restore(reader, is_saved);
  }

 private:
  static constexpr const char* train_with_more = "train with a larger `labels`";

  std::string above_text(std::int32_t number) const {
    return "label " + std::to_string(number) + " is above " +
           std::to_string(number_of(static_cast<std::size_t>(count_ - 1))) +
           ", the largest label of the training data or by the parameter `labels`; ";
  }

  std::int32_t count_;
  sculpt::FirstNumber first_;
};
