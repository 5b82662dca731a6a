// row_sums.hpp - sums over features of products, or of minima, of atoms with many sparse rows.
//
// Owns a copy of the rows in one of three forms:
//   dense    panels of eight rows (panel_sums.hpp)
//   sparse   for each feature, the rows that have it. A sum visits common features only
//   binary   bits of 0 and 1 (bit_rows.hpp). Atoms with other values are compared row by row
// A sum runs over the common features in increasing order. The others add +0, which changes no
// bit. So all forms have the same bits, and the choice is free. Called by row_engine.hpp.
#pragma once

#include <cstdint>
#include <sculpt/cpp/site_atoms.hpp>
#include <span>
#include <vector>

#include "bit_rows.hpp"
#include "panel_sums.hpp"

namespace kernel {

// Returns the sum of two rows. Requires finite values; with minima, none is negative.
double sum_of(Combine combine, const SiteRow& a, const SiteRow& b);

// The others [begin, end) of a sorted list, which lie in one panel.
struct PanelRun {
  std::size_t panel;
  std::size_t begin;
  std::size_t end;
  bool is_whole;  // the eight rows of the panel, in order
};

// The rows that atoms are compared with.
struct OtherRows {
  explicit OtherRows(std::span<const std::int64_t> list);  // not empty

  std::span<const std::int64_t> numbers;
  sculpt::Range range;  // the smallest that has them all
  bool is_run = false;  // they are begin, begin + 1, ...
};

// Memory of a thread for the calls.
struct SumScratch {
  std::vector<std::size_t> order;    // places in the list of others, by their number
  std::vector<std::int64_t> sorted;  // the others
  std::vector<PanelRun> runs;
  std::vector<double> packed;  // atoms, feature by feature
  std::vector<double> row;     // [rows in the range of the others]
  std::vector<std::uint64_t> bits;
};

class RowSums {
 public:
  RowSums() = default;
  // The rows live as long as this object.
  RowSums(Combine combine, std::span<const SiteRow> rows, std::int64_t feature_count);

  bool is_dense() const { return is_dense_; }
  // out[atoms][others] = the sums of these atoms with the rows of these numbers.
  void add_up(std::span<const SiteRow> atoms, std::span<const std::int64_t> others,
              std::span<double> out, SumScratch& scratch) const;

 private:
  void fill_panels();
  void fill_columns();
  void add_up_dense(std::span<const SiteRow> atoms, std::span<const std::int64_t> others,
                    std::span<double> out, SumScratch& scratch) const;
  void add_up_range(const SiteRow& atom, const OtherRows& others, double* out,
                    SumScratch& scratch) const;
  void visit_columns(const SiteRow& atom, sculpt::Range range, double* row) const;
  const double* panel(std::size_t number) const {
    return panels_.data() + number * panel_width * features_;
  }
  // Writes the atom to packed[feature * step], for the features of the panels.
  void pack(const SiteRow& atom, std::size_t step, double* packed) const;

  Combine combine_ = Combine::product;
  std::span<const SiteRow> rows_;
  std::size_t features_ = 0;
  bool is_dense_ = false;
  std::vector<double> panels_;  // [panels][features][8]
  // The columns that are not empty, in increasing order.
  std::vector<std::int32_t> column_feature_;
  std::vector<std::size_t> column_from_;  // [columns + 1]
  std::vector<std::int32_t> entry_row_;
  std::vector<double> entry_value_;
  bool has_bits_ = false;
  BitRows bits_;
};

}  // namespace kernel
