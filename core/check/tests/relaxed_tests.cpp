// The relaxed answers about the examples of an experiment (sculpt/ext/cut.h), of a map_solver or of
// an oracle of its own: psi and Delta in place of an output.

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text/message_text.hpp"
#include "check/answers/answer_comparison.hpp"
#include "check/answers/claim_test.hpp"
#include "check/answers/counter_example.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/plugin/lent_cut.hpp"

namespace sculpt::core {
namespace {

void cut_value_test(Bench& bench, Findings& findings) {
  require_relaxed(bench, findings);
  run_claim(bench, findings, "cut.value", broken_value, true);
}

void cut_bound_test(Bench& bench, Findings& findings) {
  require_relaxed(bench, findings);
  const Tally tally = run_claim(bench, findings, "cut.bound", broken_relaxed_bound, true);
  const std::string share = std::to_string(tally.fractional) + " of " +
                            std::to_string(findings.cases()) + " relaxed answers were fractional";
  if (tally.exact + tally.bounded == 0) {
    findings.skip(bench.oracle_name() + " says neither EXACT nor BOUND; " + share);
  }
  findings.remark(share);
}

// An answer that is an output after all is one, and there is an output wherever argmax has one.
void cut_output_test(Bench& bench, Findings& findings) {
  require_relaxed(bench, findings);
  bench.each_question(findings, "cut.output", [&](const Question& question) {
    findings.now(question.text() + ", relaxed");
    Question relaxed = question;
    relaxed.relaxed = true;
    const Reply reply = ask(bench.problem(), relaxed);
    const bool none = ask(bench.problem(), question).has(SCULPT_ANSWER_NO_OUTPUT);
    const OutputSet& set = bench.outputs(question.example);
    findings.count(set.complete ? Findings::Compared::everything : Findings::Compared::something);
    const auto refuse = [&](const std::string& what) {
      findings.fail({bench.oracle_name() + " " + what, example_text(bench, question.example),
                     relaxed.text(), "  relaxed " + reply.text()});
    };
    if (none != reply.has(SCULPT_ANSWER_NO_OUTPUT)) {
      refuse(none ? "says NO_OUTPUT, but has a relaxed answer"
                  : "says NO_OUTPUT of its relaxed answer, but has an output");
    }
    if (none || reply.fractional() || !set.complete) return;
    const bool known = std::any_of(set.outputs.begin(), set.outputs.end(),
                                   [&](const Output& one) { return one.labels == reply.labels; });
    if (!known) refuse("calls its relaxed answer an output that there is not");
  });
}

// The psi and Delta that an oracle of its own writes for a relaxed answer, also where that is an
// output and the host takes them from the features and the loss.
class WrittenCut {
 public:
  explicit WrittenCut(Bench& bench)
      : problem_(bench.problem()),
        oracle_(bench.oracle()),
        sessions_(oracle_, 1),
        sum_(problem_.dimension()) {}

  // Its labels, psi and loss; fractional() as the oracle says.
  Reply ask(const Question& question) {
    const sculpt_query query = query_of(problem_, question);
    sum_.clear();
    Answer answer;
    {
      LentCut cut(answer);
      oracle_.call("cut", question.example, [&](sculpt_error* error) {
        return oracle_.extension<sculpt_ext_cut>()->cut(sessions_.of(0), &query, sum_.raw(),
                                                        cut.raw(), error);
      });
      cut.take();
    }
    const std::string fault = sum_.fault();
    if (!fault.empty()) oracle_.refuse(Exit::plugin, question.example, fault);
    Reply reply(answer);
    reply.loss = answer.origin.loss;
    sum_.merge(reply.psi);
    return reply;
  }

 private:
  Problem& problem_;
  const Component& oracle_;
  Sessions sessions_;
  SparseAccumulator sum_;
};

// By how much two feature vectors differ, and the terms of their entries.
Value distance(const SparseVector& a, const SparseVector& b, std::int64_t dimension) {
  std::vector<double> difference(static_cast<std::size_t>(dimension), 0.0);
  Value value;
  for (const auto& [vector, sign] : {std::pair{&a, 1.0}, std::pair{&b, -1.0}}) {
    for (std::size_t k = 0; k < vector->index.size(); ++k) {
      difference[static_cast<std::size_t>(vector->index[k])] += sign * vector->value[k];
      value.terms += {std::abs(vector->value[k]), 1};
    }
  }
  for (const double one : difference) value.value = std::max(value.value, std::abs(one));
  return value;
}

void cut_features_test(Bench& bench, Findings& findings) {
  require_relaxed(bench, findings);
  const std::string name = bench.oracle_name();
  if (bench.oracle().extension<sculpt_ext_cut>() == nullptr) {
    findings.skip(name + " is a map_solver: the host makes psi and loss of its beliefs");
  }
  WrittenCut cut(bench);
  bench.each_question(findings, "cut.features", [&](const Question& question) {
    findings.now(question.text() + ", relaxed");
    const Reply reply = cut.ask(question);
    if (reply.has(SCULPT_ANSWER_NO_OUTPUT) || reply.fractional()) return;
    findings.count();
    const Output output = bench.appraised(question.example, reply.labels);
    const Value apart = distance(reply.psi, output.psi, bench.problem().dimension());
    const bool loss_counts = question.with_truth && bench.takes_loss();
    const double loss = loss_counts ? output.loss : reply.loss;
    const bool same = std::abs(reply.loss - loss) <= rounding_of_loss(output);
    if (apart.value <= apart.terms.rounding() && same) return;
    findings.fail({name + " calls its relaxed answer an output, but " +
                       (same ? "the psi written is not that of the output: a weight is " +
                                   exact_number_text(apart.value) + " off"
                             : "its loss is " + exact_number_text(reply.loss) +
                                   ", that of the output " + exact_number_text(loss)),
                   example_text(bench, question.example) + "; " + question.text(),
                   output_text(bench, question, "answer", output)});
  });
  if (findings.cases() == 0) findings.skip(name + ": none of its relaxed answers was an output");
}

}  // namespace

std::span<const ExperimentTest> cut_tests() {
  static constexpr std::array<ExperimentTest, 4> tests{{{"cut.value", cut_value_test},
                                                        {"cut.output", cut_output_test},
                                                        {"cut.features", cut_features_test},
                                                        {"cut.bound", cut_bound_test}}};
  return tests;
}

}  // namespace sculpt::core
