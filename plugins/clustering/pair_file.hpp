// pair_file.hpp - files of pairs of items: rows "document i j same index:value ...".
//
// same is 1, -1, or ? where it is not known. A line "items document N" in front of the rows of a
// document says how many items it has; without it they are those up to the largest named.
#pragma once

#include <optional>
#include <sculpt/cpp/sparse_rows.hpp>
#include <vector>

namespace clustering {

struct ItemPair {
  std::int32_t first = 0;  // the smaller item, from 0
  std::int32_t second = 0;
  bool same = false;       // of labelled documents
  std::int64_t line = 0;   // where it stands, from 1
  std::size_t column = 0;  // of its items, from 0
};

struct Document {
  std::int64_t number = 0;
  std::int64_t line = 0;        // where it begins
  std::int64_t items = 0;       // >= 1
  bool labelled = true;         // also without pairs
  std::size_t first_row = 0;    // of its pairs, among the entries
  std::vector<ItemPair> pairs;  // in the order of the rows
};

struct PairFile {
  std::vector<Document> documents;
  sculpt::SparseRows entries;  // a row a pair
};

// Throws data_error with path:line:column for what is no such file, for items from max_items on,
// and for a pair that a document names twice.
PairFile read_pair_file(sculpt::LineReader& reader, std::int64_t max_items);

}  // namespace clustering
