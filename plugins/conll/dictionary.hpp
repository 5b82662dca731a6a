// dictionary.hpp - texts and their numbers, in the order of add().
//
// Used by label_set.hpp and attributes.hpp, often with hundreds of thousands of texts. One string
// holds all texts. A text takes 8 bytes in addition to its characters and its slots.
#pragma once

#include <sculpt/cpp/state.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

class Dictionary {
 public:
  std::int64_t size() const { return static_cast<std::int64_t>(from_.size()) - 1; }
  // Returns the number of `text`, from 0, or -1 if it is missing.
  std::int32_t find(std::string_view text) const;
  // The same, but adds a missing text. Throws Error above 2^31 - 1 texts.
  std::int32_t add(std::string_view text);
  // Requires 0 <= number < size(). The view is valid until the next add().
  std::string_view text(std::int64_t number) const;

  // Frees unused capacity.
  void shrink();

  void save(sculpt::StateWriter& writer) const;
  void restore(sculpt::StateReader& reader);  // requires an empty dictionary

 private:
  // Returns the slot of the text `key`, or the free slot where it belongs.
  std::size_t slot_of(std::string_view key) const;
  void grow_slots();

  std::string texts_;                    // All texts, concatenated.
  std::vector<std::size_t> from_ = {0};  // Offsets into texts_, [size + 1].
  std::vector<std::int32_t> slots_;      // Open addressing; the size is a power of two, -1 is free.
};
