// The dataset topics: reading, truths, and refusals with their places.
#include <doctest/doctest.h>

#include "live_component.hpp"
#include "refusals.hpp"

#include <random>

using namespace plugin_test;
using nlohmann::json;

namespace {

const json two = {{"k", 2}};

std::string refused_topics(const std::string& text, const json& parameters = two) {
  return refused_data("diversity#topics", text, "", parameters);
}

}  // namespace

TEST_CASE("topics: truths cover the most subtopics, weighted by documents or uniformly") {
  const std::string text =
      "# three documents have s, one has t and u\n"
      "topic 301\n"
      "document a | s | oil:3 price oil\n"
      "document b | s s |\n"
      "\n"
      "document c | s | the cat\n"
      "document d | t u | :::2\r\n"
      "document e | |\n";
  LiveComponent dataset("diversity#topics", {{"k", 1}});
  dataset.load("train", text);
  CHECK(example_count(dataset) == 1);
  CHECK(truth_of(dataset, 0) == Outputs{0});
  LiveComponent uniform("diversity#topics", {{"k", 1}, {"weights", "uniform"}});
  uniform.load("train", text);
  CHECK(truth_of(uniform, 0) == Outputs{3});
}

TEST_CASE("topics: the truth is the best choice even if a greedy choice is not") {
  LiveComponent dataset("diversity#topics", {{"k", 2}, {"weights", "uniform"}});
  dataset.load("train",
               "topic 1\ndocument a | 1 2 3 4 |\ndocument b | 1 2 5 |\ndocument c | 3 4 6 |\n");
  CHECK(truth_of(dataset, 0) == Outputs{1, 2});
}

TEST_CASE("topics logs the number of truths that may not be the best choice") {
  std::mt19937 random(1);
  std::string text = "topic 1\n";
  for (int document = 0; document < 300; ++document) {
    text += "document " + std::to_string(document) + " |";
    for (int more = 0; more < 8; ++more) text += " " + std::to_string(random() % 200);
    text += " |\n";
  }
  LiveComponent dataset("diversity#topics", {{"k", 20}});
  dataset.load("train", text);
  CHECK(truth_of(dataset, 0).size() == 20);
  REQUIRE(dataset.log().size() == 1);
  CHECK(dataset.log()[0].find("1 topic whose truth may not be the best choice") !=
        std::string::npos);
}

TEST_CASE("topics: topics without subtopics have no truth and are left out of training") {
  LiveComponent dataset("diversity#topics", two);
  dataset.load("train",
               "topic 1\ndocument a | s | x\ndocument b | | y\n"
               "topic 2\ndocument a | | x\ndocument b | | y\n");
  CHECK(example_count(dataset) == 1);
  REQUIRE(dataset.log().size() == 1);
  CHECK(dataset.log()[0].find("1 topic without any subtopic, left out") != std::string::npos);
  dataset.load("test", "topic 2\ndocument a | | x\ndocument b | | y\n");
  dataset.load("predict", "topic 3\ndocument a | x\ndocument b |\ndocument c | y z:2\n");
  CHECK(example_count(dataset) == 3);
  CHECK_FALSE(is_labelled(dataset, 1));
  CHECK_FALSE(is_labelled(dataset, 2));
  CHECK(format(dataset, 2, {0, 2}) == "a c");
  CHECK(parse(dataset, 2, "c a") == Outputs{0, 2});
  CHECK_THROWS_WITH(parse(dataset, 2, "c d"), "the topic has no document 'd'");
  CHECK_THROWS_WITH(parse(dataset, 2, "c c"), "write 2 different documents, not 1");
  CHECK_THROWS_WITH(format(dataset, 2, {0}), "an output of this topic has 2 documents, not 1");
  CHECK_THROWS_WITH(format(dataset, 2, {2, 0}),
                    "the documents of an output must be ascending numbers from 0 to 2");
}

TEST_CASE("topics refuses k above the number of candidates, with the place of the topic") {
  CHECK(refused_topics("topic 1\ndocument a | s | x\ndocument b | t | x\n", {{"k", 3}}) ==
        "data.txt:1:1: topic '1' has 2 documents, but k is 3; lower k, or remove the topic");
  CHECK(refused_topics("topic 1\ntopic 2\ndocument a | s | x\ndocument b | t | x\n") ==
        "data.txt:1:1: topic '1' has 0 documents, but k is 2; lower k, or remove the topic");
}

TEST_CASE("topics refuses training topics whose subtopics are not known, with the place") {
  CHECK(
      refused_topics("topic 1\ndocument a | s | x\ndocument b | | y\n\n"
                     "topic 2\ndocument a | x\ndocument b | y\n") ==
      "data.txt:5:1: the subtopics of topic '2' are unknown, so there is nothing to learn from it; "
      "write them between two bars, or remove the topic from the training data");
}

TEST_CASE("topics refuses repeated names") {
  CHECK(refused_topics("topic 1\ndocument a | s | x\ndocument a | t | x\n") ==
        "data.txt:3:10: the topic has a document 'a' already; give this one another name");
  CHECK(refused_topics("topic 1\ndocument a | s |\ndocument b | t |\ntopic 1\n") ==
        "data.txt:4:7: there is a topic '1' already; give this one another name");
}

TEST_CASE("topics refuses bad counts") {
  const std::string line = "topic 1\ndocument a | s | ";
  CHECK(refused_topics(line + "x:0\n") ==
        "data.txt:2:20: a count must be from 1 to 1000000000; leave out words that a document does "
        "not have");
  CHECK(refused_topics(line + "x:-1\n").starts_with("data.txt:2:20: a count must be from 1"));
  CHECK(
      refused_topics(line + "x:1000000001\n").starts_with("data.txt:2:20: a count must be from 1"));
  CHECK(refused_topics(line + "y x:two\n") ==
        "data.txt:2:22: 'two' is not a count; write `word:count`, or another character instead of "
        "the colon");
  CHECK(refused_topics(line + ":3\n") ==
        "data.txt:2:18: no word before the colon; write `word:count`");
}

TEST_CASE("topics refuses lines of another form") {
  const std::string form =
      "; write `document NAME | subtopic ... | word[:count] ...`, or `document NAME | word[:count] "
      "...` if subtopics are unknown";
  CHECK(refused_topics("document a | s | x\n") ==
        "data.txt:1:1: this document comes before the first topic; write a line `topic NAME` above "
        "it");
  CHECK(refused_topics("topic 1\ndokument a | s | x\n") ==
        "data.txt:2:1: 'dokument' cannot begin a line; begin it with `topic` or `document`");
  CHECK(refused_topics("topic\n") ==
        "data.txt:1:1: this topic does not have one name; write `topic NAME`, without blanks in "
        "the name");
  CHECK(refused_topics("topic solar wind\n")
            .starts_with("data.txt:1:13: this topic does not have one name"));
  CHECK(refused_topics("topic 1\ndocument a\n") ==
        "data.txt:2:1: this document does not have one name and a bar after it" + form);
  CHECK(refused_topics("topic 1\ndocument | s | x\n")
            .starts_with("data.txt:2:10: this document does not have one"));
  CHECK(refused_topics("topic 1\ndocument a b | x\n")
            .starts_with("data.txt:2:12: this document does not have one"));
  CHECK(refused_topics("topic 1\ndocument a | s | x | y\n") ==
        "data.txt:2:20: there is a third bar" + form);
  CHECK(refused_topics("# nothing\n") ==
        "data.txt:1:1: no topics; write a line `topic NAME`, and its documents below it");
  CHECK(
      refused_topics("topic 1\ndocument a | | x\ndocument b | | x\n") ==
      "data.txt:1:1: no topic has a document with a subtopic, so there is nothing to learn; write "
      "subtopics between the two bars of the documents");
}

TEST_CASE("topics refuses topics in which only some documents have subtopics between bars") {
  CHECK(refused_topics("topic 1\ndocument a | s | x\ndocument b | x\n") ==
        "data.txt:3:1: this document has no subtopics between two bars, but the first document of "
        "the topic has some; "
        "label all documents of a topic, or none");
  CHECK(refused_topics("topic 1\ndocument a | x\ndocument b | s | x\n") ==
        "data.txt:3:1: this document has subtopics between two bars, but the first document of the "
        "topic has none; "
        "label all documents of a topic, or none");
}

TEST_CASE("topics refuses topics that are too large") {
  std::string documents = "topic 1\n";
  for (int d = 0; d <= 100000; ++d) documents += "document " + std::to_string(d) + " | |\n";
  CHECK(refused_topics(documents) ==
        "data.txt:100002:1: more than 100000 documents in one topic; use fewer candidates");
  std::string subtopics = "topic 1\ndocument a |";
  for (int s = 0; s <= 10000; ++s) subtopics += " " + std::to_string(s);
  CHECK(refused_topics(subtopics + " |\n") ==
        "data.txt:2:48904: more than 10000 subtopics in one topic; use fewer candidates");
  std::string words = "topic 1\ndocument a | s |";
  for (int w = 0; w <= 1000000; ++w) words += " " + std::to_string(w);
  CHECK(refused_topics(words + "\n") ==
        "data.txt:2:6888908: more than 1000000 words in one topic; use fewer candidates");
}
