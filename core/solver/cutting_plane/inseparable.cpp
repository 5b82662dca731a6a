#include "solver/cutting_plane/inseparable.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

// Examples with less than this fraction of the largest alpha do not belong to the proof. Their
// alpha is left from earlier steps.
constexpr double min_alpha_fraction = 0.01;

// The oracle is asked at w and at this many further w, about this many examples at each.
constexpr std::size_t max_further_w = 8;
constexpr std::size_t max_examples_asked = 1000;
// A further w satisfies the margin of a plane this many times over.
constexpr double margin_factor = 100;
constexpr double min_squared_norm = 1e-300;

// Ratio of the sizes of columns. Above the first, scaling would make the planes easier to separate.
// Above the second, rounding hides the smaller column.
constexpr double min_ratio_to_scale = 1e3;
constexpr double max_visible_ratio = 1e12;

// The norm of the longest of all planes, divided by the largest |a_j| of the smallest column here.
double column_ratio(const InfeasiblePlanes& planes, double longest) {
  const double smallest = planes.magnitude_of_smallest_column(longest);
  return smallest > 0 ? longest / smallest : 1;
}

// Adds the planes of these examples at w. Returns false if it was interrupted.
bool ask_at(WeightView w, PassController& pass_controller, PlaneSource& source,
            std::span<const std::int64_t> examples, InfeasiblePlanes& planes) {
  const Pass pass(static_cast<std::uint64_t>(pass_controller.passes()));
  std::vector<Separation> answers;
  const auto call_source = [&] { source.separate(w, examples, pass, answers); };
  if (!pass_controller.ask(static_cast<std::int64_t>(examples.size()), call_source)) return false;
  for (std::size_t k = 0; k < examples.size(); ++k) {
    const Separation& answer = answers[k];
    if (answer.no_output) continue;
    planes.add(examples[k], PlaneVector(answer.plane.a), answer.plane.b);
  }
  return true;
}

// A w that satisfies the margin of a plane margin_factor times over; empty if there is no finite
// one.
Vector weights_along(const ExamplePlane& plane, std::size_t dimension) {
  double squared = 0;
  for (const auto& [j, value] : plane.a) squared += value * value;
  if (plane.b <= 0 || !(squared > min_squared_norm)) return {};
  Vector w(dimension, 0.0);
  for (const auto& [j, value] : plane.a) w[j] = margin_factor * plane.b * value / squared;
  return w;
}

// `limit`: which weights the proof is about, such as " of norm up to 1e4"; "": all.
std::string no_weights_text(const std::string& limit) {
  return "no weights" + limit +
         " give all their outputs the margins that \"C\": \"inf\" requires; ";
}

// The message for examples without a contradiction between two of them: the fault and the remedy.
std::string inseparable_text(const WorkingSet& working_set, double separation_floor,
                             double size_ratio, const std::string& column_advice) {
  const std::string advice = "set a finite \"C\", or correct the labels or the features";
  if (size_ratio > max_visible_ratio) {
    return no_weights_text(" that doubles can find") +
           "columns differ in size by more than 1e+12, so rounding hides the small ones: " +
           column_advice + ", or set a finite \"C\"";
  }
  const double min_margin = separation_floor * working_set.largest_norm_after_column_scaling();
  if (!(min_margin > 0) || working_set.squared_norm() == 0) return no_weights_text("") + advice;
  return no_weights_text(" of norm up to " + number_text(1 / min_margin)) +
         (size_ratio > min_ratio_to_scale ? "columns differ in size: " + column_advice + ", "
                                          : "") +
         advice + ", or lower \"separation_floor\" in \"solver\" to allow longer weights";
}

}  // namespace

std::vector<std::int64_t> infeasible_examples(const std::vector<double>& alpha_of_examples) {
  const double min_alpha =
      min_alpha_fraction * *std::max_element(alpha_of_examples.begin(), alpha_of_examples.end());
  std::vector<std::int64_t> examples;
  for (std::size_t i = 0; i < alpha_of_examples.size(); ++i) {
    if (alpha_of_examples[i] >= min_alpha) examples.push_back(static_cast<std::int64_t>(i));
  }
  return examples;
}

InfeasiblePlanes ask_for_planes(PassController& pass_controller, PlaneSource& source, WeightView w,
                                std::span<const std::int64_t> examples) {
  InfeasiblePlanes planes;
  const auto asked = examples.first(std::min(examples.size(), max_examples_asked));
  if (!ask_at(w, pass_controller, source, asked, planes)) return planes;
  const std::size_t count = std::min(planes.stored().size(), max_further_w);
  for (std::size_t p = 0; p < count; ++p) {
    const Vector further = weights_along(planes.stored()[p], w.dense().size());
    if (!further.empty() && !ask_at(further, pass_controller, source, asked, planes)) break;
  }
  return planes;
}

void refuse_contradiction(const PlaneSource& source, const InfeasiblePlanes& planes) {
  if (const auto example = find_impossible_example(planes.stored())) {
    source.report_inseparable(
        std::array{*example},
        "cannot have the margin that \"C\": \"inf\" requires: another output has the "
        "same features as the truth, for example because its row has no features; "
        "correct or remove the example, or set a finite \"C\"");
  }
  if (const auto pair = find_contradiction(planes.stored())) {
    const std::array named = {std::min(pair->first, pair->second),
                              std::max(pair->first, pair->second)};
    source.report_inseparable(
        named,
        "contradict each other: no weights give both the margins that \"C\": \"inf\" "
        "requires, for example because one row is equal to the other, or a multiple of it; "
        "correct or remove one of them, or set a finite \"C\"");
  }
}

void refuse_inseparable(const PlaneSource& source, const WorkingSet& working_set,
                        double separation_floor, const std::vector<double>& alpha_of_examples,
                        const PlanesOf& planes_of) {
  const std::vector<std::int64_t> examples = infeasible_examples(alpha_of_examples);
  const InfeasiblePlanes planes = planes_of(examples);
  refuse_contradiction(source, planes);
  const double size_ratio = column_ratio(planes, working_set.largest_norm());
  source.report_inseparable(examples, inseparable_text(working_set, separation_floor, size_ratio,
                                                       source.column_advice()));
}

}  // namespace sculpt::core
