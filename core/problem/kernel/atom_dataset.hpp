// atom_dataset.hpp - a dataset whose row a is the atom a: the single value 1, in column a
// (ext/row_blocks.h).
//
// With a kernel, features, loss and oracle are bound to it in place of the dataset. Made by
// Problem.
#pragma once

#include "problem/kernel/row_dataset.hpp"

namespace sculpt::core {

class AtomDataset : public RowDataset {
 public:
  // As RowDataset.
  explicit AtomDataset(const Dataset& dataset);

 private:
  std::int64_t column_count() const override { return atom_count(); }
  sculpt_status append_name(std::int64_t column, sculpt_byte_buffer* out,
                            sculpt_error* error) const override;
};

}  // namespace sculpt::core
