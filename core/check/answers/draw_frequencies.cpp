#include "check/answers/draw_frequencies.hpp"

#include <cmath>
#include <map>

#include "base/text/message_text.hpp"
#include "check/fixture/oracle_query.hpp"

namespace sculpt::core {
namespace {

// Upper limit of n KL(q, p). exp(-40) = 4e-18.
constexpr double max_divergence = 40;

// part * log(part / expected)
double divergence_term(double part, double expected) {
  return part == 0 ? 0 : part * std::log(part / expected);
}

bool is_by_chance(double count, double expected, double draws) {
  return divergence_term(count, expected) + divergence_term(draws - count, draws - expected) <=
         max_divergence;
}

std::string frequency_text(const std::string& what, double count, double expected, double draws) {
  return "draws " + what + " " + exact_number_text(count) + " times of " +
         exact_number_text(draws) + ", expected are " + exact_number_text(expected);
}

constexpr int repeated_draws = 4;  // with the same seeds

}  // namespace

std::string Frequencies::fault(std::span<const Share> shares, const Draw& draw) {
  Random random = random_;
  std::map<std::vector<std::int32_t>, int> counts;
  std::map<std::uint64_t, std::vector<std::int32_t>> first_labels;
  for (int k = 0; k < draws; ++k) {
    const std::uint64_t seed = random.next();
    std::vector<std::int32_t> labels = draw(seed);
    ++counts[labels];
    if (k < repeated_draws) first_labels[seed] = std::move(labels);
  }
  std::string reason;
  for (const auto& [seed, labels] : first_labels) {
    if (draw(seed) != labels) reason = "draws another output from the same seed";
  }
  const auto best = shares.empty() ? counts.end() : counts.find(*shares.front().labels);
  const double best_count = best == counts.end() ? 0 : best->second;
  for (const Share& share : shares) {
    const auto found = counts.find(*share.labels);
    const double count = found == counts.end() ? 0 : found->second;
    if (found != counts.end()) counts.erase(found);
    const double expected = draws * share.probability;
    if (reason.empty() && !is_by_chance(count, expected, draws)) {
      reason = frequency_text(labels_text(*share.labels), count, expected, draws);
    }
  }
  if (!counts.empty())
    reason = "draws " + labels_text(counts.begin()->first) + ", which is no output";
  failed_ = failed_ || !reason.empty();
  if (failed_ || shares.empty()) return reason;
  random_ = random;
  best_drawn_ += best_count;
  best_expected_ += draws * shares.front().probability;
  draw_count_ += draws;
  return reason;
}

std::string Frequencies::fault_of_all() const {
  if (draw_count_ == 0 || is_by_chance(best_drawn_, best_expected_, draw_count_)) return "";
  return frequency_text("the best outputs of all queries", best_drawn_, best_expected_,
                        draw_count_);
}

}  // namespace sculpt::core
