// query_data.hpp - the queries of a dataset, for the features, losses and the oracle of this
// library: sites are documents, the truth is their grades. Used by ranking_features.hpp and
// loss_with_metrics.hpp.
#pragma once

#include <sculpt/cpp/site_input.hpp>
#include <sculpt/cpp/site_weights.hpp>
#include <sculpt/cpp/text_buffer.hpp>

#include "grade_groups.hpp"

namespace ranking {

class QueryData {
 public:
  QueryData() = default;
  // Throws unless truths are one grade for each document.
  explicit QueryData(sculpt::Ref dataset) : input_(dataset) {
    if (sculpt::PlaceRef::is_offered_by(dataset)) places_ = sculpt::PlaceRef(dataset);
    const auto error = [&](const std::string& what) {
      return sculpt::unsupported_error("needs a grade for each document, but " +
                                       input_.dataset_id() + " has " + what +
                                       "; use the dataset svmrank");
    };
    const std::int64_t limit = std::max<std::int64_t>(max_plain_grade + 1, input_.state_count());
    if (input_.variable_count() != 0) throw error("no label for each of its sites");
    for (std::int64_t example = 0; example < input_.example_count(); ++example) {
      for (const std::int32_t grade : input_.truth(example)) {
        if (grade >= 0 && grade < limit) continue;
        throw error("the label " + std::to_string(grade) + " in example " +
                    std::to_string(example) + ", but grades are 0 to " + std::to_string(limit - 1));
      }
    }
    values_ = GradeValues(input_);
  }

  const sculpt::SiteInput& input() const { return input_; }
  std::int64_t documents(std::int64_t example) const { return input_.sites(example).site_count; }
  sculpt::Labels grades(std::int64_t example) const { return input_.truth(example); }

  // Returns the place of a query for messages: "train.txt:17", or "example 3".
  std::string place(std::int64_t example) const {
    const auto written = sculpt::text_written([&](sculpt::ByteOutput& out) {
      if (places_.present()) places_.place(example, out);
    });
    return written.empty() ? "example " + std::to_string(example) : written;
  }
  // The grades that the numbers in truths stand for.
  const GradeValues& values() const { return values_; }

  // Throws unless y is an order of the documents (order_output.hpp).
  void check_order(std::int64_t example, sculpt::Labels y) const {
    check_numbers(example, y, documents(example));
  }
  // Throws unless y is an order, or the counts of swapped pairs (pair_counts.hpp).
  void check(std::int64_t example, sculpt::Labels y) const {
    const std::int64_t size = documents(example);
    check_numbers(example, y, y.count() == 2 * size ? y.count() : size);
  }

 private:
  static void check_numbers(std::int64_t example, sculpt::Labels y, std::int64_t size) {
    if (y.count() != size) {
      throw sculpt::Error(SCULPT_E_INVALID, "an output of query " + std::to_string(example) +
                                                " has " + std::to_string(size) + " numbers, not " +
                                                std::to_string(y.count()));
    }
    for (const std::int32_t number : y) {
      if (number < 0) {
        throw sculpt::Error(SCULPT_E_INVALID,
                            "an output has a negative number; give numbers from 0");
      }
    }
  }

  sculpt::SiteInput input_;
  sculpt::PlaceRef places_;
  GradeValues values_;
};

}  // namespace ranking
