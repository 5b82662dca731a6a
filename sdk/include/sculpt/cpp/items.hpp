// items.hpp - the extension items, for datasets that offer it and losses that use it.
//
// SPDX-License-Identifier: Apache-2.0
//
// A dataset class T has
//   void items(int64_t example, Labels y, std::vector<int64_t>& items) const    in any order
//   int64_t item_of_label(int64_t example, int64_t variable, int32_t state) const      optional
#pragma once

#include <algorithm>
#include <vector>

#include "extensions.hpp"
#include "lent.hpp"

namespace sculpt {

namespace detail {

struct OutputItems
    : Extension<kind_sets::dataset, Methods<method::items>, Methods<method::item_of_label>> {
  template <class T>
  static constexpr auto item_of_label_function() {
    using Function = decltype(sculpt_ext_items::item_of_label);
    if constexpr (offers<method::item_of_label, T>()) {
      return Function{[](const void* self, std::int64_t example, std::int64_t variable,
                         std::int32_t state, std::int64_t* item, sculpt_error* error) {
        return guarded(error, "item_of_label",
                       [&] { *item = object_of<T>(self).item_of_label(example, variable, state); });
      }};
    } else {
      return Function{nullptr};
    }
  }
  template <class T>
  static constexpr sculpt_ext_items table{
      [](const void* self, std::int64_t example, sculpt_labels y, std::int64_t* items,
         std::int64_t capacity, std::int64_t* count, sculpt_error* error) {
        return guarded(error, "items", [&] {
          std::vector<std::int64_t> parts;
          object_of<T>(self).items(example, Labels(y), parts);
          *count = static_cast<std::int64_t>(parts.size());
          if (*count > capacity) return;
          std::sort(parts.begin(), parts.end());
          std::copy(parts.begin(), parts.end(), items);
        });
      },
      item_of_label_function<T>()};
};

}  // namespace detail

// The parts of a dataset's outputs, for a loss that is bound to it.
class Items : public ExtensionRef<sculpt_ext_items> {
 public:
  Items() = default;
  // Throws E_UNSUPPORTED if the dataset does not offer the extension.
  explicit Items(Ref dataset) : ExtensionRef(checked(dataset)) {}

  // Writes the parts of y to `items`, in ascending order.
  void read(std::int64_t example, Labels y, std::vector<std::int64_t>& items) const {
    std::int64_t count = 0;
    items.resize(std::max<std::size_t>(items.capacity(), 16));
    const auto read_items = [&] {
      checked_call([&](sculpt_error* error) {
        return table().items(self(), example, y.raw(), items.data(),
                             static_cast<std::int64_t>(items.size()), &count, error);
      });
    };
    read_items();
    const bool fits = count <= static_cast<std::int64_t>(items.size());
    items.resize(static_cast<std::size_t>(count));
    if (!fits) read_items();
  }

  bool of_labels() const { return table().item_of_label != nullptr; }
  // Returns the part that a label stands for. Requires of_labels().
  std::int64_t of_label(std::int64_t example, std::int64_t variable, std::int32_t state) const {
    std::int64_t item = -1;
    checked_call([&](sculpt_error* error) {
      return table().item_of_label(self(), example, variable, state, &item, error);
    });
    return item;
  }

 private:
  // Returns the dataset, or throws with a text that says what the loss needs it for.
  static Ref checked(Ref dataset) {
    if (!dataset.present() || is_offered_by(dataset)) return dataset;
    throw unsupported_error(
        "counts parts of outputs, such as brackets, pairs, or labels that are on, but outputs of " +
        dataset.id() + " have no such parts");
  }
};

// Returns the number of common parts of two outputs. Both are in ascending order.
inline std::int64_t matched_items(const std::vector<std::int64_t>& a,
                                  const std::vector<std::int64_t>& b) {
  std::int64_t count = 0;
  auto other = b.begin();
  for (const std::int64_t item : a) {
    while (other != b.end() && *other < item) ++other;
    if (other == b.end()) break;
    if (*other == item) ++count, ++other;
  }
  return count;
}

}  // namespace sculpt
