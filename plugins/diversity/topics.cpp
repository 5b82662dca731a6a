#include "topics.hpp"

#include "topic_reader.hpp"

namespace diversity {

namespace {

// The limit of the search for the truth of a topic (ChoiceSearch::best).
constexpr std::int64_t max_steps = 20000000;

void say_how_many(const sculpt::Host& host, const std::string& path, std::int64_t topics,
                  const std::string& what) {
  if (topics == 0) return;
  host.warn(path + ": " + std::to_string(topics) + (topics == 1 ? " topic " : " topics ") + what);
}

}  // namespace

void Topics::load(std::string_view split, const sculpt::Source& source) {
  const std::int64_t begin = count();
  sculpt::LineReader reader(source);
  ChoiceSearch search(host_);
  std::int64_t left_out = 0;
  std::int64_t unproven = 0;
  for (Topic& topic : TopicReader(reader, choice_size_).read()) {
    if (!topic.labelled && split == "train") {
      throw reader.error_at(topic.line, 0,
                            "the subtopics of topic " + sculpt::shown(topic.name) +
                                " are not known, and there is nothing to learn from it; write them "
                                "between two bars, or take the topic out of the training");
    }
    if (topic.subtopics.element_count() == 0 && split == "train") {
      ++left_out;
      continue;
    }
    if (topic.labelled) find_truth(topic, search);
    if (!topic.truth.empty() && topic.covered(topic.truth) < topic.max_covered) ++unproven;
    topics_.push_back(std::move(topic));
  }
  if (count() == begin) {
    throw sculpt::data_error(
        source.path() + ":1:1: " +
        (left_out > 0
             ? "no topic has a document with a subtopic, so there is nothing to learn; write "
               "them between the two bars of the documents"
             : "no topics; write a line `topic NAME`, and below its documents"));
  }
  say_how_many(host_, source.path(), left_out, "without any subtopic, left out of the training");
  say_how_many(host_, source.path(), unproven,
               "whose truth may not be the best choice: there are too many to try");
  if (!splits_.emplace(split, sculpt::Range{begin, count()}).second) {
    throw sculpt::Error(SCULPT_E_INVALID, "the split '" + std::string(split) + "' is loaded twice");
  }
}

// Weights are integers: the number of documents of a subtopic, or 1. Without subtopics there is no
// best choice, hence no truth.
void Topics::find_truth(Topic& topic, ChoiceSearch& search) const {
  const std::int32_t subtopics = topic.subtopics.element_count();
  if (subtopics == 0) return;
  for (std::int32_t one = 0; one < subtopics; ++one) {
    const std::size_t documents = topic.subtopics.documents_with(one).size();
    topic.weight.push_back(by_documents_ ? static_cast<double>(documents) : 1);
    topic.all_weights += topic.weight.back();
  }
  const Choice best = search.best(topic.subtopics, topic.weight, choice_size_, max_steps);
  topic.truth = best.documents;
  topic.max_covered = best.exact ? best.value : std::min(best.bound, topic.all_weights);
}

const Topic& Topics::topic(std::int64_t example) const {
  if (example < 0 || example >= count()) {
    throw sculpt::Error(SCULPT_E_INVALID, "has no topic " + std::to_string(example) +
                                              "; there are " + std::to_string(count()));
  }
  return topics_[static_cast<std::size_t>(example)];
}

void Topics::format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const {
  const Topic& one = topic(example);
  one.check(y);
  for (std::size_t k = 0; k < y.size(); ++k) {
    out << (k > 0 ? " " : "") << one.documents[static_cast<std::size_t>(y[k])];
  }
}

void Topics::parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const {
  const Topic& one = topic(example);
  std::vector<sculpt::Field> names;
  sculpt::split_fields(text, " \t\r\n", names);
  std::vector<std::int32_t> y;
  for (const sculpt::Field& name : names) {
    const auto found = std::find(one.documents.begin(), one.documents.end(), name.text);
    if (found == one.documents.end()) {
      throw sculpt::data_error("the topic has no document " + sculpt::shown(name.text));
    }
    y.push_back(static_cast<std::int32_t>(found - one.documents.begin()));
  }
  std::sort(y.begin(), y.end());
  y.erase(std::unique(y.begin(), y.end()), y.end());
  if (static_cast<std::int64_t>(y.size()) != choice_size_) {
    throw sculpt::data_error("there are " + std::to_string(y.size()) + " documents where " +
                             std::to_string(choice_size_) + " are expected");
  }
  out.assign(y);
}

}  // namespace diversity
