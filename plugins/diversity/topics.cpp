#include "topics.hpp"

#include "topic_reader.hpp"

namespace diversity {

namespace {

// The limit of the search for the truth of a topic (ChoiceSearch::best).
constexpr std::int64_t max_steps = 20000000;

// Warns "PATH: N topics WHAT", unless there are none.
void warn_of_topics(const sculpt::Host& host, const std::string& path, std::int64_t topics,
                    const std::string& what) {
  if (topics == 0) return;
  host.warn(path + ": " + std::to_string(topics) + (topics == 1 ? " topic " : " topics ") + what);
}

}  // namespace

void Topics::load(std::string_view split, const sculpt::Source& source) {
  const std::int64_t begin = count();
  sculpt::LineReader reader(source, sculpt::LineLife::until_next);
  ChoiceSearch search(host_);
  std::int64_t skipped = 0;
  std::int64_t unproven = 0;
  for (Topic& topic : TopicReader(reader, choice_size_).read()) {
    if (!topic.is_labelled && split == "train") {
      throw reader.error_at(topic.line, 0,
                            "the subtopics of topic " + sculpt::shown(topic.name) +
                                " are unknown, so there is nothing to learn from it; write them "
                                "between two bars, or remove the topic from the training data");
    }
    if (topic.subtopics.element_count() == 0 && split == "train") {
      ++skipped;
      continue;
    }
    if (topic.is_labelled) find_truth(topic, search);
    if (!topic.truth.empty() && topic.covered(topic.truth) < topic.max_covered) ++unproven;
    topics_.push_back(std::move(topic));
  }
  if (count() == begin) {
    throw sculpt::data_error(
        source.path() + ":1:1: " +
        (skipped > 0
             ? "no topic has a document with a subtopic, so there is nothing to learn; write "
               "subtopics between the two bars of the documents"
             : "no topics; write a line `topic NAME`, and its documents below it"));
  }
  warn_of_topics(host_, source.path(), skipped, "without any subtopic, left out of the training");
  warn_of_topics(host_, source.path(), unproven,
                 "whose truth may not be the best choice, because there are too many to try");
  if (!splits_.emplace(split, sculpt::Range{begin, count()}).second) {
    throw sculpt::Error(SCULPT_E_INVALID, "the split '" + std::string(split) + "' is loaded twice");
  }
}

// Weights are integers: the number of documents of a subtopic, or 1. Without subtopics there is no
// best choice, hence no truth.
void Topics::find_truth(Topic& topic, ChoiceSearch& search) const {
  const std::int32_t subtopics = topic.subtopics.element_count();
  if (subtopics == 0) return;
  for (std::int32_t subtopic = 0; subtopic < subtopics; ++subtopic) {
    const std::size_t documents = topic.subtopics.documents_with(subtopic).size();
    topic.weight.push_back(weights_by_documents_ ? static_cast<double>(documents) : 1);
    topic.total_weight += topic.weight.back();
  }
  const Choice best = search.best(topic.subtopics, topic.weight, choice_size_, max_steps);
  topic.truth = best.documents;
  topic.max_covered = best.is_exact ? best.value : std::min(best.bound, topic.total_weight);
}

const Topic& Topics::topic(std::int64_t example) const {
  if (example < 0 || example >= count()) {
    throw sculpt::Error(SCULPT_E_INVALID, "has no topic " + std::to_string(example) +
                                              "; there are " + std::to_string(count()));
  }
  return topics_[static_cast<std::size_t>(example)];
}

void Topics::format(std::int64_t example, sculpt::Labels y, sculpt::ByteOutput& out) const {
  const Topic& stored = topic(example);
  stored.check(y);
  for (std::size_t k = 0; k < y.size(); ++k) {
    out << (k > 0 ? " " : "") << stored.documents[static_cast<std::size_t>(y[k])];
  }
}

void Topics::parse(std::int64_t example, std::string_view text, sculpt::LabelOutput& out) const {
  const Topic& stored = topic(example);
  std::vector<sculpt::Field> names;
  sculpt::split_fields(text, " \t\r\n", names);
  std::vector<std::int32_t> y;
  for (const sculpt::Field& name : names) {
    const auto found = std::find(stored.documents.begin(), stored.documents.end(), name.text);
    if (found == stored.documents.end()) {
      throw sculpt::data_error("the topic has no document " + sculpt::shown(name.text));
    }
    y.push_back(static_cast<std::int32_t>(found - stored.documents.begin()));
  }
  std::sort(y.begin(), y.end());
  y.erase(std::unique(y.begin(), y.end()), y.end());
  if (static_cast<std::int64_t>(y.size()) != choice_size_) {
    throw sculpt::data_error("write " + std::to_string(choice_size_) +
                             " different documents, not " + std::to_string(y.size()));
  }
  out.assign(y);
}

}  // namespace diversity
