// memory_rows.hpp - arrays of a program that take the place of a data file
// (sculpt/ext/draft/memory_source.h).
//
// Made by programs that hold the host as a library, and by check. Lent to an experiment by
// experiment/lent_splits.hpp, loaded by Dataset.
#pragma once

#include <sculpt/ext/draft/memory_source.h>

#include <memory>
#include <string>

namespace sculpt::core {

// Rows whose arrays keep what their header promises. Borrows the arrays: it copies the record
// alone. They must not change, and must live, as long as this object and the problems that loaded
// it.
class MemoryRows {
 public:
  // Checks all arrays once, in time linear in their size. `name`: of the arrays in messages.
  // `owner` keeps the arrays alive; it may be empty. Fields behind struct_size count as 0. If edges
  // have no kinds, edge_kind_count becomes 1.
  // Throws Failure(Exit::data): `the arrays "train": example 3, site 2: index[17] is 9; ...`.
  MemoryRows(std::string name, const sculpt_memory_rows& rows,
             std::shared_ptr<const void> owner = {});

  const std::string& name() const { return name_; }
  const sculpt_memory_rows& raw() const { return rows_; }

  // Identifies the content: the XXH3 of all numbers, shapes and names. The same examples in another
  // form, such as dense rows for sparse ones, have another hash.
  std::string hash() const;

 private:
  std::int64_t edge_count() const;

  std::string name_;
  sculpt_memory_rows rows_{};
  std::shared_ptr<const void> owner_;
};

}  // namespace sculpt::core
