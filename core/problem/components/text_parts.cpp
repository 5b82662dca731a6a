#include "problem/components/text_parts.hpp"

#include <sculpt/ext/draft/text_parts.h>

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_text_parts> {
  static constexpr const char* id = SCULPT_EXT_TEXT_PARTS;
  static constexpr std::size_t required_functions = 1;
};

PartEnd part_end_of(const Component& dataset) {
  const auto* const table = dataset.extension<sculpt_ext_text_parts>();
  if (table == nullptr) return PartEnd::none;
  std::uint32_t end = 0;
  dataset.call("text-parts.end", -1,
               [&](sculpt_error* error) { return table->end(dataset.self(), &end, error); });
  switch (end) {
    case 0:
      return PartEnd::none;
    case SCULPT_PART_ENDS_WITH_LINE:
      return PartEnd::line;
    case SCULPT_PART_ENDS_WITH_BLANK_LINE:
      return PartEnd::blank_line;
    default:
      dataset.refuse(Exit::plugin, -1,
                     "ends the parts of its text by " + std::to_string(end) +
                         ", which this host does not know");
  }
}

}  // namespace sculpt::core
