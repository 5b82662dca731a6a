#include "solver/one_slack/cut_sample.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "base/random.hpp"
#include "linalg/products.hpp"

namespace sculpt::core {
namespace {

Random random_of(std::uint64_t seed, const Pass& pass) {
  return {seed, "cut of pass " + std::to_string(pass.number)};
}

}  // namespace

void CutSample::ask(const Pass& pass, JointWeight weight, JointSeparation& joint) {
  for (std::vector<double>* values : {&joint.low, &joint.high, &joint.rounding, &joint.magnitude})
    values->clear();
  joint.a.assign(static_cast<std::size_t>(context_.source.dimension()), 0.0);
  joint.b = 0;
  joint.max_squared_norm = 0;
  joint.counts = {};
  asks_all() ? ask_all_and_draw(pass, weight, joint) : ask_drawn(pass, weight, joint);
}

void CutSample::ask_about(std::span<const std::int64_t> examples, const Pass& pass) {
  context_.ask(std::ssize(examples), [&] {
    context_.source.separate(context_.pass_controller.query_point(), examples, pass, answers_);
  });
}

void CutSample::ask_drawn(const Pass& pass, JointWeight weight, JointSeparation& joint) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(context_.source.example_count()));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  random_of(context_.source.seed(), pass).shuffle(order);
  order.resize(std::min(order.size(), static_cast<std::size_t>(options_.cut_sample)));
  std::sort(order.begin(), order.end());
  ask_about(order, pass);
  add_answers(joint);
  const std::vector<double> factors(order.size(), 1 / static_cast<double>(order.size()));
  add_planes(factors, weight, joint);
}

// Asks about all examples, then once more about those drawn: n planes would need much memory.
void CutSample::ask_all_and_draw(const Pass& pass, JointWeight weight, JointSeparation& joint) {
  const std::int64_t n = context_.source.example_count();
  Pass measuring = pass;
  measuring.makes_steps = false;
  context_.ask_all(measuring, answers_, [&](std::span<const std::int64_t>) { add_answers(joint); });
  std::vector<double> sums(joint.low.size());
  double sum = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = sum += std::max(0.0, joint.low[i]);
  if (sum == 0) return;  // no example is violated: the zero plane
  Random random = random_of(context_.source.seed(), pass);
  std::vector<std::int64_t> draws(sums.size(), 0);
  for (std::int64_t k = 0; k < options_.cut_sample; ++k) {
    const auto found = std::upper_bound(sums.begin(), sums.end() - 1, random.unit() * sum);
    ++draws[static_cast<std::size_t>(found - sums.begin())];
  }
  const double scale = sum / static_cast<double>(n) / static_cast<double>(options_.cut_sample);
  std::vector<std::int64_t> drawn;
  std::vector<double> factors;
  for (std::size_t i = 0; i < draws.size(); ++i) {
    if (draws[i] == 0 || joint.low[i] <= 0) continue;
    drawn.push_back(static_cast<std::int64_t>(i));
    factors.push_back(scale * static_cast<double>(draws[i]) / joint.low[i]);
  }
  ask_about(drawn, pass);
  add_planes(factors, weight, joint);
}

void CutSample::add_answers(JointSeparation& joint) const {
  for (const Separation& answer : answers_) {
    joint.counts.add(answer);
    joint.low.push_back(answer.no_output ? 0 : answer.low);
    joint.high.push_back(answer.no_output ? 0 : answer.high);
    joint.rounding.push_back(answer.no_output ? 0 : answer.rounding);
    joint.magnitude.push_back(!answer.no_output && answer.low > 0 ? answer.magnitude : 0);
  }
}

// Adds the planes of the last answers that are violated, with these factors.
void CutSample::add_planes(std::span<const double> factors, JointWeight weight,
                           JointSeparation& joint) const {
  for (std::size_t k = 0; k < factors.size(); ++k) {
    const Separation& answer = answers_[k];
    if (answer.no_output || answer.low <= 0) continue;
    const double factor = factors[k] * (weight == JointWeight::slack ? answer.low : 1);
    axpy(factor, answer.plane.a, joint.a);
    joint.b += factor * answer.plane.b;
  }
}

}  // namespace sculpt::core
