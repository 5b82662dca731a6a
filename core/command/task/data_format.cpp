#include "command/task/data_format.hpp"

#include <regex.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/failure.hpp"
#include "base/file/source_reader.hpp"
#include "base/text/message_text.hpp"
#include "base/text/shell_word.hpp"
#include "base/text/utf16.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Formats = std::vector<const TaskFormat*>;

constexpr std::size_t line_count = 100;
constexpr std::size_t max_first_line_bytes = 4096;

// A regular expression of POSIX. It needs no stack that grows with the text, as std::regex does.
class LinePattern {
 public:
  explicit LinePattern(const std::string& text) {
    if (::regcomp(&pattern_, text.c_str(), REG_EXTENDED | REG_NOSUB) == 0) return;
    throw Failure(Exit::internal, "the pattern " + text + " of a task is no regular expression");
  }
  LinePattern(const LinePattern&) = delete;
  LinePattern& operator=(const LinePattern&) = delete;
  ~LinePattern() { ::regfree(&pattern_); }

  bool matches(const DataLine& line) const {
    return ::regexec(&pattern_, line.text.c_str(), 0, nullptr, 0) == 0;
  }
  std::size_t count_matches(const std::vector<DataLine>& lines) const {
    return static_cast<std::size_t>(std::count_if(
        lines.begin(), lines.end(), [this](const DataLine& line) { return matches(line); }));
  }

 private:
  regex_t pattern_;
};

std::string dataset_name(const TaskFormat& format) {
  return format.dataset_key("use").get<std::string>();
}

// "dataset.mode" -> "mode"; "dataset" -> "use"; nothing for other keys.
std::optional<std::string> dataset_key_of(const Override& change) {
  if (change.key() == "dataset") return "use";
  if (!change.key().starts_with("dataset.")) return std::nullopt;
  return change.key().substr(std::string_view("dataset.").size());
}

// The formats with the values of the overrides. An override with a value that no format has decides
// nothing, but the names of datasets do: then the first format is changed.
Formats formats_for(const Task& task, const std::vector<Override>& overrides) {
  Formats formats;
  for (const TaskFormat& format : task.formats) formats.push_back(&format);
  for (const Override& change : overrides) {
    const auto key = dataset_key_of(change);
    if (!key) continue;
    Json value = change.value();
    if (value.is_object()) value = value.value("use", Json());
    Formats equal;
    for (const TaskFormat* format : formats) {
      if (!value.is_null() && format->dataset_key(*key) == value) equal.push_back(format);
    }
    if (equal.empty() && *key == "use") equal.push_back(formats.front());
    if (!equal.empty()) formats = equal;
  }
  return formats;
}

// How to choose this format among others: "--set dataset.mode=values".
std::string choice_text(const TaskFormat& chosen, const Formats& others) {
  for (const auto& item : chosen.sections.at("dataset").items()) {
    const std::string& key = item.key();
    const Json& value = item.value();
    const bool differs = std::all_of(others.begin(), others.end(), [&](const TaskFormat* other) {
      return other == &chosen || other->dataset_key(key) != value;
    });
    if (!differs || !value.is_string()) continue;
    return "--set dataset." + key + "=" + shell_word(value.get<std::string>());
  }
  return "--set dataset.use=" + dataset_name(chosen);
}

[[noreturn]] void refuse_unclear(const Task& task, const std::string& path, const Formats& best) {
  std::string advice;
  for (const TaskFormat* format : best) {
    advice += "\n  " + choice_text(*format, best) + ": " + format->name;
  }
  throw Failure(Exit::data,
                path + ": its first lines fit several formats of the task " + task.name +
                    "; add one of these options:",
                advice);
}

// "data of --task ranking": the tasks that have a format that nearly all lines match; "": none.
std::string other_tasks(const Task& task, const std::vector<DataLine>& lines) {
  std::vector<std::string> others;
  for (const Task& other : tasks()) {
    if (other.name == task.name) continue;
    const bool fits =
        std::any_of(other.formats.begin(), other.formats.end(), [&](const TaskFormat& format) {
          return LinePattern(format.begins).matches(lines.front()) &&
                 LinePattern(format.lines).count_matches(lines) * 10 >= lines.size() * 9;
        });
    if (fits) others.push_back("--task " + other.name);
  }
  return others.empty() ? "" : "data of " + joined(others, " or ");
}

// What the lines look like: a table, or data of other tasks; "": not known. Patterns of labels
// match tables as well, so tables come first.
std::string likeness(const Task& task, const std::vector<DataLine>& lines) {
  const std::string table = table_kind(lines);
  return table.empty() ? other_tasks(task, lines) : table;
}

// The first line that none of the formats matches.
const DataLine& unfit_line(const Formats& formats, const std::vector<DataLine>& lines) {
  const auto fits = [&](const DataLine& line) {
    return std::any_of(formats.begin(), formats.end(), [&](const TaskFormat* format) {
      return LinePattern(format->lines).matches(line);
    });
  };
  const auto unfit = std::find_if_not(lines.begin(), lines.end(), fits);
  return unfit == lines.end() ? lines.front() : *unfit;
}

[[noreturn]] void refuse_unknown(const Task& task, const std::string& path, const Formats& formats,
                                 const std::vector<DataLine>& lines) {
  constexpr std::size_t max_quoted = 40;
  std::string advice;
  for (const TaskFormat* format : formats) advice += "\n  " + format->name;
  const std::string no_format = "no format of the task " + task.name;
  const std::string remedy =
      "; bring the data into one of these formats, or name another dataset by --set "
      "dataset.use=NAME:";
  if (const std::optional<RowFault> fault = fault_of_rows(lines)) {
    throw Failure(Exit::data,
                  path + ":" + std::to_string(fault->line) + ": " + fault->text + remedy, advice);
  }
  const std::string like = likeness(task, lines);
  if (!like.empty()) {
    throw Failure(Exit::data,
                  path + ": its first lines fit " + no_format + "; they look like " + like + remedy,
                  advice);
  }
  const DataLine& unfit = unfit_line(formats, lines);
  const std::string text =
      unfit.text.size() <= max_quoted ? unfit.text : unfit.text.substr(0, max_quoted) + "...";
  throw Failure(Exit::data,
                path + ":" + std::to_string(unfit.number) + ": the line '" + text + "' fits " +
                    no_format + ", as most of the first lines" + remedy,
                advice);
}

}  // namespace

std::vector<DataLine> first_lines(const std::string& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (path == "-" || fs::is_fifo(status) || fs::is_character_file(status)) {
    throw Failure(Exit::usage, path +
                                   ": --task reads the training data several times, and a pipe "
                                   "can be read only once; write the data to a file");
  }
  SourceReader reader(unpacked(open_file_bytes(path), path));
  std::vector<DataLine> lines;
  while (lines.size() < line_count) {
    const auto line = reader.next_line();
    if (!line) break;
    if (reader.line_number() == 1 && is_utf16(*line)) {
      throw Failure(Exit::data, path + ":1:1: " + utf16_message);
    }
    if (line->find_first_not_of(" \t") == std::string_view::npos) continue;
    lines.push_back({reader.line_number(), std::string(line->substr(0, max_first_line_bytes))});
  }
  if (lines.empty()) throw Failure(Exit::data, path + ": is empty; name a file with examples");
  return lines;
}

const TaskFormat& recognized_format(const Task& task, const std::vector<Override>& overrides,
                                    const std::string& path, const std::vector<DataLine>& lines) {
  const Formats formats = formats_for(task, overrides);
  if (formats.size() == 1) return *formats.front();
  Formats best;
  std::size_t most = lines.size() / 2 + 1;
  for (const TaskFormat* format : formats) {
    const std::size_t count = LinePattern(format->lines).count_matches(lines);
    if (count < most) continue;
    if (count > most) best.clear();
    best.push_back(format);
    most = count;
  }
  const auto specific = std::find_if(best.begin(), best.end(),
                                     [](const TaskFormat* one) { return one->is_specific; });
  if (specific != best.end()) return **specific;
  if (best.size() == 1) return *best.front();
  const bool is_described =
      std::any_of(overrides.begin(), overrides.end(),
                  [](const Override& change) { return dataset_key_of(change).has_value(); });
  if (best.empty() && is_described) return *formats.front();
  if (best.empty()) refuse_unknown(task, path, formats, lines);
  refuse_unclear(task, path, best);
}

std::string other_format_text(const Task& task, const TaskFormat& format,
                              const std::vector<Override>& overrides,
                              const std::vector<DataLine>& lines) {
  const bool names_dataset =
      std::any_of(overrides.begin(), overrides.end(),
                  [](const Override& change) { return dataset_key_of(change) == "use"; });
  const bool fits = LinePattern(format.lines).count_matches(lines) * 2 > lines.size();
  const std::string table = table_kind(lines);
  if (names_dataset || (fits && table.empty())) return "";
  const std::string like = likeness(task, lines);
  return like.empty() ? "" : "; the first lines look like " + like;
}

}  // namespace sculpt::core
