#include "pair_table_reader.hpp"

#include <algorithm>
#include <optional>

namespace rna {

namespace {

using Fields = std::vector<sculpt::Field>;

constexpr std::size_t bpseq_columns = 3;
constexpr std::size_t ct_columns = 5;  // further columns say nothing of the structure

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t value = 0;
  if (sculpt::read_whole(text, value) != sculpt::NumberText::number) return std::nullopt;
  return value;
}

bool is_row(const Fields& fields, StructureFormat format) {
  const bool is_ct = format == StructureFormat::ct;
  if (is_ct ? fields.size() < ct_columns : fields.size() != bpseq_columns) return false;
  if (fields[1].text.size() != 1 || !whole(fields[0].text) || !whole(fields[2].text)) return false;
  return !is_ct || (whole(fields[3].text) && whole(fields[4].text));
}

bool is_comment(std::string_view line) {
  return line.front() == '#' || line.front() == ';';
}

// The text of a header of bpseq: "# x", "Filename: x.bpseq".
std::string_view header_text(std::string_view line) {
  for (const std::string_view mark : {"#", ";", "Filename:"}) {
    if (line.starts_with(mark)) line.remove_prefix(mark.size());
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  }
  return line;
}

class PairTableReader {
 public:
  PairTableReader(const sculpt::LineReader& reader, StructureFormat format,
                  const AcceptedRecords& accepted, const RecordSink& sink)
      : reader_(reader),
        is_ct_(format == StructureFormat::ct),
        format_(format),
        accepted_(accepted),
        sink_(sink) {}

  LeftOut read(const std::vector<PlacedLine>& lines) {
    for (const PlacedLine& line : lines) {
      sculpt::split_fields(line.text, " \t", fields_);
      if (is_row(fields_, format_) && !(is_ct_ && rows_left() == 0)) {
        read_row(line);
      } else if (is_ct_) {
        if (!is_comment(line.text)) read_ct_header(line);
      } else {
        read_bpseq_header(line);
      }
    }
    finish();
    return left_out_;
  }

 private:
  struct Row {
    std::int64_t partner;  // from 1; 0: single
    std::int64_t line;
    std::size_t column;  // of the partner, from 0
  };

  std::int64_t rows_left() const { return bases_ - std::ssize(rows_); }

  // "12 name", "12 ENERGY = -5.4 name"
  void read_ct_header(const PlacedLine& line) {
    if (rows_left() > 0) {
      throw reader_.error_at(line.number, line.column,
                             "this is no row of a base, but only " + std::to_string(rows_.size()) +
                                 " of the " + std::to_string(bases_) + " bases of line " +
                                 std::to_string(record_.line) +
                                 " have one; write its number, letter, two neighbours and partner");
    }
    const std::optional<std::int64_t> bases = whole(fields_.front().text);
    if (is_row(fields_, format_) && record_.line > 0) {
      throw reader_.error_at(line.number, line.column,
                             "this is a row more than the " + std::to_string(bases_) +
                                 " bases that line " + std::to_string(record_.line) +
                                 " announces; correct the number there");
    }
    if (!bases || *bases < 1 || is_row(fields_, format_)) {
      throw reader_.error_at(line.number, line.column,
                             "a record of a ct file begins with the number of its bases; write it, "
                             "then a name");
    }
    finish();
    begin(line.number);
    bases_ = *bases;
    std::size_t first = 1;
    double energy = 0;
    const bool has_energy =
        fields_.size() > 3 && fields_[2].text == "=" &&
        sculpt::read_finite(fields_[3].text, energy) == sculpt::NumberText::number;
    if (has_energy) first = 4;
    if (first < fields_.size()) record_.name = line.text.substr(fields_[first].column);
  }

  // Every line that does not begin with a number belongs to the header of the next record.
  void read_bpseq_header(const PlacedLine& line) {
    if (!is_comment(line.text) && whole(fields_.front().text)) {
      throw reader_.error_at(line.number, line.column,
                             "this is no row of a base; write its number, its letter and its "
                             "partner, 0 if it has none");
    }
    finish();
    if (record_.line == 0) begin(line.number);
    if (record_.name.empty()) record_.name = header_text(line.text);
  }

  void read_row(const PlacedLine& line) {
    const std::int64_t number = *whole(fields_[0].text);
    if (!is_ct_ && number == 1) finish();
    if (record_.line == 0) begin(line.number);
    const std::int64_t expected = std::ssize(rows_) + 1;
    if (number != expected) {
      throw reader_.error_at(line.number, line.column,
                             "this is base " + std::to_string(number) + " where base " +
                                 std::to_string(expected) +
                                 " is expected; write a row for each base, in order");
    }
    const sculpt::Field letter = fields_[1];
    record_.letters.push_back(read_letter(reader_, letter.text.front(), line.number,
                                          line.column + letter.column, accepted_));
    record_.sequence += letter.text;
    const sculpt::Field partner = fields_[is_ct_ ? 4 : 2];
    rows_.push_back({*whole(partner.text), line.number, line.column + partner.column});
  }

  void begin(std::int64_t line) {
    record_ = {};
    record_.line = line;
    rows_.clear();
    bases_ = 0;
  }

  // Hands over the record, if it has rows.
  void finish() {
    if (is_ct_ && record_.line > 0 && rows_left() > 0) {
      throw reader_.error_at(record_.line, 0,
                             "the record has " + std::to_string(rows_.size()) + " rows for its " +
                                 std::to_string(bases_) + " bases; write a row for each base");
    }
    if (rows_.empty()) return;
    record_.partners.resize(rows_.size());
    find_partners();
    sink_(std::move(record_));
    begin(0);
  }

  sculpt::Error error_at(std::size_t base, const std::string& what) const {
    return reader_.error_at(rows_[base].line, rows_[base].column,
                            "base " + std::to_string(base + 1) + " " + what);
  }

  // Returns the partner of a base, from 0, or its own place.
  std::size_t partner_of(std::size_t base) const {
    const std::int64_t partner = rows_[base].partner;
    if (partner == 0) return base;
    const std::string text = "has the partner " + std::to_string(partner);
    if (partner < 0 || partner > std::ssize(rows_)) {
      throw error_at(base, text + ", but there are " + std::to_string(rows_.size()) +
                               " bases; write a number of them, or 0 for a single base");
    }
    const auto place = static_cast<std::size_t>(partner - 1);
    if (place == base) throw error_at(base, text + ", itself; write 0 for a single base");
    if (rows_[place].partner != static_cast<std::int64_t>(base) + 1) {
      throw error_at(base, text + ", whose partner is " + std::to_string(rows_[place].partner) +
                               " (line " + std::to_string(rows_[place].line) +
                               "); write both in both rows");
    }
    return place;
  }

  // Writes the partners. Of two pairs that cross, the one that begins first is kept.
  void find_partners() {
    std::vector<std::size_t> open;
    std::vector<bool> is_removed(rows_.size(), false);
    for (std::size_t base = 0; base < rows_.size(); ++base) {
      const std::size_t partner = partner_of(base);
      record_.partners[base] = static_cast<std::int32_t>(base);
      if (partner > base) open.push_back(base);
      if (partner >= base || is_removed[partner]) continue;
      while (open.back() != partner) {
        if (!accepted_.removes_pseudoknots) throw crossing(open.back(), partner);
        is_removed[open.back()] = true;
        open.pop_back();
        ++left_out_.pairs;
      }
      open.pop_back();
      record_.partners[base] = static_cast<std::int32_t>(partner);
      record_.partners[partner] = static_cast<std::int32_t>(base);
    }
  }

  sculpt::Error crossing(std::size_t inner, std::size_t outer) const {
    const auto pair = [&](std::size_t base) {
      return std::to_string(base + 1) + "-" + std::to_string(rows_[base].partner);
    };
    return reader_.error_at(rows_[inner].line, rows_[inner].column,
                            "the pair " + pair(inner) + " crosses " + pair(outer) +
                                ": a pseudoknot, which grammars of nested pairs cannot have; write "
                                "0 for both bases, or set pseudoknots to remove");
  }

  const sculpt::LineReader& reader_;
  const bool is_ct_;
  const StructureFormat format_;
  const AcceptedRecords& accepted_;
  const RecordSink& sink_;
  LeftOut left_out_;
  Fields fields_;  // of the line
  // The current record.
  StructureRecord record_;  // line 0: there is none
  std::int64_t bases_ = 0;  // as the header of ct says
  std::vector<Row> rows_;   // [bases so far]
};

}  // namespace

StructureFormat format_of(const std::vector<PlacedLine>& lines) {
  Fields fields;
  for (const PlacedLine& line : lines) {
    if (line.text.front() == '>') break;
    sculpt::split_fields(line.text, " \t", fields);
    for (const StructureFormat format : {StructureFormat::bpseq, StructureFormat::ct}) {
      if (is_row(fields, format)) return format;
    }
  }
  return StructureFormat::dot_bracket;
}

LeftOut read_pair_table(const sculpt::LineReader& reader, const std::vector<PlacedLine>& lines,
                        StructureFormat format, const AcceptedRecords& accepted,
                        const RecordSink& sink) {
  return PairTableReader(reader, format, accepted, sink).read(lines);
}

}  // namespace rna
