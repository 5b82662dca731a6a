// row_dataset.hpp - a dataset with other rows: one for each site, as before.
//
// Base class of AtomDataset and ExplicitDataset. Features, loss and oracle are bound to it in place
// of the dataset of the experiment. All else is that of the dataset: examples, truths, outputs,
// edges, texts, metrics.
//
// The reference has the `self` of the dataset, because plugins pass it to all of its tables. The
// functions here find their object by it.
#pragma once

#include <sculpt/ext/sites.h>

#include <cstdint>
#include <string>
#include <vector>

#include "linalg/vector.hpp"
#include "problem/components/dataset.hpp"
#include "problem/components/dataset_rows.hpp"

namespace sculpt::core {

class RowDataset {
 public:
  virtual ~RowDataset();
  RowDataset(const RowDataset&) = delete;
  RowDataset& operator=(const RowDataset&) = delete;

  // What components are bound to in place of the dataset. Valid as long as this object.
  sculpt_ref ref() const { return {&description_, dataset_.component().self()}; }

  std::int64_t atom_count() const { return atom_from_.back(); }
  // The atoms of an example.
  Range atoms(std::int64_t example) const {
    return {atom_from_[static_cast<std::size_t>(example)],
            atom_from_[static_cast<std::size_t>(example) + 1]};
  }
  // The example of an atom, by its number in the dataset.
  std::int64_t example_of(std::int64_t atom) const;
  // "example 12", or "example 12, row 3" if examples have several rows.
  std::string name(std::int64_t atom) const;

 protected:
  // Requires a sealed dataset, which outlives this. Throws Failure(Exit::config) if it offers no
  // rows, or has too many. The derived class sets the rows before anything is bound to it.
  explicit RowDataset(const Dataset& dataset);

  const Dataset& dataset() const { return dataset_; }
  virtual std::int64_t column_count() const = 0;
  // Appends the name of a column. Called by plugins, so it must not throw.
  virtual sculpt_status append_name(std::int64_t column, sculpt_byte_buffer* out,
                                    sculpt_error* error) const = 0;

  std::vector<std::int64_t> row_from_;  // [atoms + 1]
  std::vector<std::int32_t> column_;    // of each row increasing
  Vector value_;                        // likewise

 private:
  struct Functions;  // of the C interface

  const Dataset& dataset_;
  const sculpt_ext_sites* sites_ = nullptr;  // of the dataset
  sculpt_component description_ = {};        // of the dataset, with another life
  sculpt_life life_ = {};                    // with another extension()
  std::vector<std::int64_t> atom_from_;      // [examples + 1]
};

}  // namespace sculpt::core
