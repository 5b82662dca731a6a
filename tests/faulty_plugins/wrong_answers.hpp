// wrong_answers.hpp - components that declare or answer other extensions than their class offers.
//
// For SCULPT_PLUGIN in mutants of shipped plugins: the wrapper itself has no such fault.
#pragma once

#include <array>
#include <cstring>
#include <sculpt/sculpt.hpp>
#include <string>
#include <string_view>

namespace {

// Answers scores, but does not declare them.
template <class T>
struct UndeclaredScores : sculpt::Features<T> {
  static constexpr const sculpt_component& original = sculpt::Features<T>::component;
  static constexpr auto ids = [] {
    std::array<const char*, static_cast<std::size_t>(original.extension_count) - 1> ids{};
    std::size_t n = 0;
    for (std::int64_t k = 0; k < original.extension_count; ++k) {
      const char* const id = original.extensions[k];
      if (std::string_view(id) != SCULPT_EXT_SCORES) ids[n++] = id;
    }
    return ids;
  }();
  static constexpr sculpt_component component = [] {
    sculpt_component changed = original;
    changed.extensions = ids.data();
    changed.extension_count = static_cast<std::int64_t>(ids.size());
    return changed;
  }();
};

// A component with another function `extension`.
template <class Kind, decltype(sculpt_life::extension) extension>
struct OtherAnswers : Kind {
  static constexpr sculpt_life life = [] {
    sculpt_life changed = *Kind::component.life;
    changed.extension = extension;
    return changed;
  }();
  static constexpr sculpt_component component = [] {
    sculpt_component changed = Kind::component;
    changed.life = &life;
    return changed;
  }();
};

// Once it is bound, it takes each id that begins as that of scores for scores.
template <class T>
const void* scores_by_prefix(const void* self, const char* id) {
  const std::string shortened = std::string(id).substr(0, std::strlen(SCULPT_EXT_SCORES));
  const bool is_bound = sculpt::component_of<T>(self).dimension() > 0;
  const bool is_prefix = is_bound && shortened == SCULPT_EXT_SCORES;
  return sculpt::Features<T>::component.life->extension(self, is_prefix ? SCULPT_EXT_SCORES : id);
}
template <class T>
struct ScoresByPrefix : OtherAnswers<sculpt::Features<T>, scores_by_prefix<T>> {};

// A loss that answers an extension of features.
template <class T>
const void* factor_graph_of_loss(const void* self, const char* id) {
  static constexpr int table = 1;
  if (std::string_view(id) == SCULPT_EXT_FACTOR_GRAPH) return &table;
  return sculpt::Loss<T>::component.life->extension(self, id);
}
template <class T>
struct FactorGraphOfLoss : OtherAnswers<sculpt::Loss<T>, factor_graph_of_loss<T>> {};

}  // namespace
