#include "chunk_counter.hpp"

namespace {

// True if a chunk ends between these two positions.
bool ends(const ChunkTag& before, const ChunkTag& behind) {
  if (before.tag == 'O') return false;
  if (before.tag == 'E' || before.tag == 'S') return true;
  return behind.tag == 'B' || behind.tag == 'S' || behind.tag == 'O' || before.type != behind.type;
}

// True if a chunk begins between these two positions.
bool begins(const ChunkTag& before, const ChunkTag& behind) {
  if (behind.tag == 'O') return false;
  if (behind.tag == 'B' || behind.tag == 'S') return true;
  return before.tag == 'O' || before.tag == 'E' || before.tag == 'S' || before.type != behind.type;
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

void ChunkCounter::next(const ChunkTag& truth, const ChunkTag& guess) {
  if (agreeing_) {
    const bool truth_ends = ends(truth_, truth);
    const bool guess_ends = ends(guess_, guess);
    if (truth_ends && guess_ends) ++correct_;
    agreeing_ = !truth_ends && !guess_ends;
  }
  const bool truth_begins = begins(truth_, truth);
  const bool guess_begins = begins(guess_, guess);
  in_truth_ += truth_begins ? 1 : 0;
  guessed_ += guess_begins ? 1 : 0;
  if (truth_begins && guess_begins && truth.type == guess.type) agreeing_ = true;
  truth_ = truth;
  guess_ = guess;
}
