// The dataset svmrank: reading, queries that it leaves out, and refusals with their places. Also
// the refusals of the other components of ranking.
#include <doctest/doctest.h>

#include "line_ends.hpp"
#include "random_queries.hpp"
#include "refusals.hpp"

#include <cmath>

using namespace plugin_test;
using nlohmann::json;

namespace {

const std::string two_queries = "2 qid:7 1:0.5 # one\n0 qid:7 2:1\n\n1 qid:3 1:2\n0 qid:3\n";

std::string refused_queries(const std::string& text, const std::string& train = "") {
  return refused_data("ranking#svmrank", text, train);
}

std::string refused_loss(const RandomQuery& query, const std::string& loss, const json& parameters,
                         const json& features) {
  return refusal_of([&] { const BoundQuery bound(query, loss, parameters, features); });
}

}  // namespace

TEST_CASE("svmrank: a query is an example and its documents are sites") {
  LiveComponent dataset("ranking#svmrank");
  dataset.load("train", two_queries);
  CHECK(example_count(dataset) == 2);
  CHECK(truth_of(dataset, 0) == Outputs{2, 0});
  CHECK(truth_of(dataset, 1) == Outputs{1, 0});
  CHECK(sites_of(dataset, 1).site_count == 2);
  CHECK(sites_of(dataset, 1).value[0] == 2);
  CHECK(shape_of(dataset).feature_count == 2);
  CHECK(shape_of(dataset).state_count == 3);
  CHECK(state_name(dataset, 2) == "2");
  CHECK(feature_name(dataset, 0) == "feature 1");
  CHECK(dataset.log().empty());

  LiveComponent crlf("ranking#svmrank");
  crlf.load("train", with_crlf(two_queries));
  CHECK(crlf.save() == dataset.save());
}

TEST_CASE("svmrank: other splits may have any grade, no grades, and queries of one grade") {
  LiveComponent dataset("ranking#svmrank");
  dataset.load("train", two_queries);
  dataset.load("test", "5 qid:1 1:1 9:1\n0 qid:1\n1 qid:2 1:1\n");
  CHECK(split_of(dataset, "test") == std::pair<std::int64_t, std::int64_t>{2, 4});
  CHECK(truth_of(dataset, 2) == Outputs{5, 0});
  CHECK(truth_of(dataset, 3) == Outputs{1});
  REQUIRE(dataset.log().size() == 2);  // feature 9 is ignored
  CHECK(dataset.log()[0] ==
        "data.txt: the documents of 1 of 2 queries all have the same grade, so no order of them is "
        "wrong; the measures leave these queries out (skipped), and only the mean loss counts "
        "them, as 0");
  dataset.load("predict", "qid:1 1:1\nqid:1 2:1\n3 qid:2\n");
  CHECK_FALSE(is_labelled(dataset, 4));
  CHECK(is_labelled(dataset, 5));

  LiveComponent restored("ranking#svmrank");
  restored.restore(dataset.save());
  restored.load("predict", two_queries);
  CHECK(truth_of(restored, 0) == Outputs{2, 0});
  CHECK(restored.save() == dataset.save());
  LiveComponent truncated("ranking#svmrank");
  CHECK_THROWS_AS(truncated.restore(dataset.save().substr(0, 20)), CallFailed);
}

TEST_CASE("svmrank: training queries of one grade or one document are left out and counted") {
  LiveComponent dataset("ranking#svmrank");
  dataset.load("train", "1 qid:1 1:1\n1 qid:1 2:1\n" + two_queries + "4 qid:9 3:1\n");
  CHECK(example_count(dataset) == 2);
  CHECK(truth_of(dataset, 0) == Outputs{2, 0});
  CHECK(sites_of(dataset, 0).value[0] == 0.5);
  REQUIRE(dataset.log().size() == 1);
  CHECK(dataset.log()[0] ==
        "data.txt: left out 2 of 4 queries, because their documents all have the same grade, so "
        "there is "
        "nothing to learn (SVM-rank counts them in its means: its -c is C times 2)");
}

TEST_CASE("svmrank: grades 0.33 and -1 are numbers in order, whatever the split that has them") {
  LiveComponent dataset("ranking#svmrank");
  dataset.load("train", "0.33 qid:1 1:1\r\n-1 qid:1 2:1\r\n1 qid:1 1:2\r\n");
  CHECK(truth_of(dataset, 0) == Outputs{1, 0, 2});
  CHECK(state_name(dataset, 0) == "-1");
  CHECK(state_name(dataset, 1) == "0.33");
  const std::string state = dataset.save();
  dataset.load("test", "+0.5 qid:1\n2 qid:1\n-1.0 qid:1\n\n0.25 qid:2\n0.330 qid:2\n");
  // The grades of both splits: -1, 0.25, 0.33, 0.5, 1, 2.
  CHECK(truth_of(dataset, 0) == Outputs{2, 0, 4});
  CHECK(truth_of(dataset, 1) == Outputs{3, 5, 0});
  CHECK(truth_of(dataset, 2) == Outputs{1, 2});
  CHECK(parse(dataset, 0, "2\n3\n1") == Outputs{2, 0, 4});  // the order of the truth
  LiveComponent restored("ranking#svmrank");
  restored.restore(state);
  CHECK(restored.save() == state);
  restored.load("predict", "7 qid:1\n0 qid:1\n");
  CHECK(truth_of(restored, 0) == Outputs{4, 1});
}

TEST_CASE("svmrank: a test file may have the first grade that is no whole number") {
  LiveComponent learned("ranking#svmrank");
  learned.load("train", "3.0 qid:1 1:1\n1e0 qid:1 2:1\n");
  CHECK(truth_of(learned, 0) == Outputs{3, 1});
  learned.load("test", "0.5 qid:1\n1500 qid:1\n");
  CHECK(truth_of(learned, 0) == Outputs{2, 1});
  CHECK(truth_of(learned, 1) == Outputs{0, 3});
}

TEST_CASE(
    "pair_error and MAP learn from grades -1, 0.33 and 2.5 as from 0, 1 and 2 in their place") {
  const std::string real = "-1 qid:1 1:1\n0.33 qid:1 2:1\n2.5 qid:1 1:-1 2:2\n";
  const std::string whole = "0 qid:1 1:1\n1 qid:1 2:1\n2 qid:1 1:-1 2:2\n";
  const auto losses = [](const std::string& rows, const std::string& name, const json& parameters) {
    LiveComponent dataset("ranking#svmrank");
    dataset.load("train", rows);
    LiveComponent features("ranking", json::object(), SCULPT_KIND_FEATURES);
    features.bind(&dataset);
    LiveComponent one("ranking#" + name, parameters);
    one.bind(&dataset, &features);
    std::vector<double> values;
    for (const Outputs& y :
         {Outputs{0, 1, 2}, Outputs{2, 1, 0}, Outputs{1, 0, 2}, Outputs{0, 0, 0}}) {
      values.push_back(loss(one, {0, 1, 2}, y));
    }
    return values;
  };
  CHECK(losses(real, "pair_error", json::object()) == losses(whole, "pair_error", json::object()));
  CHECK(losses(real, "mean_average_precision", {{"relevant_from", 0.5}}) ==
        losses(whole, "mean_average_precision", {{"relevant_from", 2}}));
  CHECK(losses(real, "mean_average_precision", {{"relevant_from", 0.3}}) ==
        losses(whole, "mean_average_precision", json::object()));
}

TEST_CASE("ndcg has gains of real grades, and refuses negative ones with the query and a remedy") {
  const auto bound_loss = [](const std::string& rows, const json& parameters, const Outputs& y) {
    LiveComponent dataset("ranking#svmrank");
    dataset.load("train", rows);
    LiveComponent ndcg("ranking#ndcg", parameters);
    LiveComponent features("ranking", json::object(), SCULPT_KIND_FEATURES);
    features.bind(&dataset);
    ndcg.bind(&dataset, &features);
    return loss(ndcg, truth_of(dataset, 0), y);
  };
  const std::string rows = "0.5 qid:1 1:1\n1.5 qid:1 2:1\n";
  // The better document comes second: its discount is 1 / log2(3).
  const double second = 1 / std::log2(3.0);
  CHECK(bound_loss(rows, {{"gain", "linear"}}, {1, 0}) ==
        doctest::Approx(1 - (0.5 + 1.5 * second) / (1.5 + 0.5 * second)));
  const double low = std::exp2(0.5) - 1;
  const double high = std::exp2(1.5) - 1;
  CHECK(bound_loss(rows, json::object(), {1, 0}) ==
        doctest::Approx(1 - (low + high * second) / (high + low * second)));
  CHECK(
      refusal_of(
          [&] { bound_loss("1 qid:1\n0 qid:1\n\n1 qid:2\n-1 qid:2\n", json::object(), {}); }) ==
      "data.txt:4: document 2 of this query has the grade -1, but gains are of grades of at least "
      "0; use the loss pair_error or mean_average_precision, which take any grades, or set "
      "which grades are relevant (--set loss.relevant_from=...)");
  CHECK(bound_loss("1 qid:1\n-1 qid:1\n", {{"relevant_from", 1}}, {0, 1}) ==
        doctest::Approx(1 - second));
  CHECK(
      refusal_of([&] { bound_loss("1500 qid:1\n0 qid:1\n", json::object(), {}); })
          .starts_with("data.txt:1: document 1 of this query has the grade 1500, but gains are of "
                       "grades up to 1000; --set loss.gain=linear takes larger ones"));
}

TEST_CASE("the mean loss over the queries that count is counted_loss, and others are skipped") {
  LiveComponent dataset("ranking#svmrank");
  dataset.load("train", "1 qid:1 1:1\n0 qid:1 2:1\n");
  LiveComponent features("ranking", json::object(), SCULPT_KIND_FEATURES);
  features.bind(&dataset);
  LiveComponent pairs("ranking#pair_error");
  pairs.bind(&dataset, &features);
  // A wrong pair, and two queries of one grade.
  const json found = metrics(pairs, {{{1, 0}, {0, 1}}, {{2, 2}, {0, 1}}, {{0, 0}, {0, 0}}});
  CHECK(found["counted_loss"] == 1);
  CHECK(found["pair_error"] == 1);
  CHECK(found["skipped"] == 2);
}

TEST_CASE("measures of relevant documents leave out queries with grades of at most 0") {
  LiveComponent dataset("ranking#svmrank");
  dataset.load("train", "1 qid:1 1:1\n0 qid:1 2:1\n-1 qid:1 1:2\n");
  LiveComponent features("ranking", json::object(), SCULPT_KIND_FEATURES);
  features.bind(&dataset);
  LiveComponent pairs("ranking#pair_error");
  pairs.bind(&dataset, &features);
  const json none = metrics(pairs, {{{1, 1, 0}, {0, 0, 1}}});  // the grades 0, 0 and -1
  CHECK(std::isnan(none["map"].get<double>()));
  CHECK(std::isnan(none["ndcg@10"].get<double>()));
  CHECK(none["pair_error"] == 1);
  const json one = metrics(pairs, {{{2, 1, 0}, {2, 1, 0}}});
  CHECK(one["map"] == 1);
  CHECK(one["ndcg@10"] == 1);
}

TEST_CASE("svmrank: outputs print as ranks, which read back") {
  LiveComponent dataset("ranking#svmrank");
  dataset.load("train", "0 qid:1 1:1\n2 qid:1 2:1\n0 qid:1 1:2\n");
  CHECK(format(dataset, 0, {0, 2, 1}) == "3\n1\n2");
  CHECK(format(dataset, 0, {1, 0, 1}) == "1\n3\n1");
  CHECK(parse(dataset, 0, "1\n3\n1") == Outputs{1, 0, 1});
  CHECK(parse(dataset, 0, "7 1 7") == Outputs{0, 2, 0});  // the truth has this order
  CHECK(format(dataset, 0, {0, 1, 0, 1, 0, 0}) == "0 1\n1 0\n0 0");
  CHECK(parse(dataset, 0, "0 1\n1 0\n0 0") == Outputs{0, 1, 0, 1, 0, 0});
  CHECK_THROWS_WITH(parse(dataset, 0, "1 2"), "a rank for each of 3 documents is expected");
  CHECK_THROWS_WITH(parse(dataset, 0, "1 0 2"), "'0' is not a rank; ranks count from 1");
  CHECK_THROWS_WITH(parse(dataset, 0, "0 1 1 0 0 3"),
                    "'3' is not a number of other documents; write a number from 0 to 2");
  CHECK_THROWS_WITH(format(dataset, 0, {0, 1}), "an output of this query has 3 numbers, not 2");
}

TEST_CASE("svmrank refuses bad rows, with their place") {
  CHECK(refused_queries("# nothing\n") ==
        "data.txt:1:1: no rows; write rows such as `2 qid:1 1:0.5 3:1`");
  CHECK(refused_queries("1 qid:1 1:1\n0 1:1\n") ==
        "data.txt:2:3: this row has no query here; write qid:number");
  CHECK(refused_queries("1:1 2:1\n") ==
        "data.txt:1:1: this row has no query here; write qid:number");
  CHECK(refused_queries("1\n") == "data.txt:1:2: this row has no query here; write qid:number");
  CHECK(refused_queries("1 qid:a 1:1\n") ==
        "data.txt:1:7: 'a' is not a query; a whole number is expected");
  CHECK(refused_queries("x qid:1 1:1\n") ==
        "data.txt:1:1: 'x' is not a grade, nor qid:number of a row without one; a finite number is "
        "expected");
  CHECK(refused_queries("nan qid:1 1:1\n").starts_with("data.txt:1:1: 'nan' is not a grade"));
  CHECK(refused_queries("1e999 qid:1 1:1\n").starts_with("data.txt:1:1: '1e999' is too large"));
  CHECK(refused_queries("1 qid:1 1:1\n0 qid:1 1:x\n").starts_with("data.txt:2:11: "));
  CHECK(refused_queries("1 qid:1 qid:1\n").starts_with("data.txt:1:9: "));
}

TEST_CASE("svmrank refuses unsorted qids and partly labelled queries, with their place") {
  CHECK(refused_queries("1 qid:1\n0 qid:2\n0 qid:1\n") ==
        "data.txt:3:3: query 1 began on line 1 and ended before this row; sort the rows by qid");
  CHECK(refused_queries("qid:1 1:1\n2 qid:1\n", two_queries) ==
        "data.txt:2:1: this row has a grade, but the first row of its query has none; give a grade "
        "to all rows of a query, or to none");
  CHECK(refused_queries("2 qid:1\nqid:1 1:1\n", two_queries) ==
        "data.txt:2:1: this row has no grade, but the first row of its query has one; give a grade "
        "to all rows of a query, or to none");
}

TEST_CASE("svmrank refuses training data without an order to learn") {
  const std::string expected =
      "data.txt:1:1: no query has documents of different grades, so there is nothing to learn; use "
      "other training data";
  CHECK(refused_queries("1 qid:1\n1 qid:1 1:1\n0 qid:2\n") == expected);
}

TEST_CASE(
    "svmrank refuses training queries without grades, with their place, but not those of other "
    "splits") {
  const std::string expected =
      ": this query has no grades, so there is nothing to learn from it; begin its rows "
      "with grades, or remove it from the training data";
  CHECK(refused_queries("qid:1\nqid:1 1:1\n") == "data.txt:1:1" + expected);
  CHECK(refused_queries(two_queries + "# more\n  qid:9 1:1\nqid:9 2:1\n") ==
        "data.txt:7:3" + expected);
  CHECK(refused_queries("qid:9 1:1\n", two_queries) == "accepted");
}

TEST_CASE("ranking refuses losses that do not fit psi, with a remedy") {
  Random random(909);
  RandomQuery query = draw_query(random, 3, 2);
  query.grades = {0, 2, 1};
  CHECK(refused_loss(query, "ranking#mean_average_precision", json::object(),
                     {{"relevant_from", 2}}) ==
        "example 0: psi distinguishes fewer grades than "
        "org.sculpt.mean_average_precision; set features.relevant_from to 1, the value of "
        "loss.relevant_from");
  CHECK(refused_loss(query, "ranking#pair_error", {{"relevant_from", 1}}, json::object()) ==
        "example 0: psi distinguishes more grades than org.sculpt.pair_error; set "
        "features.relevant_from to 1, the value of loss.relevant_from");
  CHECK(refused_loss(query, "ranking#ndcg", json::object(), {{"relevant_from", 1}}) ==
        "example 0: psi distinguishes fewer grades than org.sculpt.ndcg; set "
        "features.relevant_from to 0, the value of loss.relevant_from");
  CHECK(refused_loss(query, "ranking#mean_average_precision", {{"relevant_from", 3}},
                     {{"relevant_from", 3}}) ==
        "no training query has documents both of grade 3 or more and below it, so all orders "
        "are equally good; change relevant_from");
  CHECK(refused_loss(query, "hamming", json::object(), json::object()) ==
        "supports the losses pair_error, mean_average_precision, "
        "reciprocal_rank and ndcg of its own library, not org.sculpt.hamming; use one of these");
  CHECK(refused_loss(query, "ranking#mean_average_precision", json::object(), json::object()) ==
        "accepted");
}

TEST_CASE("ranking refuses datasets without one label for each site") {
  LiveComponent letters("svmlight", json::object());
  letters.load("train", "1 1:1\n2 2:1\n");
  LiveComponent features("ranking", json::object(), SCULPT_KIND_FEATURES);
  features.bind(&letters);  // one document for each query, with grade 0 or 1
  LiveComponent images("mlsvml", json::object());
  images.load("train", "1,2 1:1\n2 2:1\n");
  LiveComponent others("ranking", json::object(), SCULPT_KIND_FEATURES);
  CHECK_THROWS_WITH(others.bind(&images),
                    "needs a grade for each document, but org.sculpt.mlsvml has no label for "
                    "each of its sites; use the dataset svmrank");
}

TEST_CASE("ranking: a query whose documents are of one group has no pairs and loss 0") {
  LiveComponent dataset("ranking#svmrank");
  dataset.load("train", "2 qid:1 1:1\n0 qid:1 2:1\n2 qid:2 1:1\n1 qid:2 2:1\n");
  LiveComponent features("ranking", {{"relevant_from", 1}}, SCULPT_KIND_FEATURES);
  features.bind(&dataset);
  features.seal();
  for (const std::string name :
       {"pair_error", "mean_average_precision", "reciprocal_rank", "ndcg"}) {
    LiveComponent loss("ranking#" + name, {{"relevant_from", 1}});
    loss.bind(&dataset, &features);
    loss.seal();
    LiveComponent oracle("ranking", json::object(), SCULPT_KIND_ORACLE);
    oracle.bind(&dataset, &features, &loss);
    oracle.seal();
    CHECK(plugin_test::loss(loss, 1, {2, 1}, {0, 1}) == 0);
    OracleQuery oracle_query;
    oracle_query.example = 1;
    oracle_query.w = {-1, 1};
    oracle_query.truth = {2, 1};
    oracle_query.loss_weight = 1;
    const Solution found = argmax(oracle, oracle_query);
    CHECK(found.output == Outputs{2, 1});
    CHECK(found.value == 0);
  }
}

TEST_CASE(
    "ranking: queries with more cells than max_cells are refused at bind, except for pair_error") {
  Random random(910);
  RandomQuery query = draw_query(random, 3, 1);
  query.grades = {0, 1, 1};
  const auto bind = [&](const char* loss, std::int64_t max_cells) {
    const BoundQuery bound(query, loss, json::object(), json::object());
    LiveComponent oracle("ranking", {{"max_cells", max_cells}}, SCULPT_KIND_ORACLE);
    oracle.bind(&bound.bound.dataset, &bound.bound.features, &bound.loss);
  };
  CHECK_THROWS_WITH_AS(
      bind("ranking#reciprocal_rank", 5),
      "example 0: the 3 documents of this query, by their grades, make 6 cells, "
      "more "
      "than max_cells; raise max_cells, set relevant_from of features and loss, or use the loss "
      "pair_error",
      CallFailed);
  CHECK_NOTHROW(bind("ranking#reciprocal_rank", 6));
  CHECK_NOTHROW(bind("ranking#pair_error", 1));
}

TEST_CASE("ranking: the search for an order stops on request") {
  Random random(911);
  const RandomQuery query = draw_query(random, 6, 1);
  BoundQuery bound(query, "ranking#mean_average_precision", json::object(), json::object());
  bound.oracle.ask_to_stop(true);
  OracleQuery oracle_query;
  oracle_query.w = {1, 1};
  oracle_query.truth = query.grades;
  CHECK_THROWS_WITH(argmax(bound.oracle, oracle_query), "stopped");
}

TEST_CASE("ranking refuses outputs that are neither orders nor swapped pairs") {
  Random random(912);
  RandomQuery query = draw_query(random, 3, 2);
  query.grades = {0, 2, 1};
  const BoundQuery bound(query, "ranking#pair_error", json::object(), json::object());
  CHECK_THROWS_WITH(psi(bound.bound.features, 0, {0, 1}),
                    "an output of query 0 has 3 numbers, not 2");
  CHECK_THROWS_WITH(psi(bound.bound.features, 0, {0, -1, 1}),
                    "an output has a negative number; give numbers from 0");
  CHECK_THROWS_WITH(psi(bound.bound.features, 0, {0, 3, 0, 0, 0, 0}),
                    "an output swaps more pairs of document 1 than exist");
  CHECK_THROWS_WITH(loss(bound.loss, 0, query.grades, {0, 1, 0, 0, 0, 0}),
                    "an output swaps pairs for only one of their two documents");
}
