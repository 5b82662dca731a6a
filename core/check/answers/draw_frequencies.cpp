#include "check/answers/draw_frequencies.hpp"

#include <cmath>
#include <map>

#include "base/text/message_text.hpp"
#include "check/fixture/oracle_query.hpp"

namespace sculpt::core {
namespace {

constexpr double no_chance = 40;

// part * log(part / expected)
double term(double part, double expected) {
  return part == 0 ? 0 : part * std::log(part / expected);
}

bool by_chance(double count, double expected, double draws) {
  return term(count, expected) + term(draws - count, draws - expected) <= no_chance;
}

std::string text(const std::string& what, double count, double expected, double draws) {
  return "draws " + what + " " + exact_number_text(count) + " times of " +
         exact_number_text(draws) + ", expected are " + exact_number_text(expected);
}

constexpr int repeated = 4;  // number of draws that are repeated with the same seeds

}  // namespace

std::string Frequencies::fault(std::span<const Share> shares, const Draw& draw) {
  Random random = random_;
  std::map<std::vector<std::int32_t>, int> counts;
  std::map<std::uint64_t, std::vector<std::int32_t>> first;
  for (int k = 0; k < draws; ++k) {
    const std::uint64_t seed = random.next();
    std::vector<std::int32_t> labels = draw(seed);
    ++counts[labels];
    if (k < repeated) first[seed] = std::move(labels);
  }
  std::string wrong;
  for (const auto& [seed, labels] : first) {
    if (draw(seed) != labels) wrong = "draws another output from the same seed";
  }
  const auto best = shares.empty() ? counts.end() : counts.find(*shares.front().labels);
  const double best_count = best == counts.end() ? 0 : best->second;
  for (const Share& share : shares) {
    const auto found = counts.find(*share.labels);
    const double count = found == counts.end() ? 0 : found->second;
    if (found != counts.end()) counts.erase(found);
    const double expected = draws * share.probability;
    if (wrong.empty() && !by_chance(count, expected, draws)) {
      wrong = text(labels_text(*share.labels), count, expected, draws);
    }
  }
  if (!counts.empty())
    wrong = "draws " + labels_text(counts.begin()->first) + ", which is no output";
  failed_ = failed_ || !wrong.empty();
  if (failed_ || shares.empty()) return wrong;
  random_ = random;
  best_drawn_ += best_count;
  best_expected_ += draws * shares.front().probability;
  all_ += draws;
  return wrong;
}

std::string Frequencies::fault_of_all() const {
  if (all_ == 0 || by_chance(best_drawn_, best_expected_, all_)) return "";
  return text("the best outputs of all questions", best_drawn_, best_expected_, all_);
}

}  // namespace sculpt::core
