#include "host/caller.hpp"

namespace sculpt::test {

void Said::write(void* user, std::int32_t kind, const char* text, std::int64_t size) {
  Said& said = *static_cast<Said*>(user);
  std::string& to = kind == SCULPT_TEXT_RESULT    ? said.results
                    : kind == SCULPT_TEXT_MESSAGE ? said.messages
                                                  : said.help;
  to.append(text, static_cast<std::size_t>(size));
}

SessionHandle open_session(int threads, Said* said) {
  auto options = record<sculpt_session_options>();
  options.threads = threads;
  if (said != nullptr) {
    options.write = Said::write;
    options.user = said;
  }
  sculpt_session* session = nullptr;
  const Ended end = ended(
      [&](sculpt_failure** failure) { return sculpt_session_open(&options, &session, failure); });
  INFO(end.text);
  REQUIRE(end.reached());
  return SessionHandle(session);
}

std::string experiment_of_points() {
  std::string text = points;
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) {
    text.replace(at, 1, "\\n");
  }
  return R"({"dataset": {"use": "svmlight", "train": {"text": ")" + text +
         R"("}}, "features": "multiclass", "loss": "zero_one", "oracle": "enumerate",
         "solver": {"use": "n_slack", "C": 10, "relative_gap": 1e-6}})";
}

ModelHandle trained(sculpt_session* session, sculpt_training_options options) {
  options.struct_size = sizeof options;
  const std::string text = experiment_of_points();
  if (options.json == nullptr && options.path == nullptr) options.json = text.c_str();
  sculpt_model* model = nullptr;
  const Ended end = ended(
      [&](sculpt_failure** failure) { return sculpt_train(session, &options, &model, failure); });
  INFO(end.text);
  REQUIRE((end.reached() || end.exit == SCULPT_EXIT_NOT_REACHED));
  return ModelHandle(model);
}

std::string bytes_of(const ModelHandle& model) {
  std::int64_t size = 0;
  const void* const bytes = sculpt_model_bytes(model.get(), &size);
  return {static_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

ExamplesHandle read_text(sculpt_session* session, const ModelHandle& model,
                         const std::string& text) {
  auto source = record<sculpt_examples_source>();
  source.text = text.data();
  source.text_size = static_cast<std::int64_t>(text.size());
  sculpt_examples* examples = nullptr;
  const Ended end = ended([&](sculpt_failure** failure) {
    return sculpt_examples_read(session, model.get(), &source, &examples, failure);
  });
  INFO(end.text);
  REQUIRE(end.reached());
  return ExamplesHandle(examples);
}

}  // namespace sculpt::test
