// letters.hpp - the letters of RNA, and which of them pair. Used by dot_bracket.hpp and
// rule_weights.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rna {

// A C G U, and N for all letters that stand for several.
using Letter = std::uint8_t;
inline constexpr std::string_view letter_names = "ACGUN";
inline constexpr Letter known_letters = 4;

// The letters that may pair, numbered: Watson-Crick pairs and G U, or all 16. N pairs with no
// letter.
class PairLetters {
 public:
  explicit PairLetters(bool canonical = true) {
    numbers_.fill(-1);
    for (Letter a = 0; a < known_letters; ++a) {
      for (Letter b = 0; b < known_letters; ++b) {
        const std::string name{letter_names[a], letter_names[b]};
        if (canonical && std::string_view("AU UA CG GC GU UG").find(name) == std::string_view::npos)
          continue;
        numbers_[a * letter_names.size() + b] = static_cast<std::int32_t>(names_.size());
        names_.push_back(name);
      }
    }
  }
  std::int64_t count() const { return static_cast<std::int64_t>(names_.size()); }
  // Returns -1 if the two letters do not pair.
  std::int32_t number(Letter a, Letter b) const { return numbers_[a * letter_names.size() + b]; }
  const std::string& name(std::int64_t number) const {
    return names_[static_cast<std::size_t>(number)];
  }

 private:
  std::array<std::int32_t, 25> numbers_;
  std::vector<std::string> names_;
};

}  // namespace rna
