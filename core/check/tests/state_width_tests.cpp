// Tests that a state holds all that was learned from the data. Components restored from it read
// data of another width, with other names, or with other examples around the same ones.
//
// The host cannot see a read behind the end of an array. But memory that a component never wrote
// has other contents in a second run, because the allocator fills it with another byte.

#include <malloc.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "base/stopwatch.hpp"
#include "base/text/message_text.hpp"
#include "check/answers/claims.hpp"
#include "check/answers/counter_example.hpp"
#include "check/fixture/source_text.hpp"
#include "check/fixture/varied_text.hpp"
#include "check/tests/learned_width.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/components/dataset_rows.hpp"
#include "problem/plugin/labels_copy.hpp"
#include "problem/plugin/unknown_labels.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t max_text = 50'000;    // bytes
constexpr std::int64_t max_predicted = 50;  // examples of a variation
constexpr std::int64_t max_listed = 8;      // of these, those whose outputs are listed
constexpr double max_example_time = 0.05;   // of the time limit, for one example of a variation

// Thrown between two examples if the time for queries is over.
struct OutOfTime {};

// What restored components say about one example.
struct Seen {
  bool is_labelled = false;
  std::vector<std::int32_t> truth;
  std::vector<OwnedAnswer> answers;  // one for each w, without the truth
  std::vector<SparseVector> psi;     // of the answers

  bool operator==(const Seen& other) const {
    return has_same_outputs(other) && answers == other.answers &&
           std::equal(psi.begin(), psi.end(), other.psi.begin(), other.psi.end(),
                      [](const SparseVector& a, const SparseVector& b) {
                        return a.index == b.index && a.value == b.value;
                      });
  }
  bool has_same_outputs(const Seen& other) const {
    return is_labelled == other.is_labelled && truth == other.truth &&
           std::equal(
               answers.begin(), answers.end(), other.answers.begin(), other.answers.end(),
               [](const OwnedAnswer& a, const OwnedAnswer& b) { return a.labels == b.labels; });
  }
};

// Returns how many of `found` have no partner in `known` with the same truth and outputs.
std::ptrdiff_t count_unmatched(const std::vector<Seen>& found, std::vector<Seen> known) {
  return std::count_if(found.begin(), found.end(), [&](const Seen& one) {
    const auto partner = std::find_if(
        known.begin(), known.end(), [&](const Seen& other) { return one.has_same_outputs(other); });
    if (partner == known.end()) return true;
    known.erase(partner);
    return false;
  });
}

// True if the components refused the data themselves, and are not at fault.
bool refuses_input(const Failure& failure) {
  return failure.exit_code() == Exit::data || failure.exit_code() == Exit::missing ||
         failure.exit_code() == Exit::config;
}

// True if a message names a line or an example: "days.txt:3", "example 3".
bool names_place(const std::string& text) {
  for (const std::string_view before : {":", "line ", "example "}) {
    for (std::size_t k = text.find(before); k != std::string::npos; k = text.find(before, k + 1)) {
      const char next = (text + ' ')[k + before.size()];
      if (next >= '0' && next <= '9') return true;
    }
  }
  return false;
}

class WidthTest {
 public:
  WidthTest(TestFixture& fixture, TestContext& context)
      : fixture_(fixture),
        context_(context),
        states_(states_for_prediction(fixture.problem())),
        source_(fixture.factory().sources().front()),
        width_(learned_width(fixture.problem())) {
    if (width_.blocks == 0) draw_weights(fixture.weights());
    source_.split = "predict";
  }

  void run() {
    const std::string text = readable_text();
    const std::vector<VariedText> variations = vary_text(text);
    if (variations.empty()) context_.skip("its data have no lines with fields");
    const VariedText unchanged{"nothing changed", "what it learned", text, false};
    require_fast_example(unchanged);
    try {
      run_first_examples(variations);
      run_all_examples(unchanged, variations);
    } catch (const OutOfTime&) {
      context_.remark(
          "predicted fewer examples of the variations than it could, because the time was over; a "
          "larger --time-limit allows more");
    }
  }

 private:
  void draw_weights(const WeightGenerator& generator) {
    Random random = fixture_.random("state.width");
    weights_.clear();
    for (int number = 1; number <= fixture_.level().choose(2, 3, 5); ++number) {
      weights_.push_back(generator.draw(random, number));
    }
  }

  // The first example of each variation. So even a slow oracle sees every variation.
  void run_first_examples(const std::vector<VariedText>& variations) {
    TimeBudget budget(fixture_.timer(), context_, static_cast<std::int64_t>(variations.size()),
                      "variations of the data");
    std::int64_t refused = 0;
    for (const VariedText& varied : variations) {
      if (!budget.next()) break;
      context_.count();
      refused += look_twice(varied) ? 0 : 1;
    }
    if (refused > 0) {
      context_.remark("the components refused " + std::to_string(refused) + " of " +
                      std::to_string(context_.cases()) + " variations of their data");
    }
  }

  // The first examples of each variation, compared with those of the original text.
  void run_all_examples(const VariedText& unchanged, const std::vector<VariedText>& variations) {
    if (fixture_.timer().is_query_time_over(query_time_fraction)) throw OutOfTime();
    example_count_ = max_predicted + 1;  // because one may be missing from a variation
    const std::optional<std::vector<Seen>> original = look_twice(unchanged);
    if (!original) {  // the first examples have been tested
      return context_.remark(std::string(own_data_refused) + " if more than one is predicted");
    }
    example_count_ = max_predicted;
    TimeBudget budget(fixture_.timer(), context_, static_cast<std::int64_t>(variations.size()),
                      "variations of the data with more examples");
    for (const VariedText& varied : variations) {
      if (!budget.next()) return;
      const std::optional<std::vector<Seen>> seen = look_twice(varied);
      const bool has_same_weights = width_.blocks == 0;
      if (seen && varied.keeps_other_examples && are_lines_examples_ && has_same_weights) {
        compare(varied, *original, *seen);
      }
    }
  }

  // Skips the test if one example takes too long to ask about it in every variation.
  void require_fast_example(const VariedText& unchanged) {
    const double seconds =
        fixture_.timer().limit() * fixture_.level().choose(level_1_time_factor, 1.0, 1.0);
    const Stopwatch watch;
    if (!look(unchanged, 0)) context_.skip(own_data_refused);
    if (watch.seconds() > max_example_time * seconds) {
      context_.skip(
          "reading and predicting one example takes too long to repeat it; set a larger "
          "--time-limit");
    }
    const std::int64_t count = load(unchanged.text)->dataset().count();
    are_lines_examples_ =
        may_be_examples(unchanged.text, count) && begins_with_example(unchanged.text);
  }

  // False if the first line is a heading, which may decide how all examples are read. Also false if
  // the dataset refuses this line alone.
  bool begins_with_example(const std::string& text) {
    const std::size_t begin = std::min(text.find_first_not_of("\r\n"), text.size());
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    context_.set_activity("loading the first line of the data, after restore");
    try {
      return load(text.substr(begin, end - begin) + "\n")->dataset().count() > 0;
    } catch (const Failure& failure) {
      if (failure.ends_process()) throw;
      return false;
    }
  }

  // Returns the first lines of the data. The last example may be cut. So lines are removed at the
  // end until the dataset accepts them.
  std::string readable_text() {
    std::string text = read_text();
    context_.set_activity("loading the first lines of the data, after restore");
    while (!can_load(text) && !text.empty() &&
           !fixture_.timer().is_query_time_over(max_example_time)) {
      const std::size_t end = text.find_last_of('\n', text.empty() ? 0 : text.size() - 2);
      text.resize(end == std::string::npos ? 0 : end + 1);
    }
    return text;
  }

  bool can_load(const std::string& text) {
    try {
      load(text);
      return true;
    } catch (const Failure& failure) {
      if (failure.exit_code() == Exit::memory) throw;
      return !refuses_input(failure);  // other failures are reported later
    }
  }

  std::string read_text() {
    const std::optional<std::string> text = text_of(source_, max_text + 1);
    if (!text) context_.skip("its data are not text");
    return first_lines(*text, max_text);
  }

  // Reads the text and predicts, in two runs with other contents of unused memory. Returns nothing
  // if the components refuse the text.
  std::optional<std::vector<Seen>> look_twice(const VariedText& varied) {
    std::optional<std::vector<Seen>> first = look(varied, 0x55);
    const std::optional<std::vector<Seen>> second = look(varied, 0xaa);
    if (first == second) return first;
    fail(varied,
         "restored components predict differently in two equal runs: they read memory that "
         "they never wrote, or beyond the end of an array");
  }

  std::optional<std::vector<Seen>> look(const VariedText& varied, int unused_byte) {
    mallopt(M_PERTURB, unused_byte);
    try {
      context_.set_activity("loading data with " + varied.change + ", after restore");
      const std::unique_ptr<Problem> problem = load(varied.text);
      if (learned_width(*problem) != width_) fail_dimension(varied, *problem);
      if (width_.blocks > 0) draw_weights(weights_of(*problem));  // of the atoms of this text
      return predict(varied, *problem);
    } catch (const Failure& failure) {
      if (failure.exit_code() == Exit::memory) throw;
      if (!refuses_input(failure)) fail(varied, failure.what());
      if (failure.exit_code() != Exit::config && !names_place(failure.what()))
        warn_of(varied, failure);
      return std::nullopt;
    }
  }

  // Warns once that a refusal does not say where.
  void warn_of(const VariedText& varied, const Failure& failure) {
    if (context_.report().verdict == Verdict::warn) return;
    context_.warn("data with " + varied.change +
                  " are refused without a place, such as path:line: " + failure.what());
  }

  std::unique_ptr<Problem> load(const std::string& text) {
    SplitSource source = source_;
    source.text = text;
    ProblemChanges changes;
    changes.states = states_;
    changes.sources = {{source}};
    return fixture_.factory().make(changes);
  }

  std::vector<Seen> predict(const VariedText& varied, Problem& problem) {
    std::vector<Seen> all;
    const std::int64_t count = std::min(problem.dataset().count(), example_count_);
    for (std::int64_t example = 0; example < count; ++example) {
      require_time(example);
      context_.set_activity("predicting example " + std::to_string(example) + " of data with " +
                            varied.change + ", after restore");
      all.push_back(predict(problem, example));
    }
    test_claims(varied, problem);
    return all;
  }

  // Ends the test if time is over. The first example is always asked about.
  void require_time(std::int64_t example) const {
    if (example > 0 && fixture_.timer().is_query_time_over(query_time_fraction)) throw OutOfTime();
  }

  Seen predict(Problem& problem, std::int64_t example) {
    const sculpt_labels truth = problem.dataset().truth(example);
    Seen seen{truth.data != nullptr, copy_of(truth), {}, {}};
    const bool is_complete = seen.is_labelled && !has_unknown_label(truth);
    SparseAccumulator scratch(problem.dimension());
    SparseVector psi;
    Loss* const loss = is_complete ? problem.loss() : nullptr;
    if (is_complete) problem.features().vector(0, example, truth, Exit::plugin, scratch, psi);
    if (loss != nullptr && loss->value(0, example, truth, truth) != 0) {
      loss->component().refuse(Exit::plugin, example,
                               "the loss of the truth against itself is not 0");
    }
    for (const Weights& w : weights_) {
      seen.answers.push_back(ask_oracle(problem, {example, &w, 0, /*has_truth=*/false, 1}));
      const OwnedAnswer& answer = seen.answers.back();
      if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) continue;
      const Output output{answer.labels, {}, 0, false, {}};
      problem.features().vector(0, example, output.raw(), Exit::plugin, scratch, psi);
      seen.psi.push_back(psi);
      problem.dataset().format(example, output.raw());
      if (loss != nullptr) loss->value(0, example, truth, output.raw());
    }
    return seen;
  }

  // The values of the answers, and EXACT, compared with all outputs.
  void test_claims(const VariedText& varied, Problem& problem) {
    CheckOptions options;
    options.level = fixture_.level();
    options.time_limit = fixture_.timer().limit();
    for (std::int64_t k = 0; k < std::min({problem.dataset().count(), example_count_, max_listed});
         ++k)
      options.examples.push_back(k);
    TestFixture fixture(fixture_.factory(), problem, options);
    if (fixture.oracle().has_trait(SCULPT_TRAIT_SEPARATION_SET)) return;
    OutputLister lister(problem, fixture_.level().choose<std::int64_t>(50, 200, 1000));
    for (const std::int64_t example : fixture.examples()) {
      require_time(example);
      const bool can_list = lister.all_outputs(example).has_value();
      for (const Weights& w : weights_) {
        const OracleQuery query{example, &w, 0, /*has_truth=*/false, 1};
        const OwnedAnswer answer = ask_oracle(problem, query);
        if (answer.has_flag(SCULPT_ANSWER_NO_OUTPUT)) continue;
        std::vector<std::string> lines = value_violation(fixture, query, answer);
        if (lines.empty() && can_list) lines = exact_violation(fixture, query, answer);
        if (lines.empty()) continue;
        lines.push_back(advice(varied));
        context_.fail(lines);
      }
    }
  }

  // All but one of the examples are those of the original text. So they must be read in the same
  // way, and get the same outputs. Requires that the lines or blocks of the text are its examples:
  // a first line that is a heading may decide how all others are read.
  void compare(const VariedText& varied, const std::vector<Seen>& original,
               const std::vector<Seen>& seen) {
    if (seen.size() > original.size()) return;  // the line has become an example of its own
    const std::ptrdiff_t others = count_unmatched(seen, original);
    if (others <= 1) return;
    fail(varied, "restored components read another truth, or predict another output, for " +
                     std::to_string(others) + " of " +
                     count_text(static_cast<std::int64_t>(seen.size()), "example") +
                     ", though only the first line of the data is another one");
  }

  [[noreturn]] void fail_dimension(const VariedText& varied, Problem& problem) {
    const DatasetRows rows(problem.dataset().component());
    const DatasetRows trained(fixture_.problem().dataset().component());
    const bool is_dataset =
        rows.is_offered() && trained.is_offered() && rows.column_count() != trained.column_count();
    const LearnedWidth after = learned_width(problem);
    const std::string weights =
        after.blocks > 0 ? text_of(after) : count_text(after.weights, "weight");
    fail(varied,
         (is_dataset ? problem.dataset().component() : problem.features().component()).name() +
             ": after restore there are " + weights + ", but training had " + text_of(width_));
  }

  [[noreturn]] void fail(const VariedText& varied, const std::string& what) {
    context_.fail({what, advice(varied)});
  }
  static std::string advice(const VariedText& varied) {
    return "  the data had " + varied.change + "; the state seems to lack " + varied.learned +
           ": write it in save(), and let load() refuse or ignore what training did not have";
  }

  static constexpr const char* own_data_refused =
      "restored components refuse the first lines of their own data";

  TestFixture& fixture_;
  TestContext& context_;
  std::vector<Problem::State> states_;
  SplitSource source_;
  LearnedWidth width_;
  std::int64_t example_count_ = 1;  // predicted in each variation, at most
  bool are_lines_examples_ = false;
  std::vector<Weights> weights_;
};

void state_width_test(TestFixture& fixture, TestContext& context) {
  WidthTest(fixture, context).run();
}

}  // namespace

std::span<const ExperimentTest> state_width_tests() {
  static constexpr std::array<ExperimentTest, 1> tests{{{"state.width", state_width_test}}};
  return tests;
}

}  // namespace sculpt::core
