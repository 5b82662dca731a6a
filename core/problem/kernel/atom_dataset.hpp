// atom_dataset.hpp - a dataset whose rows are replaced by atoms: row a of all rows has the single
// value 1, in column a.
//
// Features, loss and oracle are bound to it if the problem has a kernel (ext/row_blocks.h).
// So weights of columns are scores of atoms. Everything else is that of the dataset itself:
// outputs, edges, texts, metrics. Made by Problem.
//
// The reference has the `self` of the dataset, because plugins pass it to all of its tables. The
// functions here find their object by it.
#pragma once

#include <sculpt/ext/sites.h>

#include <cstdint>
#include <vector>

#include "linalg/vector.hpp"
#include "problem/components/dataset.hpp"

namespace sculpt::core {

class AtomDataset {
 public:
  // Requires a sealed dataset with rows, which outlives this. Throws Failure(Exit::config) if it
  // offers no rows, or has too many.
  explicit AtomDataset(const Dataset& dataset);
  ~AtomDataset();
  AtomDataset(const AtomDataset&) = delete;
  AtomDataset& operator=(const AtomDataset&) = delete;

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

 private:
  struct Functions;  // of the C interface

  const Dataset& dataset_;
  const sculpt_ext_sites* sites_ = nullptr;  // of the dataset
  sculpt_component description_ = {};        // of the dataset, with another life
  sculpt_life life_ = {};                    // with another extension()
  std::vector<std::int64_t> atom_from_;      // [examples + 1]
  std::vector<std::int64_t> row_from_;       // [atoms + 1] 0, 1, 2, ...
  std::vector<std::int32_t> column_;         // [atoms] 0, 1, 2, ...
  Vector ones_;                              // [atoms]
};

}  // namespace sculpt::core
