#include "dot_bracket.hpp"

#include "brackets.hpp"
#include "trimmed.hpp"
#include "vienna_reader.hpp"

namespace rna {

namespace {

// Returns the lines that are not blank.
std::vector<PlacedLine> lines_of(sculpt::LineReader& reader) {
  std::vector<PlacedLine> lines;
  while (reader.next()) {
    const std::string_view text = trimmed(reader.line());
    if (text.empty()) continue;
    lines.push_back(
        {text, reader.number(), static_cast<std::size_t>(text.data() - reader.line().data())});
  }
  return lines;
}

}  // namespace

void DotBracket::load(std::string_view split, const sculpt::Source& source) {
  const std::int64_t begin = count();
  places_.begin_file(source.path());
  sculpt::LineReader reader(source);
  const std::vector<PlacedLine> lines = lines_of(reader);
  const RecordSink add = [&](StructureRecord&& record) {
    append(record, prints_records_ && split == "predict");
  };
  const StructureFormat format = format_of_file(lines);
  const LeftOut left_out = format == StructureFormat::dot_bracket
                               ? read_vienna(reader, lines, accepted_, add)
                               : read_pair_table(reader, lines, format, accepted_, add);
  if (count() == begin) {
    throw sculpt::data_error(source.path() +
                             ":1:1: no sequences; write `>name`, a line of letters and a line of "
                             "dots and brackets for each");
  }
  report(source.path(), left_out);
  splits_[std::string(split)] = {begin, count()};
}

StructureFormat DotBracket::format_of_file(const std::vector<PlacedLine>& lines) const {
  if (format_ == "ct") return StructureFormat::ct;
  if (format_ == "bpseq") return StructureFormat::bpseq;
  return format_ == "auto" ? format_of(lines) : StructureFormat::dot_bracket;
}

void DotBracket::append(const StructureRecord& record, bool is_printed) {
  places_.add(record.line);
  Example& example = examples_.emplace_back();
  example.letters = record.letters;
  example.partners = record.partners;
  example.is_labelled = !record.partners.empty();
  if (!is_printed) return;
  if (!record.name.empty()) example.header = ">" + record.name + "\n";
  example.header += record.sequence + "\n";
}

void DotBracket::report(const std::string& path, const LeftOut& left_out) const {
  if (left_out.pairs > 0) {
    host_.log(path + ": left out " + std::to_string(left_out.pairs) +
              (left_out.pairs == 1 ? " pair of a pseudoknot" : " pairs of pseudoknots"));
  }
  if (left_out.structures > 0) {
    host_.warn(path + ": left out " + std::to_string(left_out.structures) +
               (left_out.structures == 1 ? " structure" : " structures") +
               " behind the first one of a sequence");
  }
}

sculpt::Range DotBracket::split(std::string_view name) const {
  const auto found = splits_.find(name);
  return found == splits_.end() ? sculpt::Range() : found->second;
}

void DotBracket::format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const {
  check_partners(y, at(example).letters.size());
  out << at(example).header;
  write_brackets(y, out);
}

void DotBracket::parse(std::int64_t example, std::string_view text,
                       sculpt::LabelOutput& out) const {
  text = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  text.remove_prefix(text.find_last_of('\n') + 1);  // npos + 1 is 0
  BracketError error;
  const std::vector<std::int32_t> y = read_brackets(text, at(example).letters.size(), error);
  if (!error.message.empty()) {
    throw sculpt::data_error("column " + std::to_string(error.position + 1) + ": " + error.message);
  }
  out.assign(y);
}

void DotBracket::items(std::int64_t example, sculpt::Labels y,
                       std::vector<std::int64_t>& items) const {
  check_partners(y, at(example).letters.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto base = static_cast<std::int64_t>(i);
    if (y[i] > base) items.push_back(base * y.count() + y[i]);
  }
}

}  // namespace rna
