// own_dataset.hpp - the dataset class of the same library, for features that need more of it than
// its sites.
//
// SPDX-License-Identifier: Apache-2.0
//
// With a kernel the host binds features to the same dataset with other sites: their rows are atoms
// (ext/row_blocks.h). So take the rows from SiteInput, and all else from this object.
#pragma once

#include "life.hpp"

namespace sculpt {

// nullptr if the dataset is not `component` (Dataset<T>::component).
template <class T>
const T* own_dataset(Ref dataset, const sculpt_component& component) {
  const bool is_own = dataset.component() != nullptr && dataset.component()->api == component.api;
  return is_own ? static_cast<const detail::Instance<T>*>(dataset.self())->object : nullptr;
}

}  // namespace sculpt
