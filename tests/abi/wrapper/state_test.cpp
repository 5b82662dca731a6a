// StateReader and Parameters check what they get from the host.

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

#include "host_memory.hpp"

namespace {

std::string bytes_of(const std::function<void(sculpt::StateWriter&)>& write) {
  ByteMemory memory;
  sculpt::StateWriter writer{sculpt::ByteOutput(memory.raw())};
  write(writer);
  const std::vector<char> bytes = memory.items();
  return {bytes.begin(), bytes.end()};
}

sculpt::StateReader state_reader_of(const std::string& bytes) {
  return {bytes.data(), static_cast<std::int64_t>(bytes.size())};
}

void write_sample(sculpt::StateWriter& out) {
  out.integer(-7);
  out.real(0.1);
  out.text(std::string("a\0b", 3));
  out.texts({"", "word"});
}

void read_sample(sculpt::StateReader& in) {
  CHECK(in.integer() == -7);
  CHECK(in.real() == 0.1);
  CHECK(in.text() == std::string("a\0b", 3));
  CHECK(in.texts() == std::vector<std::string>{"", "word"});
  in.end();
}

TEST_CASE("state is read as it was written, and equal contents are equal bytes") {
  const std::string bytes = bytes_of(write_sample);
  CHECK(bytes == bytes_of(write_sample));
  sculpt::StateReader in = state_reader_of(bytes);
  read_sample(in);
}

TEST_CASE("truncated state is refused") {
  const std::string bytes = bytes_of(write_sample);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    const std::string cut = bytes.substr(0, size);
    CHECK_THROWS_AS(([&] {
                      sculpt::StateReader in = state_reader_of(cut);
                      in.integer();
                      in.real();
                      in.text();
                      in.texts();
                      in.end();
                    })(),
                    sculpt::Error);
  }
}

TEST_CASE("state with bytes left over is refused") {
  const std::string bytes = bytes_of([](sculpt::StateWriter& out) { out.integer(1); }) + "x";
  sculpt::StateReader in = state_reader_of(bytes);
  in.integer();
  CHECK_THROWS_AS(in.end(), sculpt::Error);
}

TEST_CASE("impossible lengths are refused before memory is allocated") {
  for (const std::int64_t length : {INT64_MAX, INT64_MIN, std::int64_t{-1}, std::int64_t{2}}) {
    CAPTURE(length);
    const std::string bytes =
        bytes_of([length](sculpt::StateWriter& out) { out.integer(length); }) + "x";
    sculpt::StateReader text = state_reader_of(bytes);
    CHECK_THROWS_AS(text.text(), sculpt::Error);
    sculpt::StateReader texts = state_reader_of(bytes);
    CHECK_THROWS_AS(texts.texts(), sculpt::Error);
  }
}

constexpr sculpt_parameter table[] = {
    sculpt::boolean("bias", "true", "adds a constant"),
    sculpt::integer("window", "2", 0, 9, "words on each side"),
    sculpt::list_of(sculpt::integer("folds", "null", 0, 9, "folds to train on")),
    sculpt::choice("unit", "\"word\"", "word|letter", "what an example is"),
    sculpt::path("lexicon", "null", "a list of words")};

TEST_CASE("parameters are found by name, also lists and absent texts") {
  const sculpt_value folds[] = {{SCULPT_PARAMETER_INT, 0, 3, 3.0, nullptr, nullptr, 0, 0},
                                {SCULPT_PARAMETER_INT, 0, 5, 5.0, nullptr, nullptr, 0, 0}};
  const sculpt_value values[] = {
      {SCULPT_PARAMETER_BOOL, 1, 1, 0, nullptr, nullptr, 0, 0},
      {SCULPT_PARAMETER_INT, 0, 4, 4.0, nullptr, nullptr, 0, 0},
      {SCULPT_PARAMETER_INT | SCULPT_PARAMETER_LIST, 0, 0, 0, nullptr, folds, 2, 0},
      {SCULPT_PARAMETER_CHOICE, 0, 1, 0, "letter", nullptr, 0, 0},
      {SCULPT_PARAMETER_PATH, 1, -1, NAN, nullptr, nullptr, 0, 0}};
  const sculpt::Parameters parameters(table, std::size(table), values);
  CHECK(parameters.boolean("bias"));
  CHECK(parameters.is_default("bias"));
  CHECK(parameters.integer("window") == 4);
  CHECK(parameters.real("window") == 4.0);
  CHECK(!parameters.is_default("window"));
  CHECK(parameters.integers("folds") == std::vector<std::int64_t>{3, 5});
  CHECK(parameters.choice("unit") == "letter");
  CHECK(parameters.text("lexicon").empty());
}

TEST_CASE("the error for an undeclared parameter has its name") {
  const sculpt::Parameters parameters(table, 0, nullptr);
  const Outcome outcome = outcome_of([&](sculpt_error* error) {
    return sculpt::detail::guarded(error, "create", [&] { parameters.integer("widow"); });
  });
  CHECK(outcome.status == SCULPT_E_INTERNAL);
  CHECK(outcome.text == "reads parameter 'widow', which its table does not declare");
}

}  // namespace
