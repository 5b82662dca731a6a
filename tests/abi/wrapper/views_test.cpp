// Labels, sums, answers and records of the C++ wrapper.

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

TEST_CASE("labels stay equal when they go to the host and back") {
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

TEST_CASE("a dataset returns the empty output as data of size 0") {
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

TEST_CASE("entries of a sum reach the accumulator scaled and in the same order") {
  std::vector<std::int32_t> index(4);
  std::vector<double> value(4);
  sculpt_accumulator raw{
      index.data(),
      value.data(),
      0,
      3,
      3,
      [](sculpt_accumulator*, std::int64_t) -> sculpt_status { return SCULPT_E_MEMORY; },
      nullptr};
  sculpt::Sum sum(&raw, 2.0);
  sum.add(2, 1.5);
  sum.add(0, 1.0);
  sum.scaled(-0.5).add(2, 1.0);
  CHECK(raw.size == 3);
  CHECK(index == std::vector<std::int32_t>{2, 0, 2, 0});
  CHECK(value == std::vector<double>{3, 2, -1, 0});
  CHECK_THROWS_AS(sculpt::Sum(&raw, 1).add(0, 1), sculpt::Error);
}

TEST_CASE("a dense sum takes any number of entries, and starts at 0 again") {
  sculpt::DenseSum dense(3);
  for (int round = 0; round < 2; ++round) {
    sculpt::Sum sum = dense.sum(0.5);
    for (int k = 0; k < 1000; ++k) sum.add(k % 3, k);
    CHECK(dense.values() == std::vector<double>{83416.5, 83083.5, 83250.0});
    dense.clear();
    CHECK(dense.values() == std::vector<double>(3));
  }
}

TEST_CASE("an index beyond the dimension is refused before it wraps around in 32 bits") {
  sculpt::DenseSum dense(3);
  sculpt::Sum sum = dense.sum(2.0);
  sum.add(2, 1.0);
  for (const std::int64_t index : {std::int64_t{-1}, std::int64_t{3}, std::int64_t{1} << 32}) {
    CHECK_THROWS_WITH_AS(sum.add(index, 1.0),
                         ("feature index " + std::to_string(index) + " is outside [0, 3)").c_str(),
                         sculpt::Error);
  }
  CHECK(dense.values() == std::vector<double>{0, 0, 2});
}

TEST_CASE("a dense sum refuses a wrong index of a component in C, and does not write there") {
  for (const std::int32_t index : {-1, 3, 1 << 30}) {
    sculpt::DenseSum dense(3);
    CHECK(sculpt_add(dense.sum().raw(), index, 1.0) == SCULPT_OK);
    CHECK_THROWS_WITH_AS((void)dense.values(),
                         ("feature index " + std::to_string(index) + " is outside [0, 3)").c_str(),
                         sculpt::Error);
    dense.clear();
    CHECK(dense.values() == std::vector<double>(3));
  }
}

TEST_CASE("negative sizes are invalid, not too long") {
  LabelMemory labels;
  ByteMemory bytes;
  CHECK(sculpt_resize_labels(labels.raw(), -1) == SCULPT_E_INVALID);
  CHECK(sculpt_put(bytes.raw(), "text", -1) == SCULPT_E_INVALID);
  CHECK(sculpt_put(bytes.raw(), "text", 4) == SCULPT_OK);
  const volatile std::int64_t endless = INT64_MAX;  // or the compiler warns of the copy
  CHECK(sculpt_put(bytes.raw(), "text", endless) == SCULPT_E_INVALID);
  CHECK(labels.raw()->size == 0);
  CHECK(bytes.items() == std::vector<char>{'t', 'e', 'x', 't'});
  CHECK_THROWS_WITH_AS(sculpt::LabelOutput(labels.raw()).resize(-1), "resizes its output to -1",
                       sculpt::Error);
}

TEST_CASE("only the fields that the caller knows are filled, and struct_size is kept") {
  struct Longer {
    sculpt_sites_shape known;
    std::int64_t later;
  };
  const sculpt_sites_shape value{sizeof value, 26, 128, 5};
  Longer newer{{sizeof(Longer), 0, 0, 0}, 77};
  sculpt::detail::fill_record(&newer.known, value);
  CHECK(newer.known.struct_size == sizeof(Longer));
  CHECK(newer.known.variable_count == 5);
  CHECK(newer.later == 77);
  sculpt_sites_shape older{16, 0, 0, 77};  // ends after feature_count
  sculpt::detail::fill_record(&older, value);
  CHECK(older.struct_size == 16);
  CHECK(older.state_count == 26);
  CHECK(older.feature_count == 128);
  CHECK(older.variable_count == 77);
}

TEST_CASE("an answer starts empty and has only the flags that were set") {
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

TEST_CASE("outputs and texts beyond the limit of the host are refused as too long") {
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
