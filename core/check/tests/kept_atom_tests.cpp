// Tests of the atoms that a model keeps (ext/kernel.h): their values with new atoms, and their
// bytes.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "base/text/message_text.hpp"
#include "check/fixture/dataset_examples.hpp"
#include "check/fixture/proper_refusal.hpp"
#include "check/system/memory_limit.hpp"
#include "check/tests/kernel_leaf_test.hpp"

namespace sculpt::core {
namespace {

// The data of the split "train" as `sculpt predict` reads them. nullptr: it cannot read them, or in
// another order.
std::unique_ptr<Problem> problem_of_prediction(KernelLeafTest& test) {
  const std::vector<SplitSource> sources = test.fixture.factory().sources();
  if (sources.size() != 1) return nullptr;
  ProblemChanges changes;
  changes.states = states_for_prediction(test.fixture.problem());
  changes.sources = sources;
  changes.sources->front().split = "predict";
  test.context.set_activity("loading the data for prediction");
  try {
    std::unique_ptr<Problem> problem = test.fixture.factory().make(changes);
    const std::int64_t count = test.fixture.problem().dataset().count();
    const auto before = examples_of(test.fixture.problem().dataset(), count);
    return examples_of(problem->dataset(), count) == before ? std::move(problem) : nullptr;
  } catch (const Failure& failure) {
    if (!is_proper_refusal(failure)) throw;
    return nullptr;
  }
}

// Compares kept_rows for the kept atoms [begin, end), of which number j is position of[j] of the
// sample, with the values between atoms of the dataset.
void compare_kept(KernelLeafTest& test, ComponentKernel& kernel, const KernelMatrix& expected,
                  const std::vector<std::size_t>& of, Range kept) {
  test.context.count();
  const KernelMatrix values = kept_rows_of(kernel, test.sample.atoms, kept);
  for (std::size_t i = 0; i < test.sample.atoms.size(); ++i) {
    for (std::size_t j = 0; j < values.columns; ++j) {
      const std::size_t position = of[static_cast<std::size_t>(kept.begin) + j];
      if (values.at(i, j) == expected.at(i, position)) continue;
      test.fail("between " + test.atom_text(i) + " and kept atom " +
                std::to_string(kept.begin + static_cast<std::int64_t>(j)) + " the value is " +
                exact_number_text(values.at(i, j)) + ", but with " + test.atom_text(position) +
                ", which wrote its bytes, it is " + exact_number_text(expected.at(i, position)) +
                "; a kept atom has the same values, to the last bit");
    }
  }
}

void kept_test(KernelLeafTest& test) {
  SecondKernel writer(test.fixture, test.leaf, {});
  const KernelMatrix expected = rows_of(writer.kernel(), test.sample.atoms, test.sample.atoms);
  const std::unique_ptr<Problem> prediction = problem_of_prediction(test);
  const Dataset* const dataset = prediction ? &prediction->dataset() : nullptr;
  std::vector<std::size_t> order(test.sample.atoms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random random = test.fixture.random("kernel.kept");
  for (int model = 0; model < 3; ++model) {
    const KeptAtoms kept = stored_atoms(writer.kernel(), test.atoms_at(order));
    test.context.set_activity("keeping " + count_text(kept.count(), "atom"));
    SecondKernel reader(test.fixture, test.leaf, {&kept, nullptr, dataset});
    test.context.set_activity("computing values with kept atoms");
    const auto count = static_cast<std::int64_t>(order.size());
    compare_kept(test, reader.kernel(), expected, order, {0, count});
    for (int part = 0; part < 5 && count > 0; ++part) {
      const std::int64_t begin = random.integer(0, count - 1);
      compare_kept(test, reader.kernel(), expected, order, {begin, random.integer(begin, count)});
    }
    std::reverse(order.begin(), order.end());
    if (model == 1) order.clear();  // a model without support atoms
  }
}

// A second call, and a kernel that came from a model, write the same bytes.
void bytes_test(KernelLeafTest& test) {
  SecondKernel writer(test.fixture, test.leaf, {});
  test.context.set_activity("writing " + count_text(std::ssize(test.sample.atoms), "atom"));
  const KeptAtoms first = stored_atoms(writer.kernel(), test.sample.atoms);
  const auto compare = [&](const KeptAtoms& other, const std::string& what) {
    for (std::size_t i = 0; i < test.sample.atoms.size(); ++i) {
      test.context.count();
      const auto bytes_in = [i](const KeptAtoms& atoms) {
        return atoms.bytes.substr(static_cast<std::size_t>(atoms.from[i]),
                                  static_cast<std::size_t>(atoms.from[i + 1] - atoms.from[i]));
      };
      if (bytes_in(first) == bytes_in(other)) continue;
      test.fail("writes other bytes for " + test.atom_text(i) + " " + what);
    }
  };
  compare(stored_atoms(writer.kernel(), test.sample.atoms), "in a second call");
  SecondKernel again(test.fixture, test.leaf, {&first});
  compare(stored_atoms(again.kernel(), test.sample.atoms), "if it comes from a model");
}

// Kept atoms whose bytes are damaged: refused by SCULPT_E_DATA, or taken without a crash.
class KeptDamageTest {
 public:
  explicit KeptDamageTest(KernelLeafTest& test)
      : test_(test), random_(test.fixture.random("kernel.damage")) {
    SecondKernel writer(test.fixture, test.leaf, {});
    for (const std::int64_t atom : test.sample.atoms) {
      atoms_.push_back(stored_atoms(writer.kernel(), {atom}).bytes);
    }
  }

  void run() {
    limit_memory(memory_for_damaged_bytes);
    const int count = test_.fixture.level().choose(20, 150, 1000);
    TimeBudget budget(test_.fixture.timer(), test_.context, count, "damaged atoms");
    for (int number = 0; number < count && budget.next(); ++number) {
      // Only behind the last atom is a fence, which finds reads after the end.
      const std::size_t position =
          number % 2 == 0 ? atoms_.size() - 1 : random_.next() % atoms_.size();
      std::string what;
      const std::string bytes = damaged(atoms_[position], number, what);
      test_.context.count();
      keep(position, bytes, "kept bytes of " + test_.atom_text(position) + " that are " + what);
    }
  }

 private:
  std::string damaged(const std::string& bytes, int number, std::string& what) {
    must_be_finite_ = false;
    const std::string size = std::to_string(bytes.size());
    if (number % 5 == 0 || bytes.empty()) {
      what = "longer than their " + size + " bytes";
      return bytes + std::string(1 + random_.next() % 9, '\x7f');
    }
    const std::size_t at = random_.next() % bytes.size();
    if (number % 5 == 1) {
      what = "cut to " + std::to_string(at) + " of " + size + " bytes";
      return bytes.substr(0, at);
    }
    std::string changed = bytes;
    // Rows end with their values, so numbers are counted from the end.
    const std::size_t words = bytes.size() / sizeof(float);
    if (number % 5 == 2 && words > 0) {
      const std::size_t place = bytes.size() - (1 + random_.next() % words) * sizeof(float);
      // A float that is not a number, and the upper half of such a double.
      constexpr std::uint32_t not_a_number = 0x7ff80000;
      std::memcpy(changed.data() + place, &not_a_number, sizeof not_a_number);
      what = "not a number at byte " + std::to_string(place);
      must_be_finite_ = true;
      return changed;
    }
    if (number % 5 == 3 && words > 1) {
      const std::size_t place = bytes.size() - (1 + random_.next() % words) * sizeof(float);
      const std::size_t other = bytes.size() - (1 + random_.next() % words) * sizeof(float);
      std::swap_ranges(changed.begin() + static_cast<std::ptrdiff_t>(place),
                       changed.begin() + static_cast<std::ptrdiff_t>(place + sizeof(float)),
                       changed.begin() + static_cast<std::ptrdiff_t>(other));
      what = "exchanged at the bytes " + std::to_string(place) + " and " + std::to_string(other);
      return changed;
    }
    constexpr std::array<unsigned char, 4> values = {0xff, 0x7f, 0x80, 0x01};
    changed[at] = static_cast<char>(values[random_.next() % values.size()]);
    what = "changed in byte " + std::to_string(at);
    return changed;
  }

  void keep(std::size_t position, const std::string& bytes, const std::string& subject) {
    KeptAtoms kept;
    for (std::size_t k = 0; k < atoms_.size(); ++k) {
      kept.bytes += k == position ? bytes : atoms_[k];
      kept.from.push_back(std::ssize(kept.bytes));
    }
    test_.context.set_activity("keeping " + subject);
    try {
      SecondKernel reader(test_.fixture, test_.leaf, {&kept});
      test_.context.set_activity("computing values after keeping " + subject);
      kept_rows_of(reader.kernel(), test_.sample.atoms, {0, kept.count()});
    } catch (const NotFinite& failure) {
      if (must_be_finite_) test_.fail("takes " + subject + ", but then: " + failure.what());
    } catch (const Failure& failure) {
      // Also late: the number of a row may exceed a matrix.
      if (failure.exit_code() == Exit::data) return;
      if (failure.exit_code() != Exit::memory) {
        test_.fail("refuses " + subject + ", but not by SCULPT_E_DATA: " + failure.what());
      }
      test_.fail("asks for more memory than there is for " + subject +
                 ": check lengths before memory is taken for them");
    }
  }

  KernelLeafTest& test_;
  Random random_;
  std::vector<std::string> atoms_;  // the bytes of each atom of the sample
  bool must_be_finite_ = false;     // the values of the damaged atom, if it is taken
};

void kept_damage_test(KernelLeafTest& test) {
  KeptDamageTest(test).run();
}

}  // namespace

std::span<const ExperimentTest> kept_atom_tests() {
  static constexpr std::array<ExperimentTest, 3> tests{
      {{"kernel.kept", for_each_kernel<kept_test>},
       {"kernel.bytes", for_each_kernel<bytes_test>},
       {"kernel.damage", for_each_kernel<kept_damage_test>}}};
  return tests;
}

}  // namespace sculpt::core
