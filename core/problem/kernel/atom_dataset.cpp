#include "problem/kernel/atom_dataset.hpp"

#include <numeric>

namespace sculpt::core {

AtomDataset::AtomDataset(const Dataset& dataset) : RowDataset(dataset) {
  row_from_.resize(static_cast<std::size_t>(atom_count()) + 1);
  std::iota(row_from_.begin(), row_from_.end(), std::int64_t{0});
  column_.resize(static_cast<std::size_t>(atom_count()));
  std::iota(column_.begin(), column_.end(), 0);
  value_.assign(column_.size(), 1.0);
}

sculpt_status AtomDataset::append_name(std::int64_t column, sculpt_byte_buffer* out,
                                       sculpt_error*) const {
  const std::string text = name(column);
  return sculpt_put(out, text.data(), static_cast<std::int64_t>(text.size()));
}

}  // namespace sculpt::core
