#include "pair_file.hpp"

#include <algorithm>
#include <sculpt/cpp/ascii.hpp>

#include "alphabet.hpp"
#include "path.hpp"

namespace alignment {
namespace {

// `text` begins with the character that is no letter.
sculpt::Error not_a_letter(const sculpt::LineReader& reader, std::size_t column,
                           std::string_view text) {
  const char c = text.front();
  const std::string advice =
      sculpt::is_digit(c)    ? "remove numbers from rows"
      : c == '?'             ? "write X or N for an unknown letter, if the alphabet has it"
      : c == '~' || c == '_' ? "write gaps as - or ."
                             : "a row has letters, * for the end of a protein, and - or . "
                               "for gaps; remove everything else";
  return reader.error(column, sculpt::shown(text.substr(0, sculpt::character_size(text))) +
                                  " is neither a letter nor a gap; " + advice);
}

// Appends a line to the current row.
void add_line(sculpt::LineReader& reader, Row& row) {
  const std::vector<sculpt::Field>& fields = reader.fields();
  if (fields.size() > 1) {
    throw reader.error(fields[1].column,
                       "there is a blank inside a row; remove it, or write - for a gap");
  }
  if (!row.tracks.empty() || !row.profile.empty()) {
    throw reader.error(fields[0].column,
                       "letters come after a track or a profile of their row; write all letters "
                       "before them");
  }
  const sculpt::Field line = fields.front();
  std::string letters(line.text);
  std::replace(letters.begin(), letters.end(), '.', gap);  // as HMMER and A2M write some gaps
  for (std::size_t k = 0; k < letters.size(); ++k) {
    if (!is_sequence_letter(letters[k]) && letters[k] != gap) {
      throw not_a_letter(reader, line.column + k, line.text.substr(k));
    }
  }
  row.add({letters, line.column}, reader.number());
}

// Sets whether the rows are aligned. Throws if they are neither aligned nor unaligned.
void set_aligned(RowPair& pair, const sculpt::LineReader& reader) {
  const std::string& a = pair.a.text;
  const std::string& b = pair.b.text;
  pair.is_aligned = a.size() == b.size();
  if (!pair.is_aligned && (a.find(gap) != std::string::npos || b.find(gap) != std::string::npos)) {
    const std::string sizes = std::to_string(a.size()) + " and " + std::to_string(b.size());
    const bool a_longer = a.size() > b.size();
    throw error_in(a_longer ? pair.a : pair.b, std::min(a.size(), b.size()),
                   "the rows have " + sizes +
                       " characters, but the rows of an alignment must be equally long; fill the "
                       "shorter one with gaps, or remove all gaps from both",
                   reader);
  }
  for (std::size_t k = 0; pair.is_aligned && k < a.size(); ++k) {
    if (a[k] != gap || b[k] != gap) continue;
    throw error_in(pair.b, k, "both rows have a gap here; remove it from both", reader);
  }
}

// Returns the block of these rows, which it moves out of. Throws if they are not a pair and decoys.
RowBlock block_of(std::vector<Row>& rows, const sculpt::LineReader& reader) {
  if (rows.size() == 1) {
    throw reader.error_at(rows.front().name_line, 0,
                          "this row has no second row to align with; write both rows of a pair, "
                          "then a blank line");
  }
  RowBlock block{{std::move(rows[0]), std::move(rows[1]), false}, {}};
  set_aligned(block.pair, reader);
  for (std::size_t k = 2; k < rows.size(); ++k) {
    const std::size_t gap_index = rows[k].text.find(gap);
    if (gap_index != std::string::npos) {
      throw error_in(rows[k], gap_index,
                     "this row is a decoy, which must have no gaps; remove them, or put a blank "
                     "line between two pairs",
                     reader);
    }
    block.decoys.push_back(std::move(rows[k]));
  }
  return block;
}

}  // namespace

std::vector<RowBlock> read_blocks(sculpt::LineReader& reader, const Annotations& annotations) {
  std::vector<RowBlock> blocks;
  std::vector<Row> rows;  // of the current block
  const auto end_row = [&] {
    if (rows.empty()) return;
    if (rows.back().text.empty()) {
      throw reader.error_at(rows.back().name_line, 0,
                            "no row follows this name; write its letters on the next line");
    }
    annotations.check(rows.back(), reader);
  };
  const auto end_block = [&] {
    end_row();
    if (!rows.empty()) blocks.push_back(block_of(rows, reader));
    rows.clear();
  };
  while (reader.next()) {
    if (reader.fields().empty()) {
      end_block();
    } else if (reader.line().starts_with('#') || reader.line().starts_with(';')) {
      continue;  // a comment
    } else if (reader.line().starts_with('>')) {
      end_row();
      rows.emplace_back();
      rows.back().name_line = reader.number();
      rows.back().name = reader.line().substr(1);
    } else if (rows.empty()) {
      throw reader.error(0, "this row has no name; write a line such as >a before it");
    } else if (!annotations.add_line(reader, rows.back())) {
      add_line(reader, rows.back());
    }
  }
  end_block();
  return blocks;
}

}  // namespace alignment
