#include "letter_file.hpp"

#include <unordered_set>

namespace {

using sculpt::Field;
using sculpt::LineReader;

// The columns before the inputs.
enum Column : std::size_t { word_column, fold_column, position_column, letter_column, more_column };
constexpr std::size_t first_input = 5;

bool is_bits(std::string_view text) {
  return text.find_first_not_of("01") == std::string_view::npos;
}

class LetterFileReader {
 public:
  explicit LetterFileReader(LineReader& reader) : reader_(reader) {}

  LetterFile read() {
    while (reader_.next()) {
      const std::vector<Field>& fields = reader_.fields();
      if (fields.empty()) continue;
      if (fields.size() <= first_input) {
        throw reader_.error(
            0, "has " + std::to_string(fields.size()) +
                   " columns; write word, fold, position, letter, more and the inputs");
      }
      read_position(fields);
      read_letter(fields[letter_column]);
      read_inputs(fields);
      file_.words.back().end = file_.letters.size();
    }
    if (word_continues_) {
      throw reader_.error_at(file_.letters.back().line, last_more_column_,
                             "the file ends in the middle of word " + std::to_string(word_) +
                                 ", whose last `more` is 1; complete the word, or set `more` to 0");
    }
    return std::move(file_);
  }

 private:
  // Reads word, fold, position and more. Throws if the row does not continue the current word, but
  // has to.
  void read_position(const std::vector<Field>& fields) {
    const std::int64_t word =
        reader_.integer(fields[word_column], "the number of a word; write a whole one");
    const std::int64_t fold =
        reader_.integer(fields[fold_column], "the number of a fold; write a whole one");
    const std::int64_t position =
        reader_.integer(fields[position_column], "a position; write a whole number");
    if (word_continues_ && word != word_) {
      throw reader_.error(fields[word_column].column,
                          "word " + std::to_string(word) + " begins in the middle of word " +
                              std::to_string(word_) +
                              ", whose last `more` is 1; complete that word, or set `more` to 0");
    }
    if (!word_continues_) begin_word(word, fold, fields[word_column]);
    if (fold != file_.words.back().fold) {
      throw reader_.error(fields[fold_column].column,
                          "fold " + std::to_string(fold) + ", but word " + std::to_string(word) +
                              " began in fold " + std::to_string(file_.words.back().fold) +
                              "; give all rows of a word the same fold");
    }
    const auto expected =
        static_cast<std::int64_t>(file_.letters.size() - file_.words.back().begin);
    if (position != expected) {
      throw reader_.error(fields[position_column].column,
                          "position " + std::to_string(position) + " where " +
                              std::to_string(expected) +
                              " is expected; the positions of a word count from 0");
    }
    const std::string_view more = fields[more_column].text;
    if (more != "0" && more != "1") {
      throw reader_.error(fields[more_column].column,
                          sculpt::shown(more) +
                              " is not a `more` flag; write 1 if another letter of the word "
                              "follows, else 0");
    }
    word_continues_ = more == "1";
    last_more_column_ = fields[more_column].column;
  }

  void begin_word(std::int64_t word, std::int64_t fold, Field field) {
    if (!seen_.insert(word).second) {
      throw reader_.error(field.column, "word " + std::to_string(word) +
                                            " is complete already; number each word once and keep "
                                            "its rows together");
    }
    word_ = word;
    file_.words.push_back({fold, file_.letters.size(), file_.letters.size(), true});
  }

  void read_letter(Field field) {
    if (sculpt::character_size(field.text) != field.text.size()) {
      throw reader_.error(
          field.column, sculpt::shown(field.text) + " is not one letter; write ? if it is unknown");
    }
    if (field.text == "?") file_.words.back().is_labelled = false;
    file_.letters.push_back({std::string(field.text), reader_.number(), field.column, 0});
  }

  // Reads the inputs of a row: one string of bits, or numbers. The first row decides which.
  void read_inputs(const std::vector<Field>& fields) {
    const Field first = fields[first_input];
    if (file_.letters.size() == 1) {
      inputs_are_bits_ =
          fields.size() == first_input + 1 && first.text.size() > 1 && is_bits(first.text);
    }
    std::int64_t count;
    if (inputs_are_bits_) {
      count = static_cast<std::int64_t>(first.text.size());
      if (fields.size() > first_input + 1) {
        throw reader_.error(fields[first_input + 1].column,
                            sculpt::shown(fields[first_input + 1].text) +
                                " is one column too many; write the inputs as one string of 0 and "
                                "1, as in the first row");
      }
      if (!is_bits(first.text)) {
        throw reader_.error(first.column, sculpt::shown(first.text) +
                                              " is not a string of 0 and 1; write the inputs as "
                                              "in the first row");
      }
      for (std::size_t j = 0; j < first.text.size(); ++j) {
        if (first.text[j] == '1') add_input(j, 1);
      }
    } else {
      count = static_cast<std::int64_t>(fields.size() - first_input);
      for (std::size_t j = first_input; j < fields.size(); ++j) {
        const double value = reader_.real(fields[j], "an input");
        if (value != 0) add_input(j - first_input, value);
      }
    }
    if (file_.letters.size() == 1) file_.input_count = count;
    if (count != file_.input_count) {
      throw reader_.error(
          first.column, "has " + std::to_string(count) + " inputs where the first row has " +
                            std::to_string(file_.input_count) + "; give every row the same number");
    }
    file_.letters.back().input_end = file_.index.size();
  }

  void add_input(std::size_t index, double value) {
    file_.index.push_back(static_cast<std::int32_t>(index));
    file_.value.push_back(value);
  }

  LineReader& reader_;
  LetterFile file_;
  std::unordered_set<std::int64_t> seen_;  // words
  std::int64_t word_ = 0;                  // number of the current word
  bool word_continues_ = false;            // another letter of it must follow
  std::size_t last_more_column_ = 0;       // column of the last `more`
  bool inputs_are_bits_ = false;           // strings of 0 and 1
};

}  // namespace

LetterFile read_letter_file(sculpt::LineReader& reader) {
  return LetterFileReader(reader).read();
}
