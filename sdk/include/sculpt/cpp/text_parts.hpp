// text_parts.hpp - the draft extension text-parts, for datasets whose text can be cut.
//
// SPDX-License-Identifier: Apache-2.0
//
// A dataset class whose examples are single lines, or end with a blank line, has one of
//
//   using drafts = sculpt::Drafts<sculpt::PartsAreLines>;
//   using drafts = sculpt::Drafts<sculpt::PartsEndWithBlankLines>;
//
// and accepts a text without examples as the split "predict". Then the host predicts pipes part by
// part. Not part of sculpt.hpp while the extension is a draft.
#pragma once

#include <type_traits>

#include "../ext/draft/text_parts.h"
#include "drafts.hpp"

namespace sculpt {

namespace detail {

template <>
inline constexpr const char* extension_id<sculpt_ext_text_parts> = SCULPT_EXT_TEXT_PARTS;

template <std::uint32_t part_end>
struct DatasetTextParts : Extension<kind_sets::dataset, Methods<>> {
  template <class T>
  static constexpr sculpt_ext_text_parts table{
      [](const void*, std::uint32_t* end, sculpt_error*) -> sculpt_status {
        *end = part_end;
        return SCULPT_OK;
      }};
};

}  // namespace detail

struct PartsAreLines {
  template <std::uint32_t kind>
  using Of = std::conditional_t<kind == SCULPT_KIND_DATASET,
                                detail::DatasetTextParts<SCULPT_PART_ENDS_WITH_LINE>, void>;
};

struct PartsEndWithBlankLines {
  template <std::uint32_t kind>
  using Of = std::conditional_t<kind == SCULPT_KIND_DATASET,
                                detail::DatasetTextParts<SCULPT_PART_ENDS_WITH_BLANK_LINE>, void>;
};

}  // namespace sculpt
