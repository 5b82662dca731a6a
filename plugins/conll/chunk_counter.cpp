#include "chunk_counter.hpp"

namespace {

// True if a chunk ends between these two positions.
bool chunk_ends(const ChunkTag& before, const ChunkTag& after) {
  if (before.tag == 'O') return false;
  if (before.tag == 'E' || before.tag == 'S') return true;
  return after.tag == 'B' || after.tag == 'S' || after.tag == 'O' || before.type != after.type;
}

// True if a chunk begins between these two positions.
bool chunk_begins(const ChunkTag& before, const ChunkTag& after) {
  if (after.tag == 'O') return false;
  if (after.tag == 'B' || after.tag == 'S') return true;
  return before.tag == 'O' || before.tag == 'E' || before.tag == 'S' || before.type != after.type;
}

}  // namespace

std::optional<ChunkTag> chunk_tag(std::string_view label) {
  const std::size_t hyphen = label.find('-');
  const std::string_view tag = label.substr(0, hyphen);
  const std::string type(hyphen == std::string_view::npos ? "" : label.substr(hyphen + 1));
  if (tag == "O" && hyphen == std::string_view::npos) return ChunkTag();
  if (tag == "B" || tag == "I" || tag == "E" || tag == "S") return ChunkTag{tag[0], type};
  if (tag == "L") return ChunkTag{'E', type};
  if (tag == "U") return ChunkTag{'S', type};
  return std::nullopt;
}

void ChunkCounter::add(const ChunkTag& truth, const ChunkTag& guess) {
  if (chunks_agree_) {
    const bool truth_ends = chunk_ends(truth_, truth);
    const bool guess_ends = chunk_ends(guess_, guess);
    if (truth_ends && guess_ends) ++correct_count_;
    chunks_agree_ = !truth_ends && !guess_ends;
  }
  const bool truth_begins = chunk_begins(truth_, truth);
  const bool guess_begins = chunk_begins(guess_, guess);
  truth_count_ += truth_begins ? 1 : 0;
  guess_count_ += guess_begins ? 1 : 0;
  if (truth_begins && guess_begins && truth.type == guess.type) chunks_agree_ = true;
  truth_ = truth;
  guess_ = guess;
}
