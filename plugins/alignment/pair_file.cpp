#include "pair_file.hpp"

#include <sculpt/cpp/ascii.hpp>

#include "path.hpp"

namespace alignment {
namespace {

// Appends a line to the current row.
void add_line(sculpt::LineReader& reader, Row& row) {
  const std::vector<sculpt::Field>& fields = reader.fields();
  if (fields.size() > 1) {
    throw reader.error(fields[1].column, "a row has no blanks inside; write a gap as -");
  }
  if (!row.tracks.empty() || !row.profile.empty()) {
    throw reader.error(fields[0].column,
                       "all letters of a row stand before its tracks and its profile");
  }
  const sculpt::Field line = fields.front();
  for (std::size_t k = 0; k < line.text.size(); ++k) {
    const char c = line.text[k];
    if (sculpt::is_letter(c) || c == gap) continue;
    const std::string found =
        sculpt::shown(line.text.substr(k, sculpt::character_size(line.text.substr(k))));
    throw reader.error(line.column + k, found + " is neither a letter nor a gap; write gaps as -");
  }
  row.add(line, reader.number());
}

// Sets whether the rows are aligned. Throws if they are neither aligned nor unaligned.
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

RowBlock block_of(std::vector<Row>& rows, const sculpt::LineReader& reader) {
  if (rows.size() == 1) {
    throw reader.error_at(rows.front().name, 0,
                          "this row has no other one to be aligned with; write both of a pair, "
                          "then a blank line");
  }
  RowBlock block{{std::move(rows[0]), std::move(rows[1]), false}, {}};
  finish(block.pair, reader);
  for (std::size_t k = 2; k < rows.size(); ++k) {
    const std::size_t place = rows[k].text.find(gap);
    if (place != std::string::npos) {
      throw error_in(rows[k], place,
                     "a decoy is aligned with nothing and has no gaps; take them out, or put a "
                     "blank line between two pairs",
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
      throw reader.error_at(rows.back().name, 0,
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
    } else if (reader.line().starts_with('>')) {
      end_row();
      rows.emplace_back();
      rows.back().name = reader.number();
    } else if (rows.empty()) {
      throw reader.error(0, "a row begins with a line for its name, such as >a");
    } else if (!annotations.add_line(reader, rows.back())) {
      add_line(reader, rows.back());
    }
  }
  end_block();
  return blocks;
}

}  // namespace alignment
