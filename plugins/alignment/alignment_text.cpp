#include "alignment_text.hpp"

#include <algorithm>
#include <charconv>
#include <sculpt/cpp/ascii.hpp>

namespace alignment {
namespace {

// A row of an output as text: where it begins, from 0, and its letters and gaps.
struct RowText {
  std::int64_t begin = 0;
  std::string_view row;
};

// Reads "AC-GT" or "3:C-GT". `name`: 'a' or 'b', for messages.
RowText read_row(std::string_view text, const Sequence& sequence, char name) {
  RowText result{0, text};
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + colon, result.begin);
    if (error != std::errc() || end != text.data() + colon || result.begin < 1 ||
        result.begin > sequence.length()) {
      const std::string length = std::to_string(sequence.length());
      throw sculpt::data_error(sculpt::shown(text.substr(0, colon)) +
                               " is not the number of a letter of row " + name + ", which has " +
                               length + " letters; write a number from 1 to " + length);
    }
    --result.begin;
    result.row = text.substr(colon + 1);
  }
  std::int64_t i = result.begin;
  for (const char c : result.row) {
    if (c == gap) continue;
    if (i >= sequence.length() || sculpt::to_upper(sequence.at(i)) != sculpt::to_upper(c)) {
      throw sculpt::data_error("row " + std::string(1, name) +
                               " differs from its sequence from letter " + std::to_string(i + 1) +
                               " on; write the letters of the sequence");
    }
    ++i;
  }
  return result;
}

}  // namespace

void format_alignment(const SequencePair& pair, sculpt::Labels y, sculpt::ByteOutput& out) {
  std::string a;
  std::string b;
  const bool valid = visit_moves(y, pair.a.length(), pair.b.length(),
                                 [&](Move move, std::int64_t i, std::int64_t j) {
                                   a += move == b_only ? gap : pair.a.at(i);
                                   b += move == a_only ? gap : pair.b.at(j);
                                 });
  if (!valid) throw not_an_alignment(pair.a.length(), pair.b.length());
  if (y.empty()) {
    out << "-";
  } else if (y[0] == 0 && y[1] == 0) {
    out << a << " " << b;
  } else {
    out << y[0] + std::int64_t{1} << ":" << a << " " << y[1] + std::int64_t{1} << ":" << b;
  }
}

void format_rows(const SequencePair& pair, sculpt::Labels y, sculpt::ByteOutput& out) {
  std::string a;
  std::string b;
  std::size_t i = 0;  // letters written so far
  std::size_t j = 0;
  const auto write_until = [&](std::size_t end_a, std::size_t end_b) {
    a.append(pair.a.text, i, end_a - i).append(end_b - j, gap);
    b.append(end_a - i, gap).append(pair.b.text, j, end_b - j);
    i = end_a;
    j = end_b;
  };
  if (y.known() && y.size() >= 2) {
    const auto begin = [](std::int32_t number, const Sequence& sequence) {
      return static_cast<std::size_t>(std::clamp<std::int64_t>(number, 0, sequence.length()));
    };
    write_until(begin(y[0], pair.a), begin(y[1], pair.b));
  }
  const bool valid =
      visit_moves(y, pair.a.length(), pair.b.length(), [&](Move move, std::int64_t, std::int64_t) {
        a += move == b_only ? gap : pair.a.text[i++];
        b += move == a_only ? gap : pair.b.text[j++];
      });
  if (!valid) throw not_an_alignment(pair.a.length(), pair.b.length());
  write_until(pair.a.text.size(), pair.b.text.size());
  out << ">" << pair.a.name << "\n" << a << "\n>" << pair.b.name << "\n" << b << "\n";
}

void parse_alignment(const SequencePair& pair, std::string_view text,
                     std::vector<std::int32_t>& y) {
  if (text == "-") return;
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos) {
    throw sculpt::data_error(sculpt::shown(text) +
                             " is not an alignment; write both rows with a blank between them, " +
                             "as in AC-G ACCG, or - if nothing is aligned");
  }
  const RowText a = read_row(text.substr(0, blank), pair.a, 'a');
  const RowText b = read_row(text.substr(blank + 1), pair.b, 'b');
  if (a.row.size() != b.row.size() || a.row.empty()) {
    throw sculpt::data_error(
        "the rows have " + std::to_string(a.row.size()) + " and " + std::to_string(b.row.size()) +
        " characters, but the rows of an alignment must be equally long; " + "write a gap as -");
  }
  y.push_back(static_cast<std::int32_t>(a.begin));
  y.push_back(static_cast<std::int32_t>(b.begin));
  for (std::size_t k = 0; k < a.row.size(); ++k) {
    if (a.row[k] == gap && b.row[k] == gap) {
      throw sculpt::data_error("both rows have a gap in column " + std::to_string(k + 1) +
                               "; remove it from both");
    }
    y.push_back(b.row[k] == gap ? a_only : a.row[k] == gap ? b_only : both);
  }
}

}  // namespace alignment
