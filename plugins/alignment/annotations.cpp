#include "annotations.hpp"

#include <algorithm>
#include <cmath>

#include "path.hpp"
#include "track_symbols.hpp"

namespace alignment {
namespace {

// A limit: scores are products of two of these numbers and a weight, summed over an alignment.
constexpr double max_profile_number = 1e6;

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
                           " is not a symbol of a track; write a visible ASCII character");
  }
}

void check_length(const Row& row, std::size_t track, const std::string& name,
                  const sculpt::LineReader& reader) {
  const PlacedText& symbols = row.tracks[track];
  const std::size_t letter_count = row.letter_count();
  if (symbols.text.size() == letter_count) return;
  std::string what = "the track '" + name + "' has " + std::to_string(symbols.text.size()) +
                     " symbols for " + std::to_string(letter_count) + " letters; ";
  what += symbols.text.size() == row.text.size()
              ? "remove the symbols of its gaps"
              : "write one symbol for each letter, none for gaps";
  throw error_in(symbols, std::min(symbols.text.size(), letter_count), what, reader);
}

}  // namespace

sculpt::Error error_in(const PlacedText& text, std::size_t character, const std::string& what,
                       const sculpt::LineReader& reader) {
  PlacedText::Line line = text.lines.front();
  for (const PlacedText::Line& next : text.lines) {
    if (next.begin <= character) line = next;
  }
  return reader.error_at(line.number, line.column + character - line.begin, what);
}

std::size_t Row::letter_count() const {
  return text.size() - static_cast<std::size_t>(std::count(text.begin(), text.end(), gap));
}

bool Annotations::add_line(sculpt::LineReader& reader, Row& row) const {
  const char first = reader.fields().front().text.front();
  if (first != '=' && first != '@') return false;
  if (row.text.empty()) {
    throw reader.error(0, "this row has no letters yet; write them between its name and this line");
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
                       "this line belongs to a track, but no tracks are declared; name them in the "
                       "parameter `tracks`, or remove the line");
  }
  const auto found = std::find(tracks.begin(), tracks.end(), name);
  if (found == tracks.end()) {
    throw reader.error(fields[0].column,
                       sculpt::shown(name) +
                           " is not a track of the parameter `tracks`, which has " +
                           listed(tracks) + "; add it, or remove the line");
  }
  const auto track = static_cast<std::size_t>(found - tracks.begin());
  if (track + 1 < row.tracks.size()) {
    throw reader.error(
        fields[0].column,
        "the track '" + name + "' occurs twice; write all its lines one after the other");
  }
  if (track > row.tracks.size()) {
    throw reader.error(fields[0].column, "the track '" + tracks[row.tracks.size()] +
                                             "' comes before '" + name +
                                             "'; write them in the order of the parameter "
                                             "`tracks`");
  }
  if (fields.size() != 2) {
    throw reader.error(fields.size() < 2 ? fields[0].column : fields[2].column,
                       "a line of a track is its name, a blank and its symbols; write no blanks "
                       "between the symbols");
  }
  check_symbols(reader, fields[1]);
  if (track == row.tracks.size()) row.tracks.emplace_back();
  row.tracks[track].add(fields[1], reader.number());
}

void Annotations::add_numbers(sculpt::LineReader& reader, Row& row) const {
  const std::vector<sculpt::Field>& fields = reader.fields();
  if (profile == 0) {
    throw reader.error(fields[0].column,
                       "this line belongs to a profile, but no profiles are declared; set the "
                       "parameter `profile` to how many numbers a letter has, or remove the line");
  }
  if (fields[0].text != "@") {
    throw reader.error(fields[0].column + 1, "the @ of a profile has no blank after it; write one");
  }
  const auto columns = static_cast<std::size_t>(profile);
  if (fields.size() != columns + 1) {
    throw reader.error(fields.size() > columns + 1 ? fields[columns + 1].column : fields[0].column,
                       "this line of a profile must have " + std::to_string(columns) +
                           " numbers, as the parameter `profile` sets, not " +
                           std::to_string(fields.size() - 1));
  }
  if (row.profile.size() == row.letter_count() * columns) {
    throw reader.error(fields[0].column, "the row has " + std::to_string(row.letter_count()) +
                                             " letters, but this is one more line of its "
                                             "profile; write a line for each letter, none for "
                                             "gaps");
  }
  for (std::size_t k = 1; k <= columns; ++k) {
    const double value = reader.real(fields[k], "a number of a profile");
    if (std::abs(value) > max_profile_number) {
      throw reader.error(fields[k].column, sculpt::shown(fields[k].text) +
                                               " is out of range for a profile, -1e6 to 1e6; "
                                               "scale the numbers down");
    }
    row.profile.push_back(value);
  }
  row.profile_line = reader.number();
}

void Annotations::check(const Row& row, const sculpt::LineReader& reader) const {
  if (row.tracks.size() < tracks.size() && row.letter_count() > 0) {
    throw reader.error_at(row.name_line, 0,
                          "this row lacks the track '" + tracks[row.tracks.size()] +
                              "'; write it after the letters, as in =" + tracks[row.tracks.size()] +
                              " ??, with ? for each letter whose symbol is unknown");
  }
  for (std::size_t track = 0; track < row.tracks.size(); ++track) {
    check_length(row, track, tracks[track], reader);
  }
  const std::size_t lines =
      profile == 0 ? 0 : row.profile.size() / static_cast<std::size_t>(profile);
  if (lines > 0 && lines != row.letter_count()) {
    throw reader.error_at(row.profile_line, 0,
                          "the profile ends here, after " + std::to_string(lines) + " of " +
                              std::to_string(row.letter_count()) +
                              " letters; write a line for each letter, none for gaps");
  }
}

}  // namespace alignment
