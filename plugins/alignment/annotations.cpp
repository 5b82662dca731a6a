#include "annotations.hpp"

#include <algorithm>
#include <cmath>

#include "path.hpp"
#include "track_symbols.hpp"

namespace alignment {
namespace {

// A limit: scores are products of two of these numbers and a weight, summed over an alignment.
constexpr double largest_number = 1e6;

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void check_symbols(const sculpt::LineReader& reader, sculpt::Field symbols) {
  for (std::size_t k = 0; k < symbols.text.size(); ++k) {
    if (TrackSymbols::is_symbol(symbols.text[k])) continue;
    const std::string_view rest = symbols.text.substr(k);
    throw reader.error(symbols.column + k,
                       sculpt::shown(rest.substr(0, sculpt::character_size(rest))) +
                           " is no symbol of a track; take a visible character of ASCII");
  }
}

void check_length(const Row& row, std::size_t track, const std::string& name,
                  const sculpt::LineReader& reader) {
  const PlacedText& symbols = row.tracks[track];
  const std::size_t letters = row.letters();
  if (symbols.text.size() == letters) return;
  std::string what = "the track '" + name + "' has " + std::to_string(symbols.text.size()) +
                     " symbols for " + std::to_string(letters) + " letters; ";
  what += symbols.text.size() == row.text.size() ? "take those of its gaps out"
                                                 : "write one for each letter, none for gaps";
  throw error_in(symbols, std::min(symbols.text.size(), letters), what, reader);
}

}  // namespace

sculpt::Error error_in(const PlacedText& text, std::size_t character, const std::string& what,
                       const sculpt::LineReader& reader) {
  PlacedText::Piece at = text.pieces.front();
  for (const PlacedText::Piece& piece : text.pieces) {
    if (piece.from <= character) at = piece;
  }
  return reader.error_at(at.line, at.column + character - at.from, what);
}

std::size_t Row::letters() const {
  return text.size() - static_cast<std::size_t>(std::count(text.begin(), text.end(), gap));
}

bool Annotations::add_line(sculpt::LineReader& reader, Row& row) const {
  const char first = reader.fields().front().text.front();
  if (first != '=' && first != '@') return false;
  if (row.text.empty()) {
    throw reader.error(0, "a row begins with its letters; write them between its name and this");
  }
  if (first == '=') {
    add_symbols(reader, row);
  } else {
    add_numbers(reader, row);
  }
  return true;
}

void Annotations::add_symbols(sculpt::LineReader& reader, Row& row) const {
  const std::vector<sculpt::Field>& fields = reader.fields();
  const std::string name(fields[0].text.substr(1));
  if (tracks.empty()) {
    throw reader.error(fields[0].column,
                       "this is a line of a track; name the tracks of the rows in the parameter "
                       "`tracks`, or take the line out");
  }
  const auto found = std::find(tracks.begin(), tracks.end(), name);
  if (found == tracks.end()) {
    throw reader.error(fields[0].column, sculpt::shown(name) +
                                             " is no track of the parameter `tracks`, which has " +
                                             listed(tracks) + "; add it, or take the line out");
  }
  const auto track = static_cast<std::size_t>(found - tracks.begin());
  if (track + 1 < row.tracks.size()) {
    throw reader.error(
        fields[0].column,
        "the track '" + name + "' is here twice; write all its lines one after the other");
  }
  if (track > row.tracks.size()) {
    throw reader.error(fields[0].column, "the track '" + tracks[row.tracks.size()] +
                                             "' comes before '" + name +
                                             "'; write them in the order of the parameter "
                                             "`tracks`");
  }
  if (fields.size() != 2) {
    throw reader.error(fields.size() < 2 ? fields[0].column : fields[2].column,
                       "behind the name of a track stand its symbols, without blanks between "
                       "them");
  }
  check_symbols(reader, fields[1]);
  if (track == row.tracks.size()) row.tracks.emplace_back();
  row.tracks[track].add(fields[1], reader.number());
}

void Annotations::add_numbers(sculpt::LineReader& reader, Row& row) const {
  const std::vector<sculpt::Field>& fields = reader.fields();
  if (profile == 0) {
    throw reader.error(fields[0].column,
                       "this is a line of a profile; set the parameter `profile` to how many "
                       "numbers a letter has, or take the line out");
  }
  if (fields[0].text != "@") {
    throw reader.error(fields[0].column + 1, "a blank stands behind the @ of a profile");
  }
  const auto columns = static_cast<std::size_t>(profile);
  if (fields.size() != columns + 1) {
    throw reader.error(fields.size() > columns + 1 ? fields[columns + 1].column : fields[0].column,
                       "a line of a profile has " + std::to_string(columns) +
                           " numbers, as the parameter `profile` says, this one has " +
                           std::to_string(fields.size() - 1));
  }
  if (row.profile.size() == row.letters() * columns) {
    throw reader.error(fields[0].column, "the row has " + std::to_string(row.letters()) +
                                             " letters, and this line of its profile is for one "
                                             "more; write a line for each letter, none for gaps");
  }
  for (std::size_t k = 1; k <= columns; ++k) {
    const double value = reader.real(fields[k], "a number of a profile");
    if (std::abs(value) > largest_number) {
      throw reader.error(fields[k].column, sculpt::shown(fields[k].text) +
                                               " is beyond what profiles may have, from -1e6 to "
                                               "1e6; scale them down");
    }
    row.profile.push_back(value);
  }
  row.profile_line = reader.number();
}

void Annotations::check(const Row& row, const sculpt::LineReader& reader) const {
  if (row.tracks.size() < tracks.size() && row.letters() > 0) {
    throw reader.error_at(
        row.name, 0,
        "this row lacks the track '" + tracks[row.tracks.size()] +
            "'; write it behind the letters, as in =" + tracks[row.tracks.size()] +
            " ??, or ? for each letter where nothing "
            "is known");
  }
  for (std::size_t track = 0; track < row.tracks.size(); ++track) {
    check_length(row, track, tracks[track], reader);
  }
  const std::size_t lines =
      profile == 0 ? 0 : row.profile.size() / static_cast<std::size_t>(profile);
  if (lines > 0 && lines != row.letters()) {
    throw reader.error_at(row.profile_line, 0,
                          "the profile ends here, behind " + std::to_string(lines) + " of " +
                              std::to_string(row.letters()) +
                              " letters; write a line for each letter, none for gaps");
  }
}

}  // namespace alignment
