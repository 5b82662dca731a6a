#include "problem/dataset.hpp"

#include <sculpt/ext/draft/width.h>
#include <sculpt/ext/sites.h>

#include "problem/buffers.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_width> {
  static constexpr const char* id = SCULPT_EXT_WIDTH;
  static constexpr std::size_t functions = 1;
};

void Dataset::load(const SplitSource& source) {
  sculpt_source raw = {};
  raw.struct_size = sizeof raw;
  raw.path = source.path.c_str();
  if (source.text) {
    raw.text = source.text->c_str();
    raw.text_size = static_cast<std::int64_t>(source.text->size());
  }
  component_.call("load", -1, [&](sculpt_error* error) {
    return component_.api<sculpt_dataset_api>().load(component_.self(), source.split.c_str(), &raw,
                                                     error);
  });
}

std::int64_t Dataset::count() const {
  std::int64_t count = -1;
  component_.call("count", -1, [&](sculpt_error* error) {
    return component_.api<sculpt_dataset_api>().count(component_.self(), &count, error);
  });
  if (count < 0) component_.refuse(Exit::plugin, -1, "counts a negative number of examples");
  return count;
}

Range Dataset::split(const std::string& name) const {
  Range range;
  component_.call("split", -1, [&](sculpt_error* error) {
    return component_.api<sculpt_dataset_api>().split(component_.self(), name.c_str(), &range.begin,
                                                      &range.end, error);
  });
  if (range.begin < 0 || range.end < range.begin || range.end > count()) {
    component_.refuse(Exit::plugin, -1,
                      "split \"" + name + "\" is said to be [" + std::to_string(range.begin) +
                          ", " + std::to_string(range.end) + ") of " + std::to_string(count()) +
                          " examples");
  }
  return range;
}

sculpt_labels Dataset::truth(std::int64_t example) const {
  sculpt_labels truth = {nullptr, 0};
  component_.call("truth", example, [&](sculpt_error* error) {
    return component_.api<sculpt_dataset_api>().truth(component_.self(), example, &truth, error);
  });
  if (truth.size < 0) component_.refuse(Exit::plugin, example, "its truth has a negative size");
  return truth;
}

std::string Dataset::format(std::int64_t example, sculpt_labels output) const {
  if (const auto* const table = component_.extension<sculpt_ext_label_text>()) {
    ByteBuffer text;
    component_.call("label-text.format", example, [&](sculpt_error* error) {
      return table->format(component_.self(), example, output, text.raw(), error);
    });
    return text.text_of(component_, example);
  }
  std::string text;
  for (std::int64_t k = 0; k < output.size; ++k) {
    text += (k > 0 ? " " : "") + std::to_string(output.data[k]);
  }
  return text;
}

bool Dataset::offers_sites() const {
  const auto& life = *component_.description().life;
  return life.extension != nullptr &&
         life.extension(component_.self(), SCULPT_EXT_SITES) != nullptr;
}

std::string Dataset::widest() const {
  const auto* const table = component_.extension<sculpt_ext_width>();
  if (table == nullptr) return "";
  ByteBuffer text;
  component_.call("width.widest", -1, [&](sculpt_error* error) {
    return table->widest(component_.self(), text.raw(), error);
  });
  return text.text_of(component_, -1);
}

}  // namespace sculpt::core
