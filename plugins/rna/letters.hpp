// letters.hpp - the letters of RNA, and which of them pair. Read by dot_bracket.hpp, and what the
// weights of pairs (rule_weights.hpp) are numbered by.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rna {

// A C G U, and N for all that stands for several of them.
using Letter = std::uint8_t;
inline constexpr std::string_view letter_names = "ACGUN";
inline constexpr Letter known_letters = 4;

// The pairs of letters that may pair, numbered: those of Watson and Crick and G U, or all 16. N
// pairs with none.
class PairLetters {
 public:
  explicit PairLetters(bool canonical = true) {
    number_.fill(-1);
    for (Letter a = 0; a < known_letters; ++a) {
      for (Letter b = 0; b < known_letters; ++b) {
        const std::string name{letter_names[a], letter_names[b]};
        if (canonical && std::string_view("AU UA CG GC GU UG").find(name) == std::string_view::npos)
          continue;
        number_[a * letter_names.size() + b] = static_cast<std::int32_t>(names_.size());
        names_.push_back(name);
      }
    }
  }
  std::int64_t count() const { return static_cast<std::int64_t>(names_.size()); }
  // -1: these two do not pair.
  std::int32_t number(Letter a, Letter b) const { return number_[a * letter_names.size() + b]; }
  const std::string& name(std::int64_t number) const {
    return names_[static_cast<std::size_t>(number)];
  }

 private:
  std::array<std::int32_t, 25> number_;
  std::vector<std::string> names_;
};

}  // namespace rna
