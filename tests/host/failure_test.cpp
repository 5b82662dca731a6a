// Failures of models and examples.

#include "command/host_process.hpp"
#include "host/caller.hpp"

using namespace sculpt::test;

TEST_CASE("damaged and missing models are refused with what to do") {
  const SessionHandle session = open_session();
  std::string bytes = bytes_of(trained(session.get()));
  sculpt_model* model = nullptr;
  const auto from_bytes = [&](sculpt_failure** failure) {
    return sculpt_model_from_bytes(bytes.data(), static_cast<std::int64_t>(bytes.size()), &model,
                                   failure);
  };
  bytes[bytes.size() / 2] ^= 1;
  Ended end = ended(from_bytes);
  CHECK(end.exit == SCULPT_EXIT_DATA);
  CHECK(end.text == "the bytes of a model: has a wrong checksum; train again or use another copy");
  bytes = "a pickle?";
  CHECK(ended(from_bytes).exit == SCULPT_EXIT_DATA);
  end = ended(
      [&](sculpt_failure** failure) { return sculpt_model_open("/nowhere", &model, failure); });
  CHECK(end.exit == SCULPT_EXIT_MISSING);
  CHECK(model == nullptr);
}

TEST_CASE("text that the dataset refuses is named with its line") {
  const SessionHandle session = open_session();
  const ModelHandle model = trained(session.get());
  auto source = record<sculpt_examples_source>();
  const std::string text = "1 1:1\n2 x\n";
  source.text = text.data();
  source.text_size = static_cast<std::int64_t>(text.size());
  sculpt_examples* examples = nullptr;
  Ended end = ended([&](sculpt_failure** failure) {
    return sculpt_examples_read(session.get(), model.get(), &source, &examples, failure);
  });
  CHECK(end.exit == SCULPT_EXIT_DATA);
  CHECK(end.text.find("the text of the caller:2:3: ") != std::string::npos);
  CHECK(examples == nullptr);
}

TEST_CASE("what a model cannot say is refused with what to do") {
  const SessionHandle session = open_session();
  const ModelHandle model = trained(session.get());
  const ExamplesHandle examples = read_text(session.get(), model, points);
  auto rows = record<sculpt_rows>();
  Ended end = ended([&](sculpt_failure** failure) {
    return sculpt_predict_marginals(examples.get(), &rows, failure);
  });
  CHECK(end.exit == SCULPT_EXIT_CONFIG);
  CHECK(end.text.find("train with the solver crf") != std::string::npos);
  auto outputs = record<sculpt_outputs>();
  end = ended([&](sculpt_failure** failure) {
    return sculpt_predict_best(examples.get(), 0, nullptr, &outputs, failure);
  });
  CHECK(end.text == "sculpt_predict_best: count is 0; it must be at least 1");
  auto options = record<sculpt_predict_options>();
  options.choice = 5;
  CHECK(sculpt_predict(examples.get(), &options, &outputs, nullptr) == SCULPT_EXIT_USAGE);
  CHECK(sculpt_predict(nullptr, nullptr, &outputs, nullptr) == SCULPT_EXIT_USAGE);
  CHECK(outputs.label == nullptr);
}
