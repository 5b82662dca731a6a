#include "vienna_reader.hpp"

#include <algorithm>
#include <sculpt/cpp/ascii.hpp>

#include "brackets.hpp"

namespace rna {

namespace {

// Lines of these begin with a structure. Those with . may also be rows of an alignment.
constexpr std::string_view structure_signs = ".()[]{}<>";

bool has_any(std::string_view text, std::string_view characters) {
  return text.find_first_of(characters) != std::string_view::npos;
}

// True if a text behind a structure is its energy: (-1.20), -1.20, [ -3.40], {-3.10 d=2.50},
// E=-1.2, -1.2 kcal/mol. One number at least must be there.
bool is_energy(std::string_view text) {
  bool has_number = false;
  std::string word;
  const auto ends_word = [&] {
    const std::size_t equals = word.rfind('=');
    double value = 0;
    const std::string_view number = std::string_view(word).substr(equals + 1);  // npos + 1 is 0
    const bool is_number = sculpt::read_finite(number, value) == sculpt::NumberText::number;
    has_number = has_number || is_number;
    const bool is_label = word.empty() || word.back() == '=' || word == "kcal/mol";
    word.clear();
    return is_number || is_label;
  };
  for (const char c : text) {
    if (std::string_view(" \t()[]{},;").find(c) == std::string_view::npos) {
      word += c;
    } else if (!ends_word()) {
      return false;
    }
  }
  return ends_word() && has_number;
}

class ViennaReader {
 public:
  ViennaReader(const sculpt::LineReader& reader, const AcceptedRecords& accepted,
               const RecordSink& sink)
      : reader_(reader), accepted_(accepted), sink_(sink) {}

  LeftOut read(const std::vector<PlacedLine>& lines) {
    for (const PlacedLine& line : lines) read_line(line);
    finish();
    return left_out_;
  }

 private:
  void read_line(const PlacedLine& line) {
    if (line.text.starts_with("# STOCKHOLM")) {
      throw error(line, 0,
                  "this is an alignment in Stockholm format; write each sequence without gaps, and "
                  "below it its own structure");
    }
    if (line.text.front() == '#' || line.text.front() == ';') return;
    if (line.text.front() == '>') return read_name(line);
    PlacedLine first = line;
    first.text = line.text.substr(0, line.text.find_first_of(" \t"));
    const std::string_view rest = line.text.substr(first.text.size());
    const bool has_energy = !rest.empty() && is_energy(rest);
    if (!has_energy) first.text = line.text;
    if (begins_record(first.text)) begin(line.number);
    if (has_energy_ && is_complete()) {
      if (!sculpt::is_letter(line.text.front())) ++left_out_.structures;
    } else if (is_structure(first)) {
      read_structure(first);
      has_energy_ = has_energy;
    } else {
      read_letters(first);
    }
  }

  void read_name(const PlacedLine& line) {
    std::string_view name = line.text.substr(1);
    name.remove_prefix(std::min(name.find_first_not_of(" \t"), name.size()));
    const bool is_of_structure = name == "structure" && !letters_.empty() && brackets_.empty();
    if (is_of_structure) return;
    begin(line.number);
    record_.name = name;
    is_named_ = true;
  }

  // Without a name, a line of letters begins a record. With one, it does behind a whole structure.
  bool begins_record(std::string_view text) const {
    if (record_.line == 0) return true;
    if (!is_sequence(text)) return false;
    return is_complete() || (!is_named_ && brackets_.empty());
  }
  bool is_complete() const { return !brackets_.empty() && brackets_.size() >= letters_.size(); }

  bool is_structure(const PlacedLine& line) const {
    if (!brackets_.empty()) return true;
    const bool has_signs = has_any(line.text, ".()");
    if (accepted_.removes_pseudoknots && has_signs && !letters_.empty()) return true;
    if (structure_signs.find(line.text.front()) == std::string_view::npos) return false;
    const bool has_letters = std::any_of(line.text.begin(), line.text.end(), sculpt::is_letter);
    return !(letters_.empty() && has_letters && !has_any(line.text, "()[]{}<>"));
  }

  void read_structure(const PlacedLine& line) {
    if (letters_.empty()) {
      throw error(line, 0,
                  "this structure has no sequence; write its letters in the line before it "
                  "(sculpt predict prints both, unless dataset.output is structure)");
    }
    pieces_.push_back({brackets_.size(), line.number, line.column});
    brackets_ += line.text;
  }

  void read_letters(const PlacedLine& line) {
    const std::size_t bracket = line.text.find_first_of(".()");
    const bool is_gap = line.text.find('-') != std::string_view::npos;
    if (!letters_.empty() && bracket != std::string_view::npos && !is_gap) {
      throw error(line, 0,
                  sculpt::shown(line.text.substr(0, 1)) + " begins a line that also has " +
                      sculpt::shown(line.text.substr(bracket, 1)) +
                      ": letters there mark a pseudoknot, which grammars of nested pairs "
                      "cannot have; write dots instead, set pseudoknots to remove, or remove the "
                      "structure; in a sequence write only letters");
    }
    for (std::size_t k = 0; k < line.text.size(); ++k) {
      letters_.push_back(
          read_letter(reader_, line.text[k], line.number, line.column + k, accepted_));
    }
    record_.sequence += line.text;
  }

  void begin(std::int64_t line) {
    finish();
    record_ = {};
    record_.line = line;
    letters_.clear();
    brackets_.clear();
    pieces_.clear();
    is_named_ = false;
    has_energy_ = false;
  }

  void finish() {
    if (record_.line == 0) return;
    if (letters_.empty()) {
      throw reader_.error_at(record_.line, 0,
                             "this name has no sequence; write its letters below it");
    }
    if (!brackets_.empty()) {
      if (accepted_.removes_pseudoknots) left_out_.pairs += remove_pseudoknots(brackets_);
      BracketError fault;
      std::vector<std::int32_t> partners = read_brackets(brackets_, letters_.size(), fault);
      if (!fault.message.empty()) throw error_in_structure(fault);
      record_.partners = std::move(partners);
    }
    record_.letters = letters_;
    sink_(std::move(record_));
  }

  sculpt::Error error(const PlacedLine& line, std::size_t position, const std::string& what) const {
    return reader_.error_at(line.number, line.column + position, what);
  }
  sculpt::Error error_in_structure(const BracketError& fault) const {
    std::size_t k = pieces_.size() - 1;
    while (k > 0 && pieces_[k].begin > fault.position) --k;
    return reader_.error_at(pieces_[k].line, pieces_[k].column + fault.position - pieces_[k].begin,
                            fault.message);
  }

  // Where a line of the structure begins: in `brackets_`, and in the file.
  struct Piece {
    std::size_t begin;
    std::int64_t line;
    std::size_t column;
  };

  const sculpt::LineReader& reader_;
  const AcceptedRecords& accepted_;
  const RecordSink& sink_;
  LeftOut left_out_;
  // The current record.
  StructureRecord record_;  // line 0: there is none
  std::vector<Letter> letters_;
  std::string brackets_;
  std::vector<Piece> pieces_;
  bool is_named_ = false;
  bool has_energy_ = false;  // behind the last line of the structure
};

}  // namespace

LeftOut read_vienna(const sculpt::LineReader& reader, const std::vector<PlacedLine>& lines,
                    const AcceptedRecords& accepted, const RecordSink& sink) {
  return ViennaReader(reader, accepted, sink).read(lines);
}

}  // namespace rna
