#include "structure_record.hpp"

#include <algorithm>
#include <sculpt/cpp/ascii.hpp>

namespace rna {

namespace {

constexpr std::string_view ambiguous_letters = "NRYSWKMBDHV";

std::size_t letter_number(char c) {
  const char upper = sculpt::to_upper(c);
  return letter_names.find(upper == 'T' ? 'U' : upper);
}

bool is_ambiguous(char c) {
  return ambiguous_letters.find(sculpt::to_upper(c)) != std::string_view::npos;
}

}  // namespace

Letter read_letter(const sculpt::LineReader& reader, char c, std::int64_t line, std::size_t column,
                   const AcceptedRecords& accepted) {
  const std::size_t number = letter_number(c);
  if (number < known_letters) return static_cast<Letter>(number);
  const std::string quoted = sculpt::shown(std::string_view(&c, 1));
  if (std::string_view(".-~_").find(c) != std::string_view::npos) {
    throw reader.error_at(line, column,
                          quoted +
                              " is a gap of an alignment; remove the gaps from the sequence, and "
                              "the same columns from its structure");
  }
  if (!is_ambiguous(c)) {
    throw reader.error_at(line, column,
                          quoted + " is not a letter of RNA; write A, C, G or U (T counts as U)");
  }
  if (!accepted.has_ambiguous) {
    throw reader.error_at(line, column,
                          quoted +
                              " stands for several letters; remove the sequence, or set "
                              "ambiguous to single, so that it pairs with none");
  }
  return known_letters;
}

bool is_sequence(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return letter_number(c) < known_letters || is_ambiguous(c);
  });
}

}  // namespace rna
