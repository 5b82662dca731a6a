// dictionary.hpp - texts and their numbers, in the order in which they were added.
//
// Holds the labels and the attributes of the dataset conll: hundreds of thousands of texts, so all
// of them lie in one string, at 8 bytes a text besides the text itself and its slots.
#pragma once

#include <sculpt/cpp/state.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

class Dictionary {
 public:
  std::int64_t size() const { return static_cast<std::int64_t>(from_.size()) - 1; }
  // The number of `text`, from 0; -1 when it is not there.
  std::int32_t find(std::string_view text) const;
  // The same; adds it where it is not there. Throws Error beyond 2^31 - 1 texts.
  std::int32_t add(std::string_view text);
  // Requires 0 <= number < size(). The view lives until the next add().
  std::string_view text(std::int64_t number) const;

  // Gives back what growing left over.
  void shrink();

  void save(sculpt::StateWriter& writer) const;
  void restore(sculpt::StateReader& reader);  // requires an empty one

 private:
  // Where `text` stands in slots_, or the free slot where it belongs.
  std::size_t slot_of(std::string_view text) const;
  void grow_slots();

  std::string texts_;                    // one behind the other
  std::vector<std::size_t> from_ = {0};  // [size + 1] into texts_
  std::vector<std::int32_t> slots_;      // open addressing, a power of two of them; -1 is free
};
