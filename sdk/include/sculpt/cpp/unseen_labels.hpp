// unseen_labels.hpp - the parameter `unseen_labels` of datasets: what a label is that training does
// not have.
//
// SPDX-License-Identifier: Apache-2.0
//
// If such a label counts as wrong, the truth has unseen_label in its place, which no guess equals.
// Only splits other than "train" have it. A loss that does not know it takes it for unobserved,
// because it is negative: use is_wrong_label().
#pragma once

#include <cstdint>
#include <string>

#include "parameters.hpp"

namespace sculpt {

// An entry of a truth that is a label, but one that no output has.
inline constexpr std::int32_t unseen_label = -2;

// Returns whether a guess counts as wrong: -1 in the truth is unobserved, so nothing is wrong.
constexpr bool is_wrong_label(std::int32_t truth, std::int32_t guess) {
  return truth != -1 && truth != guess;
}

enum class UnseenLabels {
  refuse,  // an error
  wrong,   // a label that no guess has
  free     // no label
};

constexpr sculpt_parameter unseen_labels() {
  return choice("unseen_labels", R"("refuse")", "refuse|wrong|free",
                "labels that only other data have; refuse: they are errors; wrong: every guess for "
                "them counts as wrong; free: such as ?, they stand for no label and are not "
                "measured");
}

inline UnseenLabels unseen_labels_of(const Parameters& given) {
  const std::string choice = given.choice("unseen_labels");
  if (choice == "free") return UnseenLabels::free;
  return choice == "wrong" ? UnseenLabels::wrong : UnseenLabels::refuse;
}

// What to do about a label that is refused. Ends with "or", before the last possibility.
inline constexpr const char* unseen_label_remedies =
    "correct it, count every guess for it as wrong (--set dataset.unseen_labels=wrong), take it "
    "for no label (free), or ";

// A warning about labels that are not refused: "2 rows have labels that do not occur in the
// training data; every guess for them counts as wrong". `thing`: what has a label, such as "row".
// "" if `count` is 0.
inline std::string unseen_labels_text(const std::string& thing, std::int64_t count,
                                      UnseenLabels taken_for) {
  if (count == 0) return "";
  const bool is_one = count == 1;
  return std::to_string(count) + " " + thing +
         (is_one ? " has a label that does" : "s have labels that do") +
         " not occur in the training data; " +
         (taken_for == UnseenLabels::wrong
              ? std::string("every guess for ") + (is_one ? "it" : "them") + " counts as wrong"
              : std::string(is_one ? "it is" : "they are") +
                    " taken for unlabelled, and not measured");
}

}  // namespace sculpt
