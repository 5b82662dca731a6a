#include "check/bench.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/message_text.hpp"
#include "check/factor_graph_use.hpp"
#include "registry/library.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t looked_at = 2000;     // examples among which those to ask about are chosen
constexpr std::int64_t full_support = 4096;  // up to this dimension w is drawn in full

}  // namespace

bool Bench::is_whole(std::int64_t example) {
  const sculpt_labels y = truth(example);
  return y.data != nullptr && std::find(y.data, y.data + y.size, -1) == y.data + y.size;
}

// Half of them the shortest there are, the other half drawn from all lengths.
const std::vector<std::int64_t>& Bench::examples() {
  if (examples_) return *examples_;
  std::vector<std::int64_t> known = options_.examples;
  if (options_.examples.empty()) {
    known.resize(static_cast<std::size_t>(std::min(problem_.dataset().count(), looked_at)));
    std::iota(known.begin(), known.end(), std::int64_t{0});
  }
  known.erase(std::remove_if(known.begin(), known.end(),
                             [this](std::int64_t example) { return !is_whole(example); }),
              known.end());
  std::stable_sort(known.begin(), known.end(),
                   [&](std::int64_t a, std::int64_t b) { return truth(a).size < truth(b).size; });
  const auto wanted = level().of<std::size_t>(3, 8, 16);
  if (options_.examples.empty() && known.size() > wanted) {
    const std::size_t first = wanted / 2;
    const std::size_t rest = wanted - first;
    std::vector<std::int64_t> chosen(known.begin(),
                                     known.begin() + static_cast<std::ptrdiff_t>(first));
    Random random = this->random("examples");
    for (std::size_t k = 0; k < rest; ++k) {
      const auto at = [&](std::size_t part) {
        return first + (known.size() - first) * part / rest;
      };
      const auto drawn = random.integer(static_cast<std::int64_t>(at(k)),
                                        static_cast<std::int64_t>(at(k + 1)) - 1);
      chosen.push_back(known[static_cast<std::size_t>(drawn)]);
    }
    known = std::move(chosen);
  }
  return examples_.emplace(std::move(known));
}

bool Bench::is_foreign(const Component& component) const {
  if (options_.library.empty()) return false;
  const auto own = Library::load(options_.library).components();
  return std::find(own.begin(), own.end(), &component.description()) == own.end();
}

std::string Bench::oracle_name() {
  const std::vector<std::string> all = source_.oracles();
  return all.size() > 1 ? "one of " + joined(all, ", ") : oracle().name();
}

std::vector<const Component*> Bench::components() {
  std::vector<const Component*> all = {&problem_.dataset().component(),
                                       &problem_.features().component()};
  if (problem_.loss() != nullptr) all.push_back(&problem_.loss()->component());
  all.push_back(&oracle());
  return all;
}

bool Bench::truth_outside(const Question& question, const Reply& reply) {
  if (question.with_truth) return reply.has(SCULPT_ANSWER_TRUTH_OUTSIDE);
  const auto [place, is_new] = truth_outside_.try_emplace(question.example, false);
  if (is_new) {
    Question with_truth = question;
    with_truth.with_truth = true;
    place->second = ask(problem_, with_truth).has(SCULPT_ANSWER_TRUTH_OUTSIDE);
  }
  return place->second;
}

const OutputSet& Bench::outputs(std::int64_t example) {
  const auto found = outputs_.find(example);
  if (found != outputs_.end()) return found->second;
  OutputSource source(problem_, level().of<std::int64_t>(200, 2000, 20000));
  OutputSet set = source.find(example, {});
  if (!set.complete) set = source.find(example, known_outputs(example));
  return outputs_.emplace(example, std::move(set)).first->second;
}

Output Bench::appraised(std::int64_t example, const std::vector<std::int32_t>& labels) {
  return OutputSource(problem_, 0).appraised(example, labels);
}

// The oracle's answers, and assignments of the graph with their neighbours.
std::vector<std::vector<std::int32_t>> Bench::known_outputs(std::int64_t example) {
  std::vector<std::vector<std::int32_t>> known;
  Random random = this->random("pool " + std::to_string(example));
  const OutputSet truth_alone = OutputSource(problem_, 0).find(example, {});
  std::vector<std::int32_t> touched;
  for (const Output& output : truth_alone.outputs) touched = output.psi.index;
  if (problem_.dimension() <= full_support) {
    touched.resize(static_cast<std::size_t>(problem_.dimension()));
    std::iota(touched.begin(), touched.end(), 0);
  }
  const WeightSource source(problem_.dimension(), touched, problem_.nonnegative());
  const TestClock clock = clock_.part(examples().size());
  for (int k = 0; k < level().of(10, 30, 60) && !clock.asked(pools_end); ++k) {
    const Weights w = source.draw(random, k);
    Reply reply = ask(problem_, {example, &w, 0, true, random.next()});
    if (!reply.has(SCULPT_ANSWER_NO_OUTPUT)) known.push_back(std::move(reply.labels));
  }
  FactorGraphUse use(problem_.features());
  if (!use.offered() || oracle().has_trait(SCULPT_TRAIT_SEPARATION_SET)) return known;
  const sculpt_factor_graph& graph = use.graph(example);
  if (assignment_count(graph, 1) == 0) return known;
  for (int k = 0; k < level().of(10, 50, 200); ++k) {
    std::vector<std::int32_t> y(static_cast<std::size_t>(graph.variable_count));
    for (std::size_t v = 0; v < y.size(); ++v) {
      y[v] = static_cast<std::int32_t>(random.integer(0, graph.states[v] - 1));
    }
    known.push_back(std::move(y));
  }
  return known;
}

const WeightSource& Bench::weights() {
  if (weights_) return *weights_;
  std::vector<std::int32_t> support;
  if (problem_.dimension() <= full_support) {
    support.resize(static_cast<std::size_t>(problem_.dimension()));
    std::iota(support.begin(), support.end(), 0);
  } else {
    std::set<std::int32_t> touched;
    for (const std::int64_t example : examples()) {
      for (const Output& output : outputs(example).outputs) {
        touched.insert(output.psi.index.begin(), output.psi.index.end());
      }
    }
    support.assign(touched.begin(), touched.end());
  }
  return weights_.emplace(problem_.dimension(), std::move(support), problem_.nonnegative());
}

std::vector<double> Bench::loss_weights() {
  if (!takes_loss()) return {0};
  return level().of(std::vector<double>{0, 1}, std::vector<double>{0, 1, 0.3},
                    std::vector<double>{0, 1, 0.3, 17});
}

void Bench::each_question(Findings& findings, std::string_view test,
                          const std::function<void(const Question&)>& body) {
  Random random = this->random(test);
  const bool small = problem_.dimension() <= full_support;
  const int draws = small ? level().of(12, 48, 160) : level().of(6, 12, 24);
  const bool own_set = oracle().has_trait(SCULPT_TRAIT_SEPARATION_SET);
  const std::size_t each = loss_weights().size() + (own_set ? 0 : 1);
  Pace pace(clock_, findings, static_cast<std::int64_t>(examples().size() * each) * draws,
            "questions");
  for (int number = 0; number < draws; ++number) {
    const Weights w = weights().draw(random, number);
    for (const double loss_weight : loss_weights()) {
      for (const std::int64_t example : examples()) {
        if (!pace.next()) return;
        body({example, &w, loss_weight, true, random.next()});
      }
    }
    if (own_set) continue;
    for (const std::int64_t example : examples()) {
      if (!pace.next()) return;
      body({example, &w, 0, false, random.next()});
    }
  }
}

}  // namespace sculpt::core
