// dataset_rows.hpp - the rows that a dataset lends (ext/sites.h), and the refusal of values in them
// that are too large.
//
// Called by Problem, once the data are read, and by train for what it says of columns.
#pragma once

#include <sculpt/ext/sites.h>

#include <cstdint>
#include <string>

#include "problem/components/dataset.hpp"
#include "problem/plugin/services.hpp"

namespace sculpt::core {

// Squares of larger ones, times C, may be no numbers.
inline constexpr double largest_feature = 1e100;

class DatasetRows {
 public:
  explicit DatasetRows(const Component& dataset);  // sealed

  bool offered() const { return table_ != nullptr; }
  // Of all rows. Requires rows, as do those below.
  std::int64_t column_count() const;            // [any]
  sculpt_sites of(std::int64_t example) const;  // [any]
  // What messages call a column: its name, or "the bias" for -1. [any]
  std::string name(std::int64_t column) const;

 private:
  const Component& dataset_;
  const sculpt_ext_sites* table_;
};

// What to do about values of the data that are too large, by who reads them.
inline constexpr const char* remedy_in_training =
    "set \"scaling\" of the dataset, or give the feature in another unit";
inline constexpr const char* remedy_of_model =
    "correct it; a model reads features in the unit that it was trained with";

// Refuses a feature of this size, beyond largest_feature, at `where`, such as "column 3".
[[noreturn]] void refuse_size(const Dataset& dataset, std::int64_t example, double size,
                              const std::string& where, const std::string& remedy);

// Refuses a value beyond largest_feature in the rows of any example; does nothing where the dataset
// lends none. One pass over the rows, on all threads: next to nothing beside their reading. Throws
// Failure (Exit::data), Cancelled. [main]
void require_sizes_of_rows(const Dataset& dataset, Workers& workers, Services& services,
                           const std::string& remedy);

}  // namespace sculpt::core
