// dataset_rows.hpp - reads the rows that a dataset offers (ext/sites.h), and refuses values that
// are too large.
//
// Called by Problem after the data are read, and by train for messages about columns.
#pragma once

#include <sculpt/ext/sites.h>

#include <cstdint>
#include <string>

#include "problem/components/dataset.hpp"
#include "problem/plugin/services.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_sites> {
  static constexpr const char* id = SCULPT_EXT_SITES;
  static constexpr std::size_t required_functions = 4;
};

// The largest accepted magnitude of a value. The square of a larger one, times C, may overflow.
inline constexpr double max_feature_magnitude = 1e100;

class DatasetRows {
 public:
  explicit DatasetRows(const Component& dataset);  // sealed

  bool is_offered() const { return table_ != nullptr; }
  // The number of columns of all rows. Requires is_offered(), as do the functions below.
  std::int64_t column_count() const { return shape().feature_count; }  // [any]
  sculpt_sites_shape shape() const;                                    // [any]
  // The rows of an example. Throws Failure (Exit::plugin) if a count is negative or an
  // array that they need is NULL. [any]
  sculpt_sites sites(std::int64_t example) const;
  // Returns the name of a column in messages: its own name, or "the bias" for -1. [any]
  std::string name(std::int64_t column) const;
  // Returns the name of a label value. [any]
  std::string state_name(std::int32_t state) const;

 private:
  const Component& dataset_;
  const sculpt_ext_sites* table_;
};

// Advice for values that are too large, by command.
inline constexpr const char* remedy_in_training =
    "set \"scaling\" of the dataset, or give the feature in another unit";
inline constexpr const char* remedy_in_prediction =
    "correct it; a model reads features in the unit that it was trained with";

// Refuses a feature with `magnitude` > max_feature_magnitude. `where`: for example "column 3".
[[noreturn]] void refuse_magnitude(const Dataset& dataset, std::int64_t example, double magnitude,
                                   const std::string& where, const std::string& remedy);

// Refuses each value above max_feature_magnitude in the rows of all examples. Does nothing if the
// dataset offers no rows. Makes one pass over the rows on all threads, which is cheap compared with
// reading them. Throws Failure (Exit::data), Cancelled. [main]
void require_row_magnitudes(const Dataset& dataset, Workers& workers, Services& services,
                            const std::string& remedy);

}  // namespace sculpt::core
