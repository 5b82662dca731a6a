// grid_file.hpp - reads and checks the blocks "image NAME H W", H rows of pixels, H rows of labels
// of a file.
//
// Called by the dataset grid. Messages begin with path:line:column.
#pragma once

#include <sculpt/cpp/reading.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// The distinct words of a file, with the place of their first occurrence.
class WordTable {
 public:
  struct Entry {
    std::string text;
    std::int64_t line;   // from 1
    std::size_t column;  // from 0
  };

  // Returns the number of a word. Words are numbered in order of appearance.
  std::int32_t number(std::string_view text, std::int64_t line, std::size_t column);
  const std::vector<Entry>& entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::int32_t> numbers_;
};

struct GridImage {
  std::int32_t height = 0;
  std::int32_t width = 0;
  bool is_labelled = true;
  std::int64_t line = 0;  // of its name, from 1
};

struct GridFile {
  std::vector<GridImage> images;
  // All pixels of all images, row by row: symbol numbers, or `channels` values each.
  std::vector<std::int32_t> symbol;
  std::vector<double> value;
  std::vector<std::int32_t> label;  // of all labelled images, indices into `labels`
  WordTable symbols;
  WordTable labels;
};

// `channels`: pixels are so many finite numbers each. 0: they are symbols, any words. Throws
// E_DATA.
GridFile read_grid_file(sculpt::LineReader& reader, std::int64_t channels);
