// data_columns.hpp - which columns the rows of the training data have, and how large these are.
//
// Called by train, before the first pass, for datasets that lend their rows (ext/sites.h): what the
// estimate of memory and the warnings about columns are made of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problem/problem.hpp"

namespace sculpt::core {

struct ColumnScale {
  std::int64_t column = 0;  // a feature of the dataset; -1: the bias
  std::int64_t entries = 0;
  double size = 0;  // above 0
};

struct DataColumns {
  std::int64_t count = 0;    // of the features of the dataset; 0: it lends no rows
  std::int64_t in_use = 0;   // of them with an entry other than 0
  std::int64_t largest = 0;  // of these
  std::int64_t next = -1;    // the largest but one; -1: there is none
  std::int64_t rows = 0;
  std::vector<ColumnScale> sizes;  // mean |x| of those with entries; none of more than 4 million
};

// One pass over the rows. Throws Failure, Cancelled.
DataColumns columns_of_data(Problem& problem);

// The warning about an index far above all others, or about holes, which make weights that stay 0;
// "" where the columns are fine.
std::string width_warning(Problem& problem, const DataColumns& columns);

}  // namespace sculpt::core
