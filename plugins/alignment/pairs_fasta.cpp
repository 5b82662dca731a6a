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

}  // namespace

PairsFasta::PairsFasta(const sculpt::Parameters& given)
    : alphabet_(Alphabet::named(given.choice("alphabet"))),
      learns_(given.choice("alphabet") == "learned"),
      trim_ends_(given.boolean("trim_ends")) {}

void PairsFasta::load(std::string_view split, const sculpt::Source& source) {
  if (splits_.find(split) != splits_.end()) {
    throw sculpt::Error(SCULPT_E_INVALID, "the split '" + std::string(split) + "' is loaded twice");
  }
  sculpt::LineReader reader(source);
  const std::vector<RowPair> file = read_pairs(reader);
  if (file.empty()) {
    throw sculpt::data_error(source.path() +
                             ":1:1: no examples; write pairs such as `>a`, `AC-G`, `>b`, `ACCG`");
  }
  if (learns_ && !learned_) {
    if (split != "train") {
      throw sculpt::Error(SCULPT_E_INVALID, "knows no letters yet; load the split 'train' first");
    }
    for (const RowPair& rows : file) {
      alphabet_.learn(rows.a.text);
      alphabet_.learn(rows.b.text);
    }
    learned_ = true;
  }
  const std::int64_t begin = count();
  for (const RowPair& rows : file) {
    SequencePair pair{numbered(rows.a, reader), numbered(rows.b, reader), rows.aligned, {}};
    if (rows.aligned) pair.truth = truth_of(rows, trim_ends_);
    pairs_.push_back(std::move(pair));
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
  const SequencePair& one = pair(example);
  return one.labelled ? sculpt::Labels(one.truth) : sculpt::Labels();
}

const SequencePair& PairsFasta::pair(std::int64_t example) const {
  if (example < 0 || example >= count()) {
    throw sculpt::Error(SCULPT_E_INVALID, "has no example " + std::to_string(example) +
                                              "; there are " + std::to_string(count()));
  }
  return pairs_[static_cast<std::size_t>(example)];
}

void PairsFasta::format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const {
  const SequencePair& one = pair(example);
  std::string a;
  std::string b;
  const bool sound =
      walk(y, one.a.length(), one.b.length(), [&](Move move, std::int64_t i, std::int64_t j) {
        a += move == b_only ? gap : one.a.at(i);
        b += move == a_only ? gap : one.b.at(j);
      });
  if (!sound) throw no_alignment(one.a.length(), one.b.length());
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
  const SequencePair& one = pair(example);
  if (text == "-") {
    out.resize(0);
    return;
  }
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos) {
    throw sculpt::data_error(sculpt::shown(text) + " is no alignment; write both rows with a " +
                             "blank between them, as in AC-G ACCG, or - when nothing is aligned");
  }
  const RowText a = read_row(text.substr(0, blank), one.a, 'a');
  const RowText b = read_row(text.substr(blank + 1), one.b, 'b');
  if (a.row.size() != b.row.size() || a.row.empty()) {
    throw sculpt::data_error("the rows of an alignment are equally long, these have " +
                             std::to_string(a.row.size()) + " and " + std::to_string(b.row.size()) +
                             " characters; write a gap as -");
  }
  const auto y = out.resize(static_cast<std::int64_t>(a.row.size()) + 2);
  y[0] = static_cast<std::int32_t>(a.begin);
  y[1] = static_cast<std::int32_t>(b.begin);
  for (std::size_t k = 0; k < a.row.size(); ++k) {
    if (a.row[k] == gap && b.row[k] == gap) {
      throw sculpt::data_error("both rows have a gap in column " + std::to_string(k + 1));
    }
    y[k + 2] = b.row[k] == gap ? a_only : a.row[k] == gap ? b_only : both;
  }
}

void PairsFasta::items(std::int64_t example, sculpt::Labels y,
                       std::vector<std::int64_t>& items) const {
  const SequencePair& one = pair(example);
  const bool sound =
      walk(y, one.a.length(), one.b.length(), [&](Move move, std::int64_t i, std::int64_t j) {
        if (move == both && one.a.scored(i) && one.b.scored(j)) items.push_back(item(one, i, j));
      });
  if (!sound) throw no_alignment(one.a.length(), one.b.length());
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
