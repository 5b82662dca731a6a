// pair_file.hpp - reads files of pairs of items: rows "document i j same index:value ...".
//
// `same` is 1, -1, or ? if unknown. A line "items document N" before the rows of a document gives
// its number of items. Without it the items are 0 up to the largest one that occurs. Called by
// item_pairs.cpp.
#pragma once

#include <optional>
#include <sculpt/cpp/sparse_rows.hpp>
#include <vector>

namespace clustering {

struct ItemPair {
  std::int32_t first = 0;  // the smaller item, from 0
  std::int32_t second = 0;
  bool is_same_cluster = false;  // for labelled documents only
  std::int64_t line = 0;         // its line, from 1
  std::size_t column = 0;        // of its items, from 0
};

struct Document {
  std::int64_t number = 0;
  std::int64_t line = 0;        // its first line
  std::int64_t items = 0;       // >= 1
  bool is_labelled = true;      // true also if it has no pairs
  std::size_t first_row = 0;    // of its pairs, in `entries`
  std::vector<ItemPair> pairs;  // in the order of the rows
};

struct PairFile {
  std::vector<Document> documents;
  sculpt::SparseRows entries;  // a row a pair
};

// Throws data_error with path:line:column for malformed files, items >= max_items, and pairs that
// occur twice in a document.
PairFile read_pair_file(sculpt::LineReader& reader, std::int64_t max_items);

}  // namespace clustering
