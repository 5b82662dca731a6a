// Tests of loading in parts (ext/draft/load_range.h) and of merging what was learned from them
// (ext/draft/merge_state.h). The reference is the dataset that loads the whole.

#include <sculpt/ext/draft/load_range.h>
#include <sculpt/ext/draft/merge_state.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "base/text/message_text.hpp"
#include "check/fixture/dataset_examples.hpp"
#include "check/fixture/known_extensions.hpp"
#include "check/fixture/lone_dataset.hpp"
#include "check/fixture/memory_file.hpp"
#include "check/fixture/source_text.hpp"
#include "check/tests/test_groups.hpp"
#include "problem/plugin/answer_buffers.hpp"

namespace sculpt::core {
namespace {

constexpr std::size_t max_parted_text = 1 << 20;
constexpr std::int64_t max_parted_examples = 2000;
constexpr std::array<std::int64_t, 5> part_counts = {1, 2, 3, 5, 16};

const sculpt_ext_merge_state* merge_table(const Component& component) {
  return answered<sculpt_ext_merge_state>(component, SCULPT_EXT_MERGE_STATE);
}

// What all parts have learned, as the host passes it on.
class Pieces {
 public:
  void add(const Component& component) {
    ByteBuffer piece;
    component.call("merge-state.save_piece", -1, [&](sculpt_error* error) {
      return merge_table(component)->save_piece(component.self(), piece.raw(), error);
    });
    bytes_ += piece.text_of(component, -1);
    from_.push_back(std::ssize(bytes_));
  }
  void merge_into(const Component& component) const {
    component.call("merge-state.merge", -1,
                   [&](sculpt_error* error) { return merge(component, error); });
  }
  // Merges a part of the bytes as one piece. Any status but SCULPT_OK and SCULPT_E_DATA is a fault.
  void merge_damaged_into(const Component& component, std::size_t size) const {
    Pieces damaged;
    damaged.bytes_ = bytes_.substr(0, size);
    damaged.from_.push_back(static_cast<std::int64_t>(size));
    ErrorBuffer error;
    const sculpt_status status = component.run_in_call_scope(
        "merge-state.merge", -1, [&] { return damaged.merge(component, error.raw()); });
    if (status == SCULPT_OK || status == SCULPT_E_DATA) return;
    component.refuse(Exit::plugin, -1,
                     "merge returns status " + std::to_string(status) + ", \"" + error.text() +
                         "\", for a damaged piece; return SCULPT_E_DATA");
  }
  std::size_t size() const { return bytes_.size(); }

 private:
  sculpt_status merge(const Component& component, sculpt_error* error) const {
    return merge_table(component)->merge(component.self(), bytes_.data(), from_.data(),
                                         std::ssize(from_) - 1, error);
  }

  std::string bytes_;
  std::vector<std::int64_t> from_{0};
};

using Datasets = std::vector<std::unique_ptr<LoneDataset>>;

// The split "train" in a file, and the dataset that loads it as a whole.
class PartedData {
 public:
  PartedData(TestFixture& fixture, TestContext& context)
      : fixture_(fixture), context_(context), source_(fixture.factory().sources().front()) {
    const std::optional<std::string> text = text_of(source_, max_parted_text + 1);
    if (!text || text->size() > max_parted_text) {
      context.skip("the data are no text, or too large to load their parts");
    }
    file_.emplace(*text);
    source_.text.reset();
    source_.path = file_->path();
    context.set_activity("loading the whole");
    whole_ = create();
    whole_->dataset().load(source_);
  }

  std::unique_ptr<LoneDataset> create() const {
    return std::make_unique<LoneDataset>(fixture_.factory(), fixture_.problem().services());
  }
  // Loaded, but not sealed.
  LoneDataset& whole() const { return *whole_; }
  const SplitSource& source() const { return source_; }

  // Loads all parts, merges them if the dataset can, and seals them. Returns nothing if the dataset
  // says that this source has no parts.
  std::optional<Datasets> load_parts(std::int64_t count) const {
    Datasets parts;
    Pieces pieces;
    for (std::int64_t part = 0; part < count; ++part) {
      parts.push_back(create());
      const Component& component = parts.back()->component();
      context_.set_activity("loading part " + std::to_string(part) + " of " +
                            std::to_string(count));
      ErrorBuffer error;
      const sculpt_status status = load(component, source_.path, part, count, error);
      if (status == SCULPT_E_UNSUPPORTED && part == 0) return std::nullopt;
      if (status != SCULPT_OK) component.fail(status, error.text(), -1);
      if (merges()) pieces.add(component);
    }
    context_.set_activity("merging " + count_text(count, "part"));
    for (const std::unique_ptr<LoneDataset>& part : parts) {
      if (merges()) pieces.merge_into(part->component());
      part->seal();
    }
    return parts;
  }

  // A file that does not exist is SCULPT_E_MISSING.
  void test_missing_file() const {
    const std::unique_ptr<LoneDataset> dataset = create();
    context_.set_activity("loading part 0 of 2 of a file that does not exist");
    context_.count();
    ErrorBuffer error;
    const std::string path = "/proc/self/fd/no such file";
    const sculpt_status status = load(dataset->component(), path, 0, 2, error);
    if (status == SCULPT_E_MISSING) return;
    dataset->component().refuse(Exit::plugin, -1,
                                "load_part returns status " + std::to_string(status) + ", \"" +
                                    error.text() +
                                    "\", for a file that does not exist; return SCULPT_E_MISSING");
  }

  bool merges() const { return merge_table(whole_->component()) != nullptr; }
  bool has_parts() const {
    return whole_->component().answered_table(SCULPT_EXT_LOAD_RANGE) != nullptr;
  }

 private:
  static sculpt_status load(const Component& dataset, const std::string& path, std::int64_t part,
                            std::int64_t count, ErrorBuffer& error) {
    sculpt_source source = {};
    source.struct_size = sizeof source;
    source.path = path.c_str();
    const auto* const table = answered<sculpt_ext_load_range>(dataset, SCULPT_EXT_LOAD_RANGE);
    return dataset.run_in_call_scope("load-range.load_part", -1, [&] {
      return table->load_part(dataset.self(), "train", &source, part, count, error.raw());
    });
  }

  TestFixture& fixture_;
  TestContext& context_;
  SplitSource source_;
  std::optional<MemoryFile> file_;
  std::unique_ptr<LoneDataset> whole_;
};

// The examples of all parts, one after the other, are those of the whole. Without a merge a part
// knows only its own words, so only the numbers of examples are compared.
void require_whole(const PartedData& data, const Datasets& parts) {
  const Component& component = data.whole().component();
  const std::string of_parts = " of " + count_text(std::ssize(parts), "part");
  std::int64_t count = 0;
  std::vector<DatasetExample> examples;
  for (const std::unique_ptr<LoneDataset>& part : parts) {
    count += part->dataset().count();
    const std::vector<DatasetExample> own = examples_of(part->dataset(), max_parted_examples);
    examples.insert(examples.end(), own.begin(), own.end());
  }
  if (count != data.whole().dataset().count()) {
    component.refuse(Exit::plugin, -1,
                     "the examples" + of_parts + " are " + std::to_string(count) +
                         ", but the whole has " + std::to_string(data.whole().dataset().count()) +
                         "; load each example in exactly one part");
  }
  if (!data.merges() && component.offers_state()) return;
  const std::vector<DatasetExample> expected =
      examples_of(data.whole().dataset(), max_parted_examples);
  for (std::size_t k = 0; k < std::min(expected.size(), examples.size()); ++k) {
    const std::string what = difference(expected[k], examples[k]);
    if (what.empty()) continue;
    component.refuse(Exit::plugin, static_cast<std::int64_t>(k),
                     what + of_parts + " differs from that of the whole");
  }
}

// Its state has the same bytes, for every number of parts.
void require_same_state(const Component& merged, const std::string& state, std::int64_t parts) {
  if (merged.save() == state) return;
  merged.refuse(Exit::plugin, -1,
                "after it has merged " + count_text(parts, "part") +
                    ", its state is not that of the whole; keep in a piece all that a merge needs, "
                    "such as the order of first occurrence");
}

void dataset_parts_test(TestFixture& fixture, TestContext& context) {
  const Component& dataset = fixture.problem().dataset().component();
  if (dataset.answered_table(SCULPT_EXT_LOAD_RANGE) == nullptr) {
    context.skip_not_offered("parts of a split (" SCULPT_EXT_LOAD_RANGE ")");
  }
  const PartedData data(fixture, context);
  data.whole().seal();
  data.test_missing_file();
  TimeBudget budget(fixture.timer(), context, std::ssize(part_counts), "numbers of parts");
  for (const std::int64_t count : part_counts) {
    if (!budget.next()) return;
    const std::optional<Datasets> parts = data.load_parts(count);
    if (!parts) return context.remark("it says that the file of the test has no parts");
    context.count();
    require_whole(data, *parts);
  }
}

// A single piece gives what load() gave, and damaged pieces do no harm.
void test_single_piece(const PartedData& data, TestContext& context, const std::string& state) {
  const std::unique_ptr<LoneDataset> alone = data.create();
  alone->dataset().load(data.source());
  context.set_activity("merging a single piece");
  context.count();
  Pieces piece;
  piece.add(alone->component());
  piece.merge_into(alone->component());
  alone->seal();
  if (alone->component().offers_state()) require_same_state(alone->component(), state, 1);
  for (std::size_t half = 0; half <= 2; ++half) {  // of the piece, so it is never whole
    if (piece.size() == 0) return;
    const std::unique_ptr<LoneDataset> other = data.create();
    other->dataset().load(data.source());
    context.set_activity("merging a damaged piece");
    context.count();
    piece.merge_damaged_into(other->component(), half * (piece.size() - 1) / 2);
  }
}

void test_merged_dataset(const PartedData& data, TestContext& context) {
  const Component& component = data.whole().component();
  const std::string state = component.offers_state() ? component.save() : "";
  test_single_piece(data, context, state);
  if (!data.has_parts() || !component.offers_state()) return;
  for (const std::int64_t count : part_counts) {
    const std::optional<Datasets> parts = data.load_parts(count);
    if (!parts) return;
    context.count();
    for (const std::unique_ptr<LoneDataset>& part : *parts) {
      require_same_state(part->component(), state, count);
    }
  }
}

// Features as the experiment has them, bound to a dataset, not yet sealed.
std::unique_ptr<Component> bound_features(TestFixture& fixture, LoneDataset& dataset) {
  const ExperimentPart part = fixture.factory().parts().at(1);
  auto features = std::make_unique<Component>(*part.description, part.parameters->values(),
                                              fixture.problem().services());
  sculpt_bindings bindings = {};
  bindings.struct_size = sizeof bindings;
  bindings.dataset = dataset.component().ref();
  features->bind(bindings);
  return features;
}

// Features learn in bind. Each of them has seen its part only, and knows the whole after the merge.
void test_merged_features(TestFixture& fixture, TestContext& context, const PartedData& data) {
  const std::unique_ptr<Component> whole = bound_features(fixture, data.whole());
  whole->seal();
  const std::string state = whole->offers_state() ? whole->save() : "";
  for (const std::int64_t count : part_counts) {
    std::optional<Datasets> parts;
    if (data.has_parts()) parts = data.load_parts(count);
    if (!parts) {
      parts.emplace().push_back(data.create());
      parts->back()->dataset().load(data.source());
      parts->back()->seal();
    }
    context.set_activity("merging the features of " + count_text(std::ssize(*parts), "part"));
    context.count();
    Pieces pieces;
    std::vector<std::unique_ptr<Component>> merged;
    for (const std::unique_ptr<LoneDataset>& part : *parts) {
      merged.push_back(bound_features(fixture, *part));
      pieces.add(*merged.back());
    }
    for (const std::unique_ptr<Component>& features : merged) {
      pieces.merge_into(*features);
      features->seal();
      if (features->offers_state()) require_same_state(*features, state, std::ssize(*parts));
    }
    if (std::ssize(*parts) < count) return;
  }
}

// What was learned from parts and merged is what would be learned from the whole.
void state_merge_test(TestFixture& fixture, TestContext& context) {
  const Component& dataset = fixture.problem().dataset().component();
  const Component& features = fixture.problem().features().component();
  const bool is_dataset = merge_table(dataset) != nullptr;
  const bool is_features = merge_table(features) != nullptr;
  if (!is_dataset && !is_features) {
    context.skip_not_offered("merging of what was learned (" SCULPT_EXT_MERGE_STATE ")");
  }
  const PartedData data(fixture, context);
  data.whole().seal();
  if (is_dataset) test_merged_dataset(data, context);
  if (is_features && (is_dataset || !dataset.offers_state() || !data.has_parts())) {
    test_merged_features(fixture, context, data);
  }
  if (context.cases() == 0) context.skip("the dataset loads parts, but does not merge them");
}

}  // namespace

std::span<const ExperimentTest> part_tests() {
  static constexpr std::array<ExperimentTest, 2> tests{
      {{"dataset.parts", dataset_parts_test}, {"state.merge", state_merge_test}}};
  return tests;
}

}  // namespace sculpt::core
