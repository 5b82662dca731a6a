// cached_columns.hpp - the columns of the split "train" in a cache, so that no run has to read all
// rows to count them.
//
// Called by cached_dataset.cpp, and by command/data.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "problem/cache/cache_file.hpp"
#include "problem/components/column_counts.hpp"

namespace sculpt::core {

// Adds one array, and returns the value of "columns" of the header.
nlohmann::ordered_json write_columns(const DataColumns& columns, CacheFileWriter& file);

// What write_columns() has written as the last array.
DataColumns columns_in(const CacheFile& file);

}  // namespace sculpt::core
