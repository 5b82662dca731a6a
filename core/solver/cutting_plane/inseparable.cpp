#include "solver/cutting_plane/inseparable.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/text/message_text.hpp"

namespace sculpt::core {
namespace {

// Examples with less than this part of the largest alpha do not belong to the proof. Their alpha is
// left from earlier steps.
constexpr double good_part = 0.01;

// The number of further places, and of examples asked about at each.
constexpr std::size_t max_examples_named = 8;
constexpr std::size_t max_examples_asked = 1000;
constexpr double place_factor = 100;
constexpr double min_squared_norm = 1e-300;

// Ratio of the sizes of columns. Above the first, scaling would make the planes easier to separate.
// Above the second, rounding hides the smaller column.
constexpr double columns_far_apart = 1e3;
constexpr double hidden = 1e12;

// The norm of the longest of all planes, divided by the largest |a_j| of the smallest column here.
double column_ratio(const InfeasiblePlanes& planes, double longest) {
  const double least = planes.smallest_column(longest);
  return least > 0 ? longest / least : 1;
}

// Returns false if it was interrupted.
bool ask(PassController& pass_controller, PlaneSource& source, WeightView place,
         std::span<const std::int64_t> examples, InfeasiblePlanes& planes) {
  const Pass pass(static_cast<std::uint64_t>(pass_controller.passes()));
  std::vector<Separation> answers;
  const auto question = [&] { source.separate(place, examples, pass, answers); };
  if (!pass_controller.ask(static_cast<std::int64_t>(examples.size()), question)) return false;
  for (std::size_t k = 0; k < examples.size(); ++k) {
    const Separation& answer = answers[k];
    if (answer.no_output) continue;
    planes.add(examples[k], PlaneVector(answer.plane.a), answer.plane.b);
  }
  return true;
}

// A w that satisfies the margin of a plane place_factor times over; empty if there is no finite
// one.
Vector place_of(const ExamplePlane& plane, std::size_t dimension) {
  double squared = 0;
  for (const auto& [j, value] : plane.a) squared += value * value;
  if (plane.b <= 0 || !(squared > min_squared_norm)) return {};
  Vector place(dimension, 0.0);
  for (const auto& [j, value] : plane.a) place[j] = place_factor * plane.b * value / squared;
  return place;
}

std::string demand(const std::string& norm) {
  return "no weights" + norm + " give all their outputs the margins that C = inf demands; ";
}

// The message for examples without a contradiction between two of them: the fault and the remedy.
std::string text_of(const WorkingSet& working_set, double separation_floor, double ratio,
                    const std::string& column_advice) {
  const std::string correct = "set a finite C, or correct the labels or the features";
  if (ratio > hidden) {
    return demand(" that doubles can find") +
           "columns differ in size by more than 1e+12, and rounding hides the small ones: " +
           column_advice + ", or set a finite C";
  }
  const double shortest = separation_floor * working_set.longest_after_column_scaling();
  if (!(shortest > 0) || working_set.squared_norm() == 0) return demand("") + correct;
  return demand(" of norm up to " + number_text(1 / shortest)) +
         (ratio > columns_far_apart ? "columns differ in size: " + column_advice + ", " : "") +
         correct + ", or lower solver.separation_floor to look among longer ones";
}

}  // namespace

std::vector<std::int64_t> infeasible_examples(const std::vector<double>& carried) {
  const double least = good_part * *std::max_element(carried.begin(), carried.end());
  std::vector<std::int64_t> examples;
  for (std::size_t i = 0; i < carried.size(); ++i) {
    if (carried[i] >= least) examples.push_back(static_cast<std::int64_t>(i));
  }
  return examples;
}

InfeasiblePlanes ask_for_planes(PassController& pass_controller, PlaneSource& source, WeightView w,
                                std::span<const std::int64_t> examples) {
  InfeasiblePlanes planes;
  const auto asked = examples.first(std::min(examples.size(), max_examples_asked));
  if (!ask(pass_controller, source, w, asked, planes)) return planes;
  const std::size_t found = std::min(planes.kept().size(), max_examples_named);
  for (std::size_t p = 0; p < found; ++p) {
    const Vector place = place_of(planes.kept()[p], w.dense().size());
    if (!place.empty() && !ask(pass_controller, source, place, asked, planes)) break;
  }
  return planes;
}

void refuse_contradiction(const PlaneSource& source, const InfeasiblePlanes& planes) {
  if (const auto one = impossible_example(planes.kept())) {
    source.inseparable(std::array{*one},
                       "cannot have the margin that C = inf demands: another output has the "
                       "same features as the truth, as where a row has no features; correct or "
                       "drop it, or set a finite C");
  }
  if (const auto two = contradiction(planes.kept())) {
    const std::array named = {std::min(two->first, two->second), std::max(two->first, two->second)};
    source.inseparable(named,
                       "contradict each other: no weights give both the margins that C = inf "
                       "demands, as where rows are equal and labels are not; correct or drop "
                       "one of them, or set a finite C");
  }
}

void refuse_inseparable(const PlaneSource& source, const WorkingSet& working_set,
                        double separation_floor, const std::vector<double>& carried,
                        const PlanesOf& planes_of) {
  const std::vector<std::int64_t> examples = infeasible_examples(carried);
  const InfeasiblePlanes planes = planes_of(examples);
  refuse_contradiction(source, planes);
  source.inseparable(
      examples, text_of(working_set, separation_floor, column_ratio(planes, working_set.longest()),
                        source.column_advice()));
}

}  // namespace sculpt::core
