// loss_counts.hpp - the loss of an oracle that supports losses by their counts. Used by oracle.hpp.
//
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "../cpp/counts.hpp"
#include "../cpp/lent_sessions.hpp"
#include "frontier.hpp"

namespace sculpt::program {

// True if the count `name` is `known`. If `known` ends in "_#", the name has a number there.
inline bool is_count(std::string_view name, std::string_view known) {
  if (!known.ends_with("_#")) return name == known;
  known.remove_suffix(1);
  return name.size() > known.size() && name.starts_with(known) &&
         name.find_first_not_of("0123456789", known.size()) == std::string_view::npos;
}

// Returns a list for messages: "errors, matched".
inline std::string list_of_counts(std::span<const char* const> known) {
  std::string names;
  for (const char* name : known) names += (names.empty() ? "" : ", ") + std::string(name);
  return names;
}

// Throws E_UNSUPPORTED if a count is not among the `known` ones. `subject` is the loss or frontier,
// for the message.
inline void check_known(std::span<const sculpt_count> counts, std::span<const char* const> known,
                        const std::string& subject) {
  for (const sculpt_count& count : counts) {
    const auto matches = [&](std::string_view name) { return is_count(count.name, name); };
    if (std::any_of(known.begin(), known.end(), matches)) continue;
    throw unsupported_error("counts " + list_of_counts(known) + ", but " + subject +
                            " is a function of '" + count.name +
                            "': count it in the features, or use another loss");
  }
}

// The counts of a loss, read once in bind().
class LossCounts {
 public:
  LossCounts() = default;  // without a loss: prediction
  // Throws E_UNSUPPORTED for a loss without counts, and for a count that is not among the `known`
  // ones. Also refuses a loss that declares itself linear in its counts but limits one of them.
  LossCounts(Ref loss, std::span<const char* const> known) : loss_(loss) {
    if (!loss.present()) return;
    if (loss.extension<sculpt_ext_count_loss>() == nullptr) {
      throw unsupported_error("needs a loss of one or two of the counts " + list_of_counts(known) +
                              "; " + loss.id() +
                              " has no counts: give it loss_of_counts(), or use another loss");
    }
    const CountLossRef counted(loss);
    counts_ = counted.counts();
    is_linear_ = counted.is_linear();
    check_known(counts_, known, loss.id());
    if (is_linear_) check_unlimited();
  }

  std::string id() const { return loss_.id(); }
  Ref loss() const { return loss_; }
  std::span<const sculpt_count> counts() const { return counts_; }
  bool is_linear() const { return is_linear_; }

 private:
  // A count with a limit is no sum over the edges, so its slope cannot be added to their scores.
  void check_unlimited() const {
    for (const sculpt_count& count : counts_) {
      if (count.limit == unlimited) continue;
      throw unsupported_error(loss_.id() + " offers slopes of its counts, but limits its count '" +
                              count.name + "' to " + std::to_string(count.limit) +
                              "; a loss that is linear in its counts sets no limit");
    }
  }

  Ref loss_;
  std::span<const sculpt_count> counts_;
  bool is_linear_ = false;
};

// Returns the limits of the counts, 1 for a missing one.
inline Counts limits_of(std::span<const sculpt_count> counts) {
  Counts limit{1, 1};
  for (std::size_t k = 0; k < counts.size(); ++k) limit[k] = counts[k].limit;
  return limit;
}

// A session of the loss of LossCounts. Without a loss it can be made but not used.
class LossCountsSession {
 public:
  explicit LossCountsSession(const LossCounts& counts) {
    if (counts.loss().present()) session_.emplace(counts.loss());
  }

  // Returns Delta of the outputs with these counts.
  double value(std::int64_t example, Labels truth, const Counts& counts) const {
    return session_->value(example, truth, counts.data());
  }
  // Requires LossCounts::is_linear().
  CountLossSession::Line line(std::int64_t example, Labels truth) const {
    return session_->line(example, truth);
  }

 private:
  std::optional<CountLossSession> session_;
};

}  // namespace sculpt::program
