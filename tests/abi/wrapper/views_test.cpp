// Labels, sums and answers: the empty output is an output, an unlabelled example is not.

#include <doctest/doctest.h>

#include "host_memory.hpp"

namespace {

TEST_CASE("the empty output has data, an unlabelled example has none") {
  const std::vector<std::int32_t> none;
  for (const sculpt::Labels empty : {sculpt::Labels(none), sculpt::Labels(nullptr, 0)}) {
    CHECK(empty.known());
    CHECK(empty.raw().data != nullptr);
    CHECK(empty.raw().size == 0);
  }
  CHECK(!sculpt::Labels().known());
  CHECK(sculpt::Labels().raw().data == nullptr);
  CHECK(!(sculpt::Labels() == sculpt::Labels(none)));
  CHECK(sculpt::Labels(none) == sculpt::Labels(nullptr, 0));
}

TEST_CASE("labels survive the way to the host and back") {
  const std::vector<std::int32_t> y{3, -1, 0};
  const sculpt::Labels back{sculpt::Labels(y).raw()};
  CHECK(back == sculpt::Labels(y));
  CHECK(!(back == sculpt::Labels(y.data(), 2)));
}

struct NoExamples {
  static constexpr sculpt::About about{"org.sculpt.test.none", "1.0.0", "an empty truth"};
  void load(std::string_view, const sculpt::Source&) {}
  std::int64_t count() const { return 2; }
  sculpt::Range split(std::string_view) const { return {}; }
  sculpt::Labels truth(std::int64_t example) const {
    return example == 0 ? sculpt::Labels(empty_) : sculpt::Labels();
  }

 private:
  std::vector<std::int32_t> empty_;
};

TEST_CASE("a dataset lends the empty output as data of size 0") {
  const sculpt_component& component = sculpt::Dataset<NoExamples>::component;
  const auto* api = static_cast<const sculpt_dataset_api*>(component.api);
  void* self = nullptr;
  REQUIRE(component.life->create(nullptr, nullptr, &self, nullptr) == SCULPT_OK);
  sculpt_labels y{};
  CHECK(api->truth(self, 0, &y, nullptr) == SCULPT_OK);
  CHECK(y.data != nullptr);
  CHECK(y.size == 0);
  CHECK(api->truth(self, 1, &y, nullptr) == SCULPT_OK);
  CHECK(y.data == nullptr);
  component.life->destroy(self);
}

TEST_CASE("sums reach a dense and a sparse accumulator alike, scaled") {
  std::vector<double> dense(3);
  sculpt_accumulator raw_dense{dense.data(), nullptr, nullptr, 0, 0, 3, nullptr};
  std::vector<std::int32_t> index(4);
  std::vector<double> value(4);
  sculpt_accumulator raw_sparse{
      nullptr,
      index.data(),
      value.data(),
      0,
      3,
      3,
      [](sculpt_accumulator*, std::int64_t) -> sculpt_status { return SCULPT_E_MEMORY; }};
  for (sculpt_accumulator* raw : {&raw_dense, &raw_sparse}) {
    sculpt::Sum sum(raw, 2.0);
    sum.add(2, 1.5);
    sum.add(0, 1.0);
    sum.scaled(-0.5).add(2, 1.0);
  }
  CHECK(dense == std::vector<double>{2, 0, 2});
  CHECK(raw_sparse.size == 3);
  CHECK(index == std::vector<std::int32_t>{2, 0, 2, 0});
  CHECK(value == std::vector<double>{3, 2, -1, 0});
  CHECK_THROWS_AS(sculpt::Sum(&raw_sparse, 1).add(0, 1), sculpt::Error);
}

TEST_CASE("an answer starts empty and carries the flags it was given") {
  LabelMemory memory;
  sculpt_answer raw{sizeof(sculpt_answer), 99, *memory.raw(), 0, 0};
  raw.labels.size = 5;
  sculpt::Answer answer(&raw);
  CHECK(raw.flags == 0);
  CHECK(raw.labels.size == 0);
  answer.found(1.5);
  CHECK(raw.flags == 0);
  answer.bound(2.5);
  answer.truth_outside();
  CHECK(raw.flags == (SCULPT_ANSWER_BOUND | SCULPT_ANSWER_TRUTH_OUTSIDE));
  CHECK(raw.value == 1.5);
  CHECK(raw.bound == 2.5);
}

TEST_CASE("outputs and texts beyond the host's limit are refused as too long") {
  LabelMemory labels(4);
  sculpt::LabelOutput output(labels.raw());
  output.assign(std::vector<std::int32_t>{1, 2, 3, 4});
  CHECK(labels.items() == std::vector<std::int32_t>{1, 2, 3, 4});
  CHECK_THROWS_WITH_AS(output.resize(5), "the output is too long", sculpt::Error);

  ByteMemory bytes(4);
  sculpt::ByteOutput text(bytes.raw());
  text << "ab" << std::int64_t{-1};
  CHECK(bytes.items() == std::vector<char>{'a', 'b', '-', '1'});
  CHECK_THROWS_WITH_AS(text << "c", "the text is too long", sculpt::Error);
}

}  // namespace
