// LentArray, FilledArray and FilledLabels: the arrays that plugins get end at a fence.

#include "problem/plugin/lent_array.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "core/problem/toy.hpp"
#include "core/refusal.hpp"
#include "problem/plugin/answer_buffers.hpp"

using namespace sculpt::core;

namespace {

// A component whose arrays have fences, or have none.
struct LiveToy {
  explicit LiveToy(Services::Guard guard = Services::Guard::fences)
      : workers(1), services({}, workers, guard), component(toy_loss(), {}, services) {}
  Workers workers;
  Services services;
  Component component;
};

// What a crash at this address means, or "".
template <class T>
std::string fault_text(const T* at) {
  const auto fault = FencedPages::fault_at(at);
  return fault ? std::string(fault->before) + fault->name + fault->after : "";
}

std::vector<std::int32_t> counted(std::int64_t size) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(size));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

}  // namespace

TEST_CASE("a lent array is a copy that ends at a fence, whatever its size") {
  const LiveToy toy;
  for (const std::int64_t size : {0, 1, 2, 3, 7, 1024, 1025, 100000}) {
    CAPTURE(size);
    const std::vector<std::int32_t> values = counted(size);
    const LentArray<std::int32_t> lent(toy.component, "the numbers", values.data(), size);
    if (size > 0) CHECK(lent.data() != values.data());
    CHECK(std::equal(values.begin(), values.end(), lent.data()));
    if (!values.empty()) {
      CHECK(fault_text(lent.data() + size) == ": it reads or writes after the end of the numbers");
      CHECK(lent.data()[-1] == INT32_MIN);
    }
    CHECK_NOTHROW(lent.require_unchanged(3));
  }
  const std::vector<double> reals = {1, 2};
  const LentArray<double> lent(toy.component, "the reals", reals);
  CHECK(fault_text(lent.data() + 2) == ": it reads or writes after the end of the reals");
  CHECK(std::isnan(lent.data()[-1]));
}

TEST_CASE("arrays of several nested calls have different memory, and names of their own") {
  const LiveToy toy;
  const std::vector<std::int32_t> values = counted(5);
  const LentLabels first(toy.component, "the first", {values.data(), 5});
  const LentLabels second(toy.component, "the second", {values.data(), 4});
  CHECK(first.raw().size == 5);
  CHECK(second.raw().size == 4);
  CHECK(first.data() != second.data());
  CHECK(fault_text(first.data() + 5) == ": it reads or writes after the end of the first");
  CHECK(fault_text(second.data() + 4) == ": it reads or writes after the end of the second");
}

TEST_CASE("a component that writes to an array that it may only read is refused") {
  const LiveToy toy;
  const std::vector<std::int32_t> values = counted(5);
  const LentLabels labels(toy.component, "the labels of the truth", {values.data(), 5});
  const_cast<std::int32_t*>(labels.data())[4] = 7;
  const Refusal refusal = refusal_of([&] { labels.require_unchanged(3); });
  CHECK(refusal.exit == Exit::plugin);
  CHECK(refusal.text ==
        "errors: example 3: writes to the labels of the truth, which it may only read");
  CHECK(values == counted(5));
}

TEST_CASE("unlabelled stays unlabelled, and the empty output stays empty") {
  const LiveToy toy;
  const LentLabels none(toy.component, "the labels", {nullptr, 0});
  CHECK(none.raw().data == nullptr);
  const std::int32_t unused = 0;
  const LentLabels empty(toy.component, "the labels", {&unused, 0});
  CHECK(empty.raw().data != nullptr);
  CHECK(empty.raw().size == 0);
  CHECK(fault_text(empty.raw().data) == ": it reads or writes after the end of the labels");
}

TEST_CASE("the truth of a query and the theta of a map query end at a fence") {
  const LiveToy toy;
  const std::vector<std::int32_t> truth = counted(3);
  sculpt_query query = {};
  query.example = 4;
  query.truth = {truth.data(), 3};
  const LentQuery lent(toy.component, query);
  CHECK(lent.raw()->example == 4);
  CHECK(fault_text(lent.raw()->truth.data + 3) ==
        ": it reads or writes after the end of the labels of the truth");
  sculpt_factor_graph graph = {};
  graph.theta_size = 2;
  const std::vector<double> theta = {1, 2};
  sculpt_map_query map_query = {};
  map_query.graph = &graph;
  map_query.theta = theta.data();
  const LentMapQuery lent_map(toy.component, map_query);
  CHECK(lent_map.raw()->theta[1] == 2);
  CHECK(fault_text(lent_map.raw()->theta + 2) == ": it reads or writes after the end of theta");
}

TEST_CASE("what a component writes to a filled array is taken, and a fence ends the array") {
  const LiveToy toy;
  std::vector<double> target = {1, 2, 3};
  const FilledArray<double> filled(toy.component, "mu", target);
  CHECK(filled.data() != target.data());
  filled.data()[2] += 10;
  CHECK(target[2] == 3);
  filled.take();
  CHECK(target == std::vector<double>{1, 2, 13});
  CHECK(fault_text(filled.data() + 3) == ": it reads or writes after the end of mu");
}

TEST_CASE("without a guard plugins get the arrays themselves") {
  const LiveToy toy(Services::Guard::none);
  std::vector<std::int32_t> values = counted(5);
  CHECK(LentLabels(toy.component, "the labels", {values.data(), 5}).data() == values.data());
  CHECK(FilledArray<std::int32_t>(toy.component, "the labels", values).data() == values.data());
  Answer answer;
  const auto grow = answer.raw()->labels.grow;
  FilledLabels labels(toy.component, answer.raw()->labels);
  CHECK((answer.raw()->labels.grow == grow));
  labels.take();
}

TEST_CASE("an output gets the room that the component asks for, and labels not written are -1") {
  const LiveToy toy;
  Answer answer;
  REQUIRE(sculpt_resize_labels(&answer.raw()->labels, 100) == SCULPT_OK);
  answer.clear();
  FilledLabels labels(toy.component, answer.raw()->labels);
  sculpt_label_buffer& buffer = answer.raw()->labels;
  CHECK(buffer.capacity == 0);
  CHECK(buffer.data != nullptr);
  for (const std::int64_t size : {1, 3, 2000}) {
    REQUIRE(sculpt_resize_labels(&buffer, size) == SCULPT_OK);
    CHECK(buffer.capacity == size);
    CHECK(fault_text(buffer.data + size) ==
          ": it reads or writes after the end of the labels of its output");
    CHECK(buffer.data[size - 1] == -1);
    buffer.data[size - 1] = static_cast<std::int32_t>(size);
  }
  REQUIRE(sculpt_resize_labels(&buffer, 4) == SCULPT_OK);
  labels.take();
  const sculpt_labels taken = answer.labels();
  CHECK(std::vector<std::int32_t>(taken.data, taken.data + taken.size) ==
        std::vector<std::int32_t>{1, -1, 3, -1});
  CHECK(answer.has_valid_size());
}

TEST_CASE("a size beyond the room of an output stays impossible") {
  const LiveToy toy;
  for (const std::int64_t size : {std::int64_t{-1}, std::int64_t{50}}) {
    Answer answer;
    REQUIRE(sculpt_resize_labels(&answer.raw()->labels, 100) == SCULPT_OK);
    answer.clear();
    FilledLabels labels(toy.component, answer.raw()->labels);
    answer.raw()->labels.size = size;
    labels.take();
    CHECK_FALSE(answer.has_valid_size());
    CHECK(answer.labels().size == size);
  }
}

TEST_CASE("the buffer of the host returns if a call fails, and outputs of nested calls are apart") {
  const LiveToy toy;
  Answer outer;
  Answer inner;
  const auto grow = inner.raw()->labels.grow;
  FilledLabels outer_labels(toy.component, outer.raw()->labels);
  {
    const FilledLabels inner_labels(toy.component, inner.raw()->labels);
    CHECK(sculpt_resize_labels(&inner.raw()->labels, 2) == SCULPT_OK);
    CHECK(sculpt_resize_labels(&outer.raw()->labels, 2) == SCULPT_OK);
    CHECK(outer.raw()->labels.data != inner.raw()->labels.data);
  }
  CHECK((inner.raw()->labels.grow == grow));
  CHECK(inner.labels().size == 0);
  std::thread([&] { CHECK(sculpt_resize_labels(&outer.raw()->labels, 3) == SCULPT_OK); }).join();
  CHECK(sculpt_resize_labels(&outer.raw()->labels, INT64_MAX) == SCULPT_E_MEMORY);
  CHECK(take_limit_reached());
  outer_labels.take();
  CHECK(outer.labels().size == 3);
}
