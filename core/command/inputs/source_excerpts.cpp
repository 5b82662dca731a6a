#include "command/inputs/source_excerpts.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/file/byte_input.hpp"
#include "base/file/source_reader.hpp"
#include "base/surroundings.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t max_lines = 120;       // of an example
constexpr std::size_t max_line_bytes = 2000;  // of a line
constexpr std::int64_t unknown_line = -1;

// The line of "train.txt:17"; unknown_line if it has none.
std::int64_t line_of(const std::string& place) {
  const std::size_t colon = place.rfind(':');
  if (colon == std::string::npos) return unknown_line;
  std::int64_t line = 0;
  const auto [end, error] =
      std::from_chars(place.data() + colon + 1, place.data() + place.size(), line);
  const bool is_whole = error == std::errc() && end == place.data() + place.size();
  return is_whole && line > 0 ? line : unknown_line;
}

struct Wanted {
  std::int64_t example;
  std::int64_t first;
  std::int64_t end;  // behind the last line; unknown_line: the next empty line, or max_lines
};

// In the order of their lines.
std::vector<Wanted> wanted_lines(const Dataset& dataset, const Range& range,
                                 const std::vector<std::int64_t>& examples) {
  std::vector<Wanted> wanted;
  for (const std::int64_t example : examples) {
    const std::int64_t first = line_of(dataset.place(example));
    if (first == unknown_line) continue;
    const std::int64_t next =
        example + 1 < range.end ? line_of(dataset.place(example + 1)) : unknown_line;
    wanted.push_back({example, first, next > first ? next : unknown_line});
  }
  std::sort(wanted.begin(), wanted.end(),
            [](const Wanted& a, const Wanted& b) { return a.first < b.first; });
  return wanted;
}

std::unique_ptr<ByteInput> open_split(const Split& split) {
  if (split.text) return open_memory_bytes(*split.text);
  return open_file_bytes(split.path, stop_request());
}

}  // namespace

std::map<std::int64_t, SourceExcerpt> source_excerpts(const Dataset& dataset, const Split& split,
                                                      const std::vector<std::int64_t>& examples) {
  std::map<std::int64_t, SourceExcerpt> excerpts;
  const std::vector<Wanted> wanted = wanted_lines(dataset, dataset.split(split.name), examples);
  if (wanted.empty()) return excerpts;
  SourceReader reader(unpacked(open_split(split), split.path));
  std::size_t k = 0;
  while (k < wanted.size()) {
    const std::optional<std::string_view> line = reader.next_line();
    if (!line) break;
    const std::int64_t number = reader.line_number();
    // Several examples may be of one line.
    for (std::size_t other = k; other < wanted.size() && wanted[other].first <= number; ++other) {
      const Wanted& want = wanted[other];
      const bool has_ended =
          want.end == unknown_line ? number > want.first && line->empty() : number >= want.end;
      SourceExcerpt& excerpt = excerpts[want.example];
      if (has_ended || excerpt.is_cut) {
        if (other == k) ++k;
        continue;
      }
      if (number - want.first >= max_lines) {
        excerpt.is_cut = true;
      } else {
        excerpt.lines.emplace_back(line->substr(0, max_line_bytes));
      }
    }
  }
  for (auto& [example, excerpt] : excerpts) {
    while (!excerpt.lines.empty() && excerpt.lines.back().empty()) excerpt.lines.pop_back();
  }
  return excerpts;
}

}  // namespace sculpt::core
