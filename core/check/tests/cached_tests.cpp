// The test of datasets that a file can hold (ext/draft/cached_arrays.h). The reference is the
// dataset that has loaded the sources.

#include <sculpt/ext/draft/cached_arrays.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "check/fixture/dataset_examples.hpp"
#include "check/fixture/known_extensions.hpp"
#include "check/fixture/lone_dataset.hpp"
#include "check/tests/test_groups.hpp"

namespace sculpt::core {
namespace {

constexpr std::int64_t max_cached_examples = 2000;

// The arrays that a dataset writes, in memory.
class WrittenArrays {
 public:
  explicit WrittenArrays(const Component& dataset) {
    const sculpt_cache_output output{sizeof output, 0, this, add};
    dataset.call("cached-arrays.write", -1, [&](sculpt_error* error) {
      return answered<sculpt_ext_cached_arrays>(dataset, SCULPT_EXT_CACHED_ARRAYS)
          ->write(dataset.self(), &output, error);
    });
    for (const std::vector<Line>& array : arrays_) {
      views_.push_back({array.data(), sizes_[views_.size()]});
    }
  }
  // Reads the first `count` of them.
  sculpt_status read_into(const Component& dataset, std::size_t count, ErrorBuffer& error) const {
    return dataset.run_in_call_scope("cached-arrays.read", -1, [&] {
      return answered<sculpt_ext_cached_arrays>(dataset, SCULPT_EXT_CACHED_ARRAYS)
          ->read(dataset.self(), views_.data(), static_cast<std::int64_t>(count), error.raw());
    });
  }
  std::size_t count() const { return views_.size(); }

 private:
  struct alignas(64) Line {
    std::array<char, 64> bytes;
  };

  static sculpt_status add(void* context, const void* data, std::int64_t size,
                           sculpt_error*) noexcept {
    auto& written = *static_cast<WrittenArrays*>(context);
    if (size < 0 || (data == nullptr && size > 0)) return SCULPT_E_INVALID;
    const auto bytes = static_cast<std::size_t>(size);
    std::vector<Line>& lines = written.arrays_.emplace_back(bytes / sizeof(Line) + 1);
    if (bytes > 0) std::memcpy(lines.data(), data, bytes);
    written.sizes_.push_back(size);
    return SCULPT_OK;
  }

  std::vector<std::vector<Line>> arrays_;
  std::vector<std::int64_t> sizes_;
  std::vector<sculpt_cached_array> views_;
};

void require_same(const Dataset& loaded, const Dataset& read) {
  const Component& component = loaded.component();
  const auto refuse = [&](std::int64_t example, const std::string& what) {
    component.refuse(Exit::plugin, example,
                     what +
                         " of a dataset that was read from arrays differs from that of the one "
                         "that has written them; list all that load() fills");
  };
  if (read.count() != loaded.count()) refuse(-1, "the number of examples");
  for (const char* split : {"train", "validation", "test"}) {
    const Range expected = loaded.split(split);
    const Range found = read.split(split);
    if (expected.begin != found.begin || expected.end != found.end) {
      refuse(-1, std::string("the split \"") + split + "\"");
    }
  }
  const std::vector<DatasetExample> expected = examples_of(loaded, max_cached_examples);
  const std::vector<DatasetExample> found = examples_of(read, max_cached_examples);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const auto example = static_cast<std::int64_t>(k);
    const std::string what = difference(expected[k], found[k]);
    if (!what.empty()) refuse(example, what);
    if (loaded.place(example) != read.place(example)) refuse(example, "the place");
  }
  if (loaded.example_weights(loaded.split("train")) != read.example_weights(read.split("train"))) {
    refuse(-1, "a weight");
  }
}

void dataset_cached_test(TestFixture& fixture, TestContext& context) {
  const Dataset& loaded = fixture.problem().dataset();
  const Component& component = loaded.component();
  if (component.answered_table(SCULPT_EXT_CACHED_ARRAYS) == nullptr) {
    context.skip_not_offered("arrays for a cache (" SCULPT_EXT_CACHED_ARRAYS ")");
  }
  context.set_activity("writing arrays");
  const WrittenArrays arrays(component);
  const auto create = [&] {
    auto created = std::make_unique<LoneDataset>(fixture.factory(), fixture.problem().services());
    if (component.offers_state()) created->component().restore(component.save(), "");
    return created;
  };
  context.set_activity("reading arrays");
  context.count();
  const std::unique_ptr<LoneDataset> read = create();
  ErrorBuffer error;
  const sculpt_status status = arrays.read_into(read->component(), arrays.count(), error);
  if (status != SCULPT_OK) component.fail(status, error.text(), -1);
  read->seal();
  require_same(loaded, read->dataset());
  if (component.offers_state() && component.save() != read->component().save()) {
    component.refuse(Exit::plugin, -1, "its state is another one after it was read from arrays");
  }
  context.set_activity("reading too few arrays");
  context.count();
  const std::unique_ptr<LoneDataset> other = create();
  if (arrays.count() == 0) return;
  const sculpt_status of_few = arrays.read_into(other->component(), arrays.count() - 1, error);
  if (of_few == SCULPT_E_DATA) return;
  component.refuse(Exit::plugin, -1,
                   "read returns status " + std::to_string(of_few) +
                       " if an array is missing; return SCULPT_E_DATA");
}

}  // namespace

std::span<const ExperimentTest> cached_tests() {
  static constexpr std::array<ExperimentTest, 1> tests{{{"dataset.cached", dataset_cached_test}}};
  return tests;
}

}  // namespace sculpt::core
