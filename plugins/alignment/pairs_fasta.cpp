#include "pairs_fasta.hpp"

#include <charconv>

#include "alignment_text.hpp"

namespace alignment {
namespace {

constexpr std::int64_t state_version = 2;

// Returns the alignment of two gapped rows of equal length.
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
      y[0] += static_cast<std::int32_t>(letters_in_a(*first));
      y[1] += static_cast<std::int32_t>(letters_in_b(*first));
    }
    while (last != first && *(last - 1) != both) --last;
  }
  if (first == last) return {};
  y.insert(y.end(), first, last);
  return y;
}

}  // namespace

PairsFasta::PairsFasta(const sculpt::Parameters& given)
    : alphabet_(Alphabet::named(given.choice("alphabet"))),
      learns_letters_(given.choice("alphabet") == "learned"),
      trims_ends_(given.boolean("trim_ends")),
      has_decoys_(given.boolean("decoys")),
      prints_fasta_(given.choice("output") == "fasta"),
      annotations_{given.texts("tracks"), given.integer("profile")},
      track_symbols_(annotations_.tracks.size()) {
  const std::vector<std::string>& names = annotations_.tracks;
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (name->empty() || name->find_first_of(" \t\r\n") != std::string::npos) {
      throw sculpt::parameter_error("tracks has " + sculpt::shown(*name) +
                                    "; write the name of a track as a word without blanks");
    }
    if (std::find(names.begin(), name, *name) != name) {
      throw sculpt::parameter_error("tracks has " + sculpt::shown(*name) +
                                    " twice; give each track a different name");
    }
  }
}

void PairsFasta::load(std::string_view split, const sculpt::Source& source) {
  if (splits_.find(split) != splits_.end()) {
    throw sculpt::Error(SCULPT_E_INVALID, "the split '" + std::string(split) + "' is loaded twice");
  }
  sculpt::LineReader reader(source, sculpt::LineLife::until_next);
  const std::vector<RowBlock> file = read_blocks(reader, annotations_);
  if (file.empty()) {
    throw sculpt::data_error(source.path() +
                             ":1:1: no examples; write pairs such as `>a`, `AC-G`, `>b`, `ACCG`");
  }
  if (!has_learned_ && (learns_letters_ || !track_symbols_.empty())) {
    if (split != "train") {
      throw sculpt::Error(SCULPT_E_INVALID,
                          "has no letters before the split 'train' is loaded; load it first");
    }
    for (const RowBlock& block : file) learn(block);
    has_learned_ = true;
  }
  for (const RowBlock& block : file) {
    if (has_decoys_ || block.decoys.empty()) continue;
    throw reader.error_at(block.decoys.front().name_line, 0,
                          "this is a third row; put a blank line between two pairs, or set the "
                          "parameter `decoys`");
  }
  const std::int64_t begin = count();
  if (split == "predict") first_predicted_ = begin;
  places_.begin_file(source.path());
  for (const RowBlock& block : file) {
    Example example{pairs_.size(), block.decoys.size() + 1, block.pair.is_aligned, {}};
    const Sequence a = numbered(block.pair.a, reader);
    for (const Row& decoy : block.decoys) pairs_.push_back({a, numbered(decoy, reader)});
    pairs_.push_back({a, numbered(block.pair.b, reader)});
    if (example.is_labelled) example.truth = truth_of(block.pair, trims_ends_);
    if (example.is_labelled && has_decoys_) {
      example.truth.insert(example.truth.begin(), static_cast<std::int32_t>(block.decoys.size()));
    }
    examples_.push_back(std::move(example));
    places_.add(block.pair.a.name_line);
  }
  splits_[std::string(split)] = {begin, count()};
}

void PairsFasta::learn(const RowBlock& block) {
  const auto learn_row = [&](const Row& row) {
    if (learns_letters_) alphabet_.learn(row.text);
    for (std::size_t t = 0; t < row.tracks.size(); ++t) {
      track_symbols_[t].learn(row.tracks[t].text);
    }
  };
  learn_row(block.pair.a);
  learn_row(block.pair.b);
  for (const Row& decoy : block.decoys) learn_row(decoy);
}

Sequence PairsFasta::numbered(const Row& row, const sculpt::LineReader& reader) const {
  Sequence sequence;
  sequence.name = row.name;
  sequence.symbols.resize(1 + track_symbols_.size());
  for (std::size_t k = 0; k < row.text.size(); ++k) {
    const char c = row.text[k];
    if (c == gap) continue;
    const std::optional<std::int32_t> number = alphabet_.number(c);
    if (!number) {
      throw error_in(
          row, k,
          "the letter '" + std::string(1, c) + "' is not in the alphabet " + alphabet_.letters() +
              (learns_letters_ ? ", the letters of the training data" : "") +
              "; remove it, or choose an alphabet that has it (--set dataset.alphabet=...)",
          reader);
    }
    sequence.text += c;
    sequence.symbols.front().push_back(*number);
  }
  for (std::size_t t = 0; t < row.tracks.size(); ++t) {
    sequence.symbols[1 + t] = numbered_track(t, row.tracks[t], reader);
  }
  sequence.profile = row.profile;
  return sequence;
}

std::vector<std::int32_t> PairsFasta::numbered_track(std::size_t track, const PlacedText& symbols,
                                                     const sculpt::LineReader& reader) const {
  std::vector<std::int32_t> numbers;
  for (std::size_t k = 0; k < symbols.text.size(); ++k) {
    const std::optional<std::int32_t> number = track_symbols_[track].number(symbols.text[k]);
    if (!number) {
      throw error_in(symbols, k,
                     "the symbol '" + std::string(1, symbols.text[k]) + "' is not among " +
                         track_symbols_[track].symbols() + ", those of the track '" +
                         annotations_.tracks[track] + "' in the training data; write " +
                         TrackSymbols::unknown + " for an unknown symbol",
                     reader);
    }
    numbers.push_back(*number);
  }
  return numbers;
}

std::vector<Track> PairsFasta::tracks() const {
  std::vector<Track> all{{"letters", alphabet_.letters()}};
  for (std::size_t t = 0; t < track_symbols_.size(); ++t) {
    all.push_back({annotations_.tracks[t], track_symbols_[t].symbols()});
  }
  return all;
}

sculpt::Range PairsFasta::split(std::string_view name) const {
  const auto found = splits_.find(name);
  return found == splits_.end() ? sculpt::Range() : found->second;
}

sculpt::Labels PairsFasta::truth(std::int64_t example) const {
  const Example& stored = at(example);
  return stored.is_labelled ? sculpt::Labels(stored.truth) : sculpt::Labels();
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
  if (!has_decoys_) return {0, all[0], y};
  if (y.empty() || y[0] < 0 || static_cast<std::size_t>(y[0]) >= all.size()) {
    throw sculpt::Error(
        SCULPT_E_INVALID,
        "an output does not begin with the number of a candidate; give a number from 0 to " +
            std::to_string(all.size() - 1));
  }
  const auto candidate = static_cast<std::size_t>(y[0]);
  return {candidate, all[candidate], sculpt::Labels(y.data() + 1, y.size() - 1)};
}

void PairsFasta::format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const {
  const Chosen choice = chosen(example, y);
  if (prints_fasta_ && first_predicted_ >= 0 && example >= first_predicted_) {
    format_rows(choice.pair, choice.alignment, out);
    return;
  }
  if (has_decoys_) {
    // The second row is the last candidate.
    const auto row = static_cast<std::int64_t>(choice.candidate);
    out << (row + 1 == std::ssize(candidates(example)) ? 2 : row + 3) << " ";
  }
  format_alignment(choice.pair, choice.alignment, out);
}

void PairsFasta::parse(std::int64_t example, std::string_view text,
                       sculpt::LabelOutput& out) const {
  std::vector<std::int32_t> y;
  const std::span<const SequencePair> all = candidates(example);
  std::size_t candidate = 0;
  if (has_decoys_) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    std::int64_t row = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + blank, row);
    if (error != std::errc() || end != text.data() + blank || row < 2 ||
        row > std::ssize(all) + 1) {
      throw sculpt::data_error(sculpt::shown(text.substr(0, blank)) +
                               " is not the number of a row other than the first; write a number "
                               "from 2 to " +
                               std::to_string(all.size() + 1) + ", then the alignment");
    }
    candidate = static_cast<std::size_t>(row == 2 ? std::ssize(all) - 1 : row - 3);
    y.push_back(static_cast<std::int32_t>(candidate));
    text = text.substr(std::min(blank + 1, text.size()));
  }
  parse_alignment(all[candidate], text, y);
  out.assign(y);
}

void PairsFasta::items(std::int64_t example, sculpt::Labels y,
                       std::vector<std::int64_t>& items) const {
  const Chosen choice = chosen(example, y);
  const Sequence& a = choice.pair.a;
  const Sequence& b = choice.pair.b;
  const std::int64_t n = a.length();
  const std::int64_t m = b.length();
  std::int64_t base = 0;  // pairs with other rows have other numbers
  for (const SequencePair& earlier : candidates(example).first(choice.candidate)) {
    base += n * (earlier.b.length() + 1);
  }
  const bool valid =
      visit_moves(choice.alignment, n, m, [&](Move move, std::int64_t i, std::int64_t j) {
        if (move != both || !a.is_scored(i) || !b.is_scored(j)) return;
        items.push_back(base + i * (m + 1) + j);
      });
  if (!valid) throw not_an_alignment(n, m);
}

void PairsFasta::save(sculpt::StateWriter& writer) const {
  writer.integer(state_version);
  writer.text(alphabet_.letters());
  for (const TrackSymbols& track : track_symbols_) writer.text(track.symbols());
}

void PairsFasta::restore(sculpt::StateReader& reader) {
  if (reader.integer() != state_version) reader.damaged();
  const std::string letters = reader.text();
  if (learns_letters_) alphabet_.learn(letters);
  if (alphabet_.letters() != letters) reader.damaged();  // each letter once, upper case, sorted
  for (TrackSymbols& track : track_symbols_) {
    const std::string symbols = reader.text();
    track.learn(symbols);
    if (track.symbols() != symbols) reader.damaged();
  }
  has_learned_ = true;
}

}  // namespace alignment
