// explicit_dataset.hpp - a dataset whose row a is phi(a), the explicit row of a kernel.
//
// Features, loss and oracle are bound to it in place of the dataset. So the problem has a weight
// for each column of phi, and no kernel. Made by Problem.
#pragma once

#include <memory>

#include "parallel/workers.hpp"
#include "problem/kernel/explicit_map.hpp"
#include "problem/kernel/row_dataset.hpp"
#include "problem/plugin/services.hpp"

namespace sculpt::core {

class ExplicitDataset : public RowDataset {
 public:
  // As RowDataset. Computes all rows, on all threads. `remedy`: for values that are too large, as
  // in require_row_magnitudes(). Throws Failure(Exit::memory) if the rows do not fit into memory,
  // Failure(Exit::data) if a value is too large, Cancelled, and the Failures of the map.
  ExplicitDataset(const Dataset& dataset, std::unique_ptr<ExplicitMap> map, Workers& workers,
                  Services& services, const std::string& remedy);

 private:
  std::int64_t column_count() const override { return map_->width(); }
  sculpt_status append_name(std::int64_t column, sculpt_byte_buffer* out,
                            sculpt_error* error) const override {
    return map_->append_name(column, out, error);
  }

  std::unique_ptr<ExplicitMap> map_;
};

}  // namespace sculpt::core
