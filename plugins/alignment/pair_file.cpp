#include "pair_file.hpp"

namespace alignment {
namespace {

constexpr char gap = '-';

// Appends a line to the row under way.
void add_line(sculpt::LineReader& reader, Row& row) {
  const std::vector<sculpt::Field>& fields = reader.fields();
  if (fields.size() > 1) {
    throw reader.error(fields[1].column, "a row has no blanks inside; write a gap as -");
  }
  const sculpt::Field line = fields.front();
  for (std::size_t k = 0; k < line.text.size(); ++k) {
    const char c = line.text[k];
    if (is_letter(c) || c == gap) continue;
    const std::string found =
        sculpt::shown(line.text.substr(k, sculpt::character_size(line.text.substr(k))));
    throw reader.error(line.column + k, found + " is neither a letter nor a gap; write gaps as -");
  }
  row.pieces.push_back({row.text.size(), reader.number(), line.column});
  row.text += line.text;
}

// Whether its rows are aligned; refuses what is neither aligned nor unaligned.
void finish(RowPair& pair, const sculpt::LineReader& reader) {
  const std::string& a = pair.a.text;
  const std::string& b = pair.b.text;
  pair.aligned = a.size() == b.size();
  if (!pair.aligned && (a.find(gap) != std::string::npos || b.find(gap) != std::string::npos)) {
    const std::string sizes = std::to_string(a.size()) + " and " + std::to_string(b.size());
    const bool a_longer = a.size() > b.size();
    throw error_in(a_longer ? pair.a : pair.b, std::min(a.size(), b.size()),
                   "the rows of an alignment are equally long, these are " + sizes +
                       "; fill the shorter one with gaps, or take all gaps out of both",
                   reader);
  }
  for (std::size_t k = 0; pair.aligned && k < a.size(); ++k) {
    if (a[k] != gap || b[k] != gap) continue;
    throw error_in(pair.b, k, "both rows have a gap here; take the column out", reader);
  }
}

}  // namespace

sculpt::Error error_in(const Row& row, std::size_t character, const std::string& what,
                       const sculpt::LineReader& reader) {
  Row::Piece at = row.pieces.front();
  for (const Row::Piece& piece : row.pieces) {
    if (piece.from <= character) at = piece;
  }
  return reader.error_at(at.line, at.column + character - at.from, what);
}

std::vector<RowPair> read_pairs(sculpt::LineReader& reader) {
  std::vector<RowPair> pairs;
  int rows = 0;           // of the pair under way
  std::int64_t name = 0;  // the line of the last name
  Row* row = nullptr;
  const auto end_row = [&] {
    if (row == nullptr || !row->text.empty()) return;
    throw reader.error_at(name, 0, "no row follows this name; write its letters on the next line");
  };
  const auto end_pair = [&] {
    end_row();
    if (rows == 1) {
      throw reader.error_at(name, 0,
                            "this row has no other one to be aligned with; write both of a pair, "
                            "then a blank line");
    }
    if (rows == 2) finish(pairs.back(), reader);
    rows = 0;
    row = nullptr;
  };
  while (reader.next()) {
    if (reader.fields().empty()) {
      end_pair();
    } else if (reader.line().starts_with('>')) {
      end_row();
      if (rows == 2) {
        throw reader.error(0, "this is a third row; put a blank line between two pairs");
      }
      if (rows == 0) pairs.emplace_back();
      row = rows == 0 ? &pairs.back().a : &pairs.back().b;
      ++rows;
      name = reader.number();
    } else if (row == nullptr) {
      throw reader.error(0, "a row begins with a line for its name, such as >a");
    } else {
      add_line(reader, *row);
    }
  }
  end_pair();
  return pairs;
}

}  // namespace alignment
