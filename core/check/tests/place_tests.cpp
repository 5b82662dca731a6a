// Tests of the places that a dataset names in messages: the line of each example
// (ext/draft/place.h), and the row with the largest index (ext/draft/width.h).
//
// The places are compared with the dataset itself: it reads only the lines before a place.

#include <sculpt/ext/draft/place.h>
#include <sculpt/ext/draft/width.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/text/message_text.hpp"
#include "check/fixture/appended_text.hpp"
#include "check/fixture/known_extensions.hpp"
#include "check/fixture/lone_dataset.hpp"
#include "check/fixture/source_text.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t max_placed_examples = 20000;
constexpr std::size_t max_read_text = 1 << 20;
constexpr std::size_t max_partly_read = 6;  // examples whose lines before them are read alone

struct FileLine {
  std::string file;
  std::int64_t line = 0;  // from 1; 0: the text names no line
};

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number ? std::optional(number) : std::nullopt;
}

// Reads "train.txt:17".
FileLine file_line_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {text, 0};
  const std::optional<std::int64_t> line = whole_number(std::string_view(text).substr(colon + 1));
  if (!line || *line < 1) return {text, 0};
  return {text.substr(0, colon), *line};
}

// Returns the first lines of a text, with their line ends.
std::string lines_before(const std::string& text, std::int64_t line) {
  std::size_t end = 0;
  for (std::int64_t k = 1; k < line && end < text.size(); ++k) {
    const std::size_t next = text.find('\n', end);
    end = next == std::string::npos ? text.size() : next + 1;
  }
  return text.substr(0, end);
}

std::int64_t line_count(const std::string& text) {
  const auto ends = std::count(text.begin(), text.end(), '\n');
  return ends + (text.empty() || text.back() == '\n' ? 0 : 1);
}

// The split "train" and its text, if the dataset reads it alone as the same examples.
class TrainText {
 public:
  explicit TrainText(TestFixture& fixture)
      : fixture_(fixture),
        source_(fixture.factory().sources().front()),
        range_(fixture.problem().dataset().split(source_.split)) {
    const std::optional<std::string> text = text_of(source_, max_read_text + 1);
    if (!text || text->size() > max_read_text) return;
    text_ = *text;
    const std::unique_ptr<LoneDataset> whole = load(text_);
    is_known_ = whole != nullptr && whole->dataset().count() == range_.size();
  }
  bool is_known() const { return is_known_; }
  const std::string& path() const { return source_.path; }
  const std::string& text() const { return text_; }
  Range range() const { return range_; }
  // Returns nullptr if the dataset refuses the text.
  std::unique_ptr<LoneDataset> load(const std::string& text) const {
    return load_text(fixture_.factory(), fixture_.problem().services(), source_, text);
  }

 private:
  TestFixture& fixture_;
  SplitSource source_;
  Range range_;
  std::string text_;
  bool is_known_ = false;
};

std::string place_of(const Component& dataset, std::int64_t example) {
  const auto* const table = answered<sculpt_ext_place>(dataset, SCULPT_EXT_PLACE);
  return appended_text(dataset, "place.place", example,
                       [&](sculpt_byte_buffer* out, sculpt_error* error) {
                         return table->place(dataset.self(), example, out, error);
                       });
}

// The lines before the first line of an example hold the examples before it. Nothing is known if
// the dataset orders its examples, or refuses these lines alone.
void test_lines_before(const Component& dataset, const TrainText& train,
                       const std::vector<std::int64_t>& lines, TestContext& context) {
  const bool are_in_order =
      std::adjacent_find(lines.begin(), lines.end(), std::greater_equal<>()) == lines.end();
  if (!are_in_order) return;
  const std::size_t step = std::max<std::size_t>(1, lines.size() / max_partly_read);
  for (std::size_t k = 0; k < lines.size(); k += step) {
    const std::int64_t example = train.range().begin + static_cast<std::int64_t>(k);
    context.set_activity("reading the lines before example " + std::to_string(example));
    const std::unique_ptr<LoneDataset> before = train.load(lines_before(train.text(), lines[k]));
    if (before == nullptr) continue;
    context.count();
    const std::int64_t count = before->dataset().count();
    if (count == static_cast<std::int64_t>(k)) continue;
    dataset.refuse(Exit::plugin, example,
                   "its place is " + train.path() + ":" + std::to_string(lines[k]) +
                       ", but the lines before hold " + count_text(count, "example") +
                       " of its split, not " + std::to_string(k) +
                       "; name the first line of the example");
  }
}

// A place is a file and its line, or nothing. The line is the first one of the example.
void dataset_place_test(TestFixture& fixture, TestContext& context) {
  const Dataset& data = fixture.problem().dataset();
  const Component& dataset = data.component();
  if (dataset.answered_table(SCULPT_EXT_PLACE) == nullptr) {
    context.skip_not_offered("the places of examples (" SCULPT_EXT_PLACE ")");
  }
  const TrainText train(fixture);
  std::vector<std::int64_t> lines;  // of the examples of train, as long as they are known
  for (std::int64_t example = 0; example < std::min(data.count(), max_placed_examples); ++example) {
    context.set_activity("the place of example " + std::to_string(example));
    context.count();
    const std::string text = place_of(dataset, example);
    const FileLine place = file_line_of(text);
    const bool is_valid = text.empty() || (place.line > 0 && text.find('\n') == std::string::npos);
    if (!is_valid) {
      dataset.refuse(Exit::plugin, example,
                     "its place is \"" + printable(text) +
                         "\"; write the file and the line, such as train.txt:17, or nothing");
    }
    const bool is_of_train = train.is_known() && example >= train.range().begin &&
                             example < train.range().end && place.file == train.path();
    if (!is_of_train) continue;
    if (place.line > line_count(train.text())) {
      dataset.refuse(Exit::plugin, example,
                     "its place is " + text + ", but the file has " +
                         count_text(line_count(train.text()), "line"));
    }
    lines.push_back(place.line);
  }
  if (context.cases() == 0) context.skip("there are no examples");
  if (std::ssize(lines) == train.range().size()) test_lines_before(dataset, train, lines, context);
}

std::string widest_of(const Component& dataset) {
  const auto* const table = answered<sculpt_ext_width>(dataset, SCULPT_EXT_WIDTH);
  return appended_text(dataset, "width.widest", -1,
                       [&](sculpt_byte_buffer* out, sculpt_error* error) {
                         return table->widest(dataset.self(), out, error);
                       });
}

struct WidestRow {
  FileLine row;
  std::int64_t index = 0;
};

// Reads "train.txt:1: index 100000000". Nothing if the text has another form.
std::optional<WidestRow> widest_row_of(const std::string& text) {
  constexpr std::string_view between = ": index ";
  const std::size_t end = text.rfind(between);
  if (end == std::string::npos) return std::nullopt;
  const auto index = whole_number(std::string_view(text).substr(end + between.size()));
  const FileLine row = file_line_of(text.substr(0, end));
  if (!index || *index < 0 || row.line == 0) return std::nullopt;
  return WidestRow{row, *index};
}

bool has_number(const std::string& line, std::int64_t number) {
  constexpr const char* digits = "0123456789";
  for (std::size_t begin = line.find_first_of(digits); begin != std::string::npos;) {
    const std::size_t end = std::min(line.find_first_not_of(digits, begin), line.size());
    if (whole_number(std::string_view(line).substr(begin, end - begin)) == number) return true;
    begin = line.find_first_of(digits, end);
  }
  return false;
}

// The row is in its file and has the index. No row before has it, and none has a larger one.
void test_widest_row(const Component& dataset, const TrainText& train, const std::string& text,
                     const WidestRow& widest, TestContext& context) {
  const auto refuse = [&](const std::string& what) {
    dataset.refuse(Exit::plugin, -1, "its widest row is " + text + ", but " + what);
  };
  const std::string until_before = lines_before(train.text(), widest.row.line);
  const std::string until = lines_before(train.text(), widest.row.line + 1);
  if (!has_number(until.substr(until_before.size()), widest.index)) {
    refuse("this line has no such index");
  }
  const std::array<std::pair<const char*, const std::string*>, 2> parts = {
      {{"the lines before it", &until_before}, {"the lines up to it", &until}}};
  for (const auto& [what, lines] : parts) {
    context.set_activity(std::string("reading ") + what);
    const std::unique_ptr<LoneDataset> part = train.load(*lines);
    if (part == nullptr) continue;
    context.count();
    const std::string own = widest_of(part->component());
    const std::optional<WidestRow> own_row = widest_row_of(own);
    if (lines == &until_before && own_row && own_row->index >= widest.index) {
      refuse(std::string("of ") + what + " it is " + own + "; name the first of the widest rows");
    }
    if (lines == &until && own != text) {
      refuse(std::string("of ") + what + " it is " + (own.empty() ? "none" : own));
    }
  }
}

void dataset_width_test(TestFixture& fixture, TestContext& context) {
  const Component& dataset = fixture.problem().dataset().component();
  if (dataset.answered_table(SCULPT_EXT_WIDTH) == nullptr) {
    context.skip_not_offered("the widest row (" SCULPT_EXT_WIDTH ")");
  }
  context.set_activity("the widest row");
  context.count();
  const std::string text = widest_of(dataset);
  if (text.empty()) return;
  const std::optional<WidestRow> widest = widest_row_of(text);
  if (!widest || text.find('\n') != std::string::npos) {
    dataset.refuse(Exit::plugin, -1,
                   "its widest row is \"" + printable(text) +
                       "\"; write it as \"train.txt:1: index 7\", or nothing");
  }
  const TrainText train(fixture);
  const bool is_of_train = train.is_known() && widest->row.file == train.path();
  if (is_of_train) test_widest_row(dataset, train, text, *widest, context);
}

}  // namespace

std::span<const ExperimentTest> place_tests() {
  static constexpr std::array<ExperimentTest, 2> tests{
      {{"dataset.place", dataset_place_test}, {"dataset.width", dataset_width_test}}};
  return tests;
}

}  // namespace sculpt::core
