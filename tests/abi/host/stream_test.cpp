// Examples that come one after the other and go again (sculpt/ext/draft/stream.h): prediction line
// by line from a pipe, and training in one pass.

#include <sculpt/ext/draft/stream.h>

#include <doctest/doctest.h>
#include <unistd.h>

#include <array>

#include "core/refusal.hpp"
#include "linalg/products.hpp"
#include "problem/components/dataset_rows.hpp"
#include "stub_components.hpp"

namespace sculpt::core {

template <>
struct Extension<sculpt_ext_stream> {
  static constexpr const char* id = SCULPT_EXT_STREAM;
  static constexpr std::size_t required_functions = 4;
};
template <>
struct Extension<sculpt_ext_streamed> {
  static constexpr const char* id = SCULPT_EXT_STREAMED;
  static constexpr std::size_t required_functions = 1;
};

namespace {

// The private extension of the stub: how many examples it keeps something of.
struct KeptTable {
  std::int64_t (*count)(const void* self);
};

}  // namespace
template <>
struct Extension<KeptTable> {
  static constexpr const char* id = "org.sculpt.stub.kept/1";
  static constexpr std::size_t required_functions = 1;
};

namespace {

// A dataset, features, a loss and an oracle that are sealed before the stream begins.
class Streaming {
 public:
  explicit Streaming(const std::string& train)
      : dataset_(stub::loaded("point_stream", train)),
        features_(stub::create(SCULPT_KIND_FEATURES, "streamed_classes")),
        loss_(stub::create(SCULPT_KIND_LOSS, "streamed_classes")),
        oracle_(stub::create(SCULPT_KIND_ORACLE, "streamed_classes")),
        table_(*dataset_->extension<sculpt_ext_stream>()),
        session_(*oracle_) {
    stub::bind_and_seal(*dataset_);
    stub::bind_and_seal(*features_, dataset_.get());
    stub::bind_and_seal(*loss_, dataset_.get(), features_.get());
    stub::bind_and_seal(*oracle_, dataset_.get(), features_.get(), loss_.get());
  }
  ~Streaming() { close(); }
  Streaming(const Streaming&) = delete;
  Streaming& operator=(const Streaming&) = delete;

  void open(const std::string& split, const sculpt_source& source) {
    dataset_->call("stream.open", -1, [&](sculpt_error* error) {
      return table_.open(dataset_->self(), split.c_str(), &source, &stream_, error);
    });
  }
  std::int64_t next() {
    std::int64_t example = -2;
    dataset_->call("stream.next", -1,
                   [&](sculpt_error* error) { return table_.next(stream_, &example, error); });
    return example;
  }
  void release(std::int64_t example) {
    for (const Component* component : {features_.get(), loss_.get(), oracle_.get()}) {
      const auto* const streamed = component->extension<sculpt_ext_streamed>();
      REQUIRE(streamed != nullptr);
      component->call("streamed.released", example, [&](sculpt_error* error) {
        return streamed->released(component->self(), example, error);
      });
    }
    dataset_->call("stream.release", example, [&](sculpt_error* error) {
      return table_.release(dataset_->self(), example, error);
    });
  }
  void close() {
    if (stream_ != nullptr) table_.close(stream_);
    stream_ = nullptr;
  }

  std::int32_t predict(std::int64_t example, const Vector& w) {
    return predict(example, w, session_.raw());
  }
  std::int32_t predict(std::int64_t example, const Vector& w, void* session) const {
    sculpt_query query = {};
    query.struct_size = sizeof query;
    query.example = example;
    query.weights = stub::weights_of(w);
    Answer answer;
    oracle_->call("argmax", example, [&](sculpt_error* error) {
      return oracle_->api<sculpt_oracle_api>().argmax(session, &query, answer.raw(), error);
    });
    return stub::vector_of(answer.labels()).at(0);
  }
  Vector zeros() const {
    return Vector(static_cast<std::size_t>(Features(*features_, 1).dimension()), 0.0);
  }
  // One step of the perceptron.
  void learn(std::int64_t example, Vector& w) {
    Features features(*features_, 1);
    const std::int32_t truth = stub::vector_of(dataset().truth(example)).at(0);
    const std::int32_t guess = predict(example, w);
    axpy(1, stub::psi_of(features, example, {truth}), w);
    axpy(-1, stub::psi_of(features, example, {guess}), w);
  }
  Dataset dataset() const { return Dataset(*dataset_, 1); }
  const Component& component() const { return *dataset_; }
  const Component& oracle() const { return *oracle_; }
  // How many examples features and oracle keep something of.
  std::int64_t kept_count() const {
    std::int64_t count = 0;
    for (const Component* component : {features_.get(), oracle_.get()}) {
      count += component->extension<KeptTable>()->count(component->self());
    }
    return count;
  }

 private:
  std::unique_ptr<Component> dataset_;
  std::unique_ptr<Component> features_;
  std::unique_ptr<Component> loss_;
  std::unique_ptr<Component> oracle_;
  const sculpt_ext_stream& table_;
  stub::OneSession session_;
  void* stream_ = nullptr;
};

const std::string rows = "0 1 0.5\n1 -1 2\n2 0.25 -1\n0 2 1\n1 -0.5 1.5\n2 0.5 -2\n1 -2 0.5\n";

sculpt_source source_of(const std::string& text) {
  return {sizeof(sculpt_source), 0, "stream.txt", text.data(),
          static_cast<std::int64_t>(text.size())};
}

TEST_CASE("training in one pass over a stream gives the weights of training on loaded data") {
  Streaming loaded(rows);
  Vector expected = loaded.zeros();
  for (std::int64_t example = 0; example < 7; ++example) loaded.learn(example, expected);

  Streaming streamed(rows.substr(0, rows.find("0 2 1")));  // the first three lines have all labels
  const std::string again = rows;
  streamed.open("train", source_of(again));
  Vector w = streamed.zeros();
  std::int64_t seen = 0;
  for (std::int64_t example = streamed.next(); example >= 0; example = streamed.next()) {
    CHECK(example == 3 + seen++);
    streamed.learn(example, w);
    streamed.release(example);
  }
  CHECK(seen == 7);
  CHECK(w == expected);
  CHECK(streamed.dataset().count() == 3);
}

TEST_CASE("predictions follow the lines of a pipe, one for one") {
  std::array<int, 2> ends = {-1, -1};
  REQUIRE(::pipe(ends.data()) == 0);
  Streaming streaming(rows);
  Vector w = streaming.zeros();
  for (std::int64_t example = 0; example < 7; ++example) streaming.learn(example, w);
  const std::string path = "/dev/fd/" + std::to_string(ends[0]);
  streaming.open("predict", {sizeof(sculpt_source), 0, path.c_str(), nullptr, 0});
  for (int k = 0; k < 7; ++k) {
    const sculpt_sites x = DatasetRows(streaming.component()).sites(k);
    const std::string line =
        "? " + std::to_string(x.value[0]) + " " + std::to_string(x.value[1]) + "\n";
    REQUIRE(::write(ends[1], line.data(), line.size()) == static_cast<ssize_t>(line.size()));
    const std::int64_t example = streaming.next();  // the next line is not written yet
    CHECK(example == 7 + k);
    CHECK(streaming.dataset().truth(example).data == nullptr);
    CHECK(streaming.predict(example, w) == streaming.predict(k, w));
    streaming.release(example);
  }
  ::close(ends[1]);
  CHECK(streaming.next() == -1);
  ::close(ends[0]);
}

TEST_CASE("an example is alive from next to release, several at a time, in any order") {
  Streaming streaming("0 1 1\n1 1 2\n");
  const std::string text = "1 5 6\n0 7 8\n1 9 10\n";
  streaming.open("train", source_of(text));
  const DatasetRows dataset_rows(streaming.component());
  CHECK(refusal_of([&] { dataset_rows.sites(2); }).says("example 2 is not alive"));
  REQUIRE(streaming.next() == 2);
  REQUIRE(streaming.next() == 3);
  REQUIRE(streaming.next() == 4);
  CHECK(streaming.next() == -1);
  streaming.close();
  streaming.release(3);
  CHECK(refusal_of([&] { dataset_rows.sites(3); }).says("example 3 is not alive"));
  CHECK(dataset_rows.sites(2).value[0] == 5);
  CHECK(dataset_rows.sites(4).value[0] == 9);
  streaming.release(2);
  CHECK(refusal_of([&] { streaming.release(2); }).says("example 2 is not alive"));
  streaming.open("train", source_of(text));
  CHECK(streaming.next() == 5);  // numbers do not come back
  CHECK(refusal_of([&] { streaming.release(0); }).says("example 0 is not alive"));  // loaded
}

TEST_CASE("what components keep of an example goes when the example is released") {
  Streaming streaming("0 1 1\n1 1 2\n");
  std::string text;
  for (int k = 0; k < 500; ++k) text += std::to_string(k % 2) + " " + std::to_string(k) + " 1\n";
  streaming.open("train", source_of(text));
  Vector w = streaming.zeros();
  std::int64_t most = 0;
  for (std::int64_t example = streaming.next(); example >= 0; example = streaming.next()) {
    streaming.learn(example, w);
    most = std::max(most, streaming.kept_count());
    streaming.release(example);
  }
  CHECK(most == 2);  // features and oracle, one example each
  CHECK(streaming.kept_count() == 0);
}

TEST_CASE("threads: a batch of streamed examples is predicted by all threads at once") {
  Streaming streaming(rows);
  Vector w = streaming.zeros();
  for (std::int64_t example = 0; example < 7; ++example) streaming.learn(example, w);
  std::string text;
  for (int k = 0; k < 50; ++k) text += rows;
  streaming.open("predict", source_of(text));
  Workers workers(4);
  Sessions sessions(streaming.oracle(), 4);
  for (int batch = 0; batch < 7; ++batch) {
    std::vector<std::int64_t> alive;
    for (int k = 0; k < 50; ++k) alive.push_back(streaming.next());
    std::vector<std::int32_t> labels(alive.size(), -1);
    workers.run(50, [&](std::int64_t k, int worker) {
      const auto at = static_cast<std::size_t>(k);
      labels[at] = streaming.predict(alive[at], w, sessions.for_worker(worker));
    });
    for (std::size_t k = 0; k < alive.size(); ++k) {
      CHECK(labels[k] == streaming.predict((alive[k] - 7) % 7, w));
      streaming.release(alive[k]);
    }
  }
  CHECK(streaming.next() == -1);
}

TEST_CASE("after a malformed line the stream goes on with the next one") {
  Streaming streaming("0 1 1\n1 1 2\n");
  const std::string text = "1 5 6\n0 x 8\n1 9 10\n";
  streaming.open("train", source_of(text));
  CHECK(streaming.next() == 2);
  const Refusal refusal = refusal_of([&] { streaming.next(); });
  CHECK(refusal.exit == Exit::data);
  CHECK(refusal.says("point_stream: stream.txt:2:3: 'x' is not a number"));
  CHECK(streaming.next() == 3);
}

}  // namespace
}  // namespace sculpt::core
