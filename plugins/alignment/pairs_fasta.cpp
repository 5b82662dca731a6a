#include "pairs_fasta.hpp"

#include <charconv>

namespace alignment {
namespace {

constexpr char gap = '-';
constexpr std::int64_t state_version = 1;

// The alignment that two rows of equal length show.
std::vector<std::int32_t> truth_of(const RowPair& rows, bool trim_ends) {
  std::vector<std::int32_t> moves;
  for (std::size_t k = 0; k < rows.a.text.size(); ++k) {
    moves.push_back(rows.b.text[k] == gap ? a_only : rows.a.text[k] == gap ? b_only : both);
  }
  order_gaps(moves);
  std::vector<std::int32_t> y{0, 0};
  auto first = moves.begin();
  auto last = moves.end();
  if (trim_ends) {
    for (; first != last && *first != both; ++first) {
      y[0] += static_cast<std::int32_t>(in_a(*first));
      y[1] += static_cast<std::int32_t>(in_b(*first));
    }
    while (last != first && *(last - 1) != both) --last;
  }
  if (first == last) return {};
  y.insert(y.end(), first, last);
  return y;
}

// A row of an output, as text: where it begins, from 0, and its letters and gaps.
struct RowText {
  std::int64_t begin = 0;
  std::string_view row;
};

RowText read_row(std::string_view text, const Sequence& sequence, char name) {
  RowText result{0, text};
  const std::size_t colon = text.find(':');
  if (colon != std::string_view::npos) {
    const auto [stop, problem] = std::from_chars(text.data(), text.data() + colon, result.begin);
    if (problem != std::errc() || stop != text.data() + colon || result.begin < 1 ||
        result.begin > sequence.length()) {
      throw sculpt::data_error(sculpt::shown(text.substr(0, colon)) + " is no letter of row " +
                               name + ", which has " + std::to_string(sequence.length()));
    }
    --result.begin;
    result.row = text.substr(colon + 1);
  }
  std::int64_t i = result.begin;
  for (const char c : result.row) {
    if (c == gap) continue;
    if (i >= sequence.length() || upper(sequence.at(i)) != upper(c)) {
      throw sculpt::data_error("row " + std::string(1, name) + " shows other letters than its " +
                               "sequence, from letter " + std::to_string(i + 1) + " on");
    }
    ++i;
  }
  return result;
}

// Appends the alignment of a pair that two rows show.
void parse_alignment(const SequencePair& pair, std::string_view text,
                     std::vector<std::int32_t>& y) {
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos) {
    throw sculpt::data_error(sculpt::shown(text) + " is no alignment; write both rows with a " +
                             "blank between them, as in AC-G ACCG, or - when nothing is aligned");
  }
  const RowText a = read_row(text.substr(0, blank), pair.a, 'a');
  const RowText b = read_row(text.substr(blank + 1), pair.b, 'b');
  if (a.row.size() != b.row.size() || a.row.empty()) {
    throw sculpt::data_error("the rows of an alignment are equally long, these have " +
                             std::to_string(a.row.size()) + " and " + std::to_string(b.row.size()) +
                             " characters; write a gap as -");
  }
  y.push_back(static_cast<std::int32_t>(a.begin));
  y.push_back(static_cast<std::int32_t>(b.begin));
  for (std::size_t k = 0; k < a.row.size(); ++k) {
    if (a.row[k] == gap && b.row[k] == gap) {
      throw sculpt::data_error("both rows have a gap in column " + std::to_string(k + 1));
    }
    y.push_back(b.row[k] == gap ? a_only : a.row[k] == gap ? b_only : both);
  }
}

}  // namespace

PairsFasta::PairsFasta(const sculpt::Parameters& given)
    : alphabet_(Alphabet::named(given.choice("alphabet"))),
      learns_(given.choice("alphabet") == "learned"),
      trim_ends_(given.boolean("trim_ends")),
      decoys_(given.boolean("decoys")) {}

void PairsFasta::load(std::string_view split, const sculpt::Source& source) {
  if (splits_.find(split) != splits_.end()) {
    throw sculpt::Error(SCULPT_E_INVALID, "the split '" + std::string(split) + "' is loaded twice");
  }
  sculpt::LineReader reader(source);
  const std::vector<RowBlock> file = read_blocks(reader);
  if (file.empty()) {
    throw sculpt::data_error(source.path() +
                             ":1:1: no examples; write pairs such as `>a`, `AC-G`, `>b`, `ACCG`");
  }
  if (learns_ && !learned_) {
    if (split != "train") {
      throw sculpt::Error(SCULPT_E_INVALID, "knows no letters yet; load the split 'train' first");
    }
    for (const RowBlock& block : file) {
      alphabet_.learn(block.pair.a.text);
      alphabet_.learn(block.pair.b.text);
      for (const Row& decoy : block.decoys) alphabet_.learn(decoy.text);
    }
    learned_ = true;
  }
  for (const RowBlock& block : file) {
    if (decoys_ || block.decoys.empty()) continue;
    throw reader.error_at(block.decoys.front().name, 0,
                          "this is a third row; put a blank line between two pairs, or set the "
                          "parameter `decoys`");
  }
  const std::int64_t begin = count();
  for (const RowBlock& block : file) {
    Example example{pairs_.size(), block.decoys.size() + 1, block.pair.aligned, {}};
    const Sequence a = numbered(block.pair.a, reader);
    for (const Row& decoy : block.decoys) pairs_.push_back({a, numbered(decoy, reader)});
    pairs_.push_back({a, numbered(block.pair.b, reader)});
    if (example.labelled) example.truth = truth_of(block.pair, trim_ends_);
    if (example.labelled && decoys_) {
      example.truth.insert(example.truth.begin(), static_cast<std::int32_t>(block.decoys.size()));
    }
    examples_.push_back(std::move(example));
  }
  splits_[std::string(split)] = {begin, count()};
}

Sequence PairsFasta::numbered(const Row& row, const sculpt::LineReader& reader) const {
  Sequence sequence;
  for (std::size_t k = 0; k < row.text.size(); ++k) {
    const char c = row.text[k];
    if (c == gap) continue;
    const std::int32_t number = alphabet_.number(c);
    if (number < 0) {
      throw error_in(row, k,
                     "the letter '" + std::string(1, c) + "' is not in the alphabet " +
                         alphabet_.letters() +
                         (learns_ ? ", the letters of the training data" : "") +
                         "; take it out, or set the parameter `alphabet` to one that has it",
                     reader);
    }
    sequence.text += c;
    sequence.letters.push_back(static_cast<std::uint8_t>(number));
  }
  return sequence;
}

sculpt::Range PairsFasta::split(std::string_view name) const {
  const auto found = splits_.find(name);
  return found == splits_.end() ? sculpt::Range() : found->second;
}

sculpt::Labels PairsFasta::truth(std::int64_t example) const {
  const Example& one = at(example);
  return one.labelled ? sculpt::Labels(one.truth) : sculpt::Labels();
}

const PairsFasta::Example& PairsFasta::at(std::int64_t example) const {
  if (example < 0 || example >= count()) {
    throw sculpt::Error(SCULPT_E_INVALID, "has no example " + std::to_string(example) +
                                              "; there are " + std::to_string(count()));
  }
  return examples_[static_cast<std::size_t>(example)];
}

PairsFasta::Chosen PairsFasta::chosen(std::int64_t example, sculpt::Labels y) const {
  const std::span<const SequencePair> all = candidates(example);
  if (!decoys_) return {0, all[0], y};
  if (y.empty() || y[0] < 0 || static_cast<std::size_t>(y[0]) >= all.size()) {
    throw sculpt::Error(
        SCULPT_E_INVALID,
        "an output begins with the number of a candidate, below " + std::to_string(all.size()));
  }
  const auto candidate = static_cast<std::size_t>(y[0]);
  return {candidate, all[candidate], sculpt::Labels(y.data() + 1, y.size() - 1)};
}

void PairsFasta::format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const {
  const Chosen choice = chosen(example, y);
  const SequencePair& one = choice.pair;
  y = choice.alignment;
  std::string a;
  std::string b;
  const bool sound =
      walk(y, one.a.length(), one.b.length(), [&](Move move, std::int64_t i, std::int64_t j) {
        a += move == b_only ? gap : one.a.at(i);
        b += move == a_only ? gap : one.b.at(j);
      });
  if (!sound) throw no_alignment(one.a.length(), one.b.length());
  if (decoys_) {
    // the second row is the last candidate
    const auto row = static_cast<std::int64_t>(choice.candidate);
    out << (row + 1 == std::ssize(candidates(example)) ? 2 : row + 3) << " ";
  }
  if (y.empty()) {
    out << "-";
  } else if (y[0] == 0 && y[1] == 0) {
    out << a << " " << b;
  } else {
    out << y[0] + std::int64_t{1} << ":" << a << " " << y[1] + std::int64_t{1} << ":" << b;
  }
}

void PairsFasta::parse(std::int64_t example, std::string_view text,
                       sculpt::LabelOutput& out) const {
  std::vector<std::int32_t> y;
  const std::span<const SequencePair> all = candidates(example);
  std::size_t candidate = 0;
  if (decoys_) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    std::int64_t row = 0;
    const auto [stop, problem] = std::from_chars(text.data(), text.data() + blank, row);
    if (problem != std::errc() || stop != text.data() + blank || row < 2 ||
        row > std::ssize(all) + 1) {
      throw sculpt::data_error(sculpt::shown(text.substr(0, blank)) +
                               " is no row that the first may be aligned with; write its number, "
                               "from 2 on, then the alignment");
    }
    candidate = static_cast<std::size_t>(row == 2 ? std::ssize(all) - 1 : row - 3);
    y.push_back(static_cast<std::int32_t>(candidate));
    text = text.substr(std::min(blank + 1, text.size()));
  }
  if (text != "-") parse_alignment(all[candidate], text, y);
  out.assign(y);
}

void PairsFasta::items(std::int64_t example, sculpt::Labels y,
                       std::vector<std::int64_t>& items) const {
  const Chosen choice = chosen(example, y);
  const SequencePair& one = choice.pair;
  const std::int64_t n = one.a.length();
  const std::int64_t m = one.b.length();
  std::int64_t base = 0;  // pairs with other rows are other parts
  for (const SequencePair& before : candidates(example).first(choice.candidate)) {
    base += n * (before.b.length() + 1);
  }
  const bool sound = walk(choice.alignment, n, m, [&](Move move, std::int64_t i, std::int64_t j) {
    if (move != both || !one.a.scored(i) || !one.b.scored(j)) return;
    items.push_back(base + i * (m + 1) + j);
  });
  if (!sound) throw no_alignment(n, m);
}

void PairsFasta::save(sculpt::StateWriter& writer) const {
  writer.integer(state_version);
  writer.text(alphabet_.letters());
}

void PairsFasta::restore(sculpt::StateReader& reader) {
  if (reader.integer() != state_version) reader.damaged();
  const std::string letters = reader.text();
  Alphabet known;
  known.learn(letters);
  if (!learns_) {
    if (letters != alphabet_.letters()) reader.damaged();
    return;
  }
  if (known.letters() != letters) reader.damaged();  // each once, upper case, in order
  alphabet_ = known;
  learned_ = true;
}

}  // namespace alignment
