// JsonDocument: positions of keys and values, comments, duplicate keys, paths and files.

#include "experiment/json_document.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/refusal.hpp"

using namespace sculpt::core;

namespace {

JsonDocument parsed(const std::string& text) {
  return JsonDocument::parse(text, {"x.json", "/data"});
}

// "line:column" of the value, and of its key.
std::string value_at(const JsonDocument& document, const std::string& pointer) {
  return document.position(pointer).text().substr(7);
}
std::string key_at(const JsonDocument& document, const std::string& pointer) {
  return document.key_position(pointer).text().substr(7);
}

}  // namespace

TEST_CASE("each key and value has its line and column") {
  const JsonDocument document = parsed(
      "{\n"
      "  \"solver\": {\"use\": \"one_slack\", \"C\": 10},\n"
      "  \"widths\" : [ 1, -2.5e3 ,\"a\", true, null, [], {} ]\n"
      "}\n");
  CHECK(value_at(document, "") == "1:1");
  CHECK(key_at(document, "/solver") == "2:3");
  CHECK(value_at(document, "/solver") == "2:13");
  CHECK(value_at(document, "/solver/use") == "2:21");
  CHECK(key_at(document, "/solver/C") == "2:34");
  CHECK(value_at(document, "/solver/C") == "2:39");
  CHECK(key_at(document, "/widths") == "3:3");
  CHECK(value_at(document, "/widths") == "3:14");
  CHECK(value_at(document, "/widths/0") == "3:16");
  CHECK(value_at(document, "/widths/1") == "3:19");
  CHECK(value_at(document, "/widths/2") == "3:27");
  CHECK(value_at(document, "/widths/3") == "3:32");
  CHECK(value_at(document, "/widths/4") == "3:38");
  CHECK(value_at(document, "/widths/5") == "3:44");
  CHECK(value_at(document, "/widths/6") == "3:48");
}

TEST_CASE("nested objects and lists keep their positions") {
  const JsonDocument document = parsed("{\"a\":[[1,{\"b\":[2]}],3],\"c\":{\"d\":{}},\"e\":4}");
  CHECK(value_at(document, "/a/0/0") == "1:8");
  CHECK(key_at(document, "/a/0/1/b") == "1:11");
  CHECK(value_at(document, "/a/0/1/b/0") == "1:16");
  CHECK(value_at(document, "/a/1") == "1:21");
  CHECK(value_at(document, "/c/d") == "1:33");
  CHECK(key_at(document, "/e") == "1:37");
  CHECK(value_at(document, "/e") == "1:41");
}

TEST_CASE("comments of both kinds are skipped, also next to numbers") {
  const JsonDocument document = parsed(
      "// , : { \"\n"
      "{ /* \"a\": 1, */ \"a\"/**/:/*:*/5//x\n"
      ",\"b\":6/* * / */,\"c\":[7//]\n"
      "]}// end");
  CHECK(document.json().dump() == R"({"a":5,"b":6,"c":[7]})");
  CHECK(value_at(document, "") == "2:1");
  CHECK(key_at(document, "/a") == "2:17");
  CHECK(value_at(document, "/a") == "2:30");
  CHECK(key_at(document, "/b") == "3:2");
  CHECK(value_at(document, "/b") == "3:6");
  CHECK(value_at(document, "/c/0") == "3:22");
}

TEST_CASE("a comment ends with its file or with a carriage return") {
  CHECK(parsed("5//x").json() == 5);
  CHECK(value_at(parsed("{\"a\"://x\r\n 5}"), "/a") == "2:2");
  CHECK(parsed("//x\r5").json() == 5);
}

TEST_CASE("CRLF line ends count once and tabs count as one column") {
  const JsonDocument document = parsed("{\r\n\t\"a\":\t1,\r\n\r\n\t\t\"b\": 2\r\n}\r\n");
  CHECK(key_at(document, "/a") == "2:2");
  CHECK(value_at(document, "/a") == "2:7");
  CHECK(key_at(document, "/b") == "4:3");
}

TEST_CASE("columns are counted in characters, not in bytes") {
  // Two, three and four bytes each.
  const JsonDocument document = parsed("{\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8E\xB2\": 1, \"b\": 2}");
  CHECK(value_at(document, "/\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8E\xB2") == "1:9");
  CHECK(key_at(document, "/b") == "1:12");
}

TEST_CASE("a byte order mark is skipped and takes no column") {
  const JsonDocument document = parsed("\xEF\xBB\xBF{\"a\": 1}");
  CHECK(value_at(document, "") == "1:1");
  CHECK(value_at(document, "/a") == "1:7");
}

TEST_CASE("escapes in keys do not change positions, and equal keys are found despite escapes") {
  const JsonDocument document = parsed(R"({"a\"},{\\": 1, "\u0062": 2, "s/~": 3, "end": 4})");
  CHECK(document.json()["a\"},{\\"] == 1);
  CHECK(key_at(document, "/b") == "1:17");
  CHECK(value_at(document, "/b") == "1:27");
  CHECK(value_at(document, pointer_to("", "s/~")) == "1:37");
  CHECK(key_at(document, "/end") == "1:40");
  CHECK(refusal_of([] { parsed(R"({"a": 1, "\u0061": 2})"); }).text ==
        "x.json:1:10: the key \"a\" appears twice, first at 1:2; remove one of them");
}

TEST_CASE("duplicate keys are refused with both positions") {
  const Refusal refusal =
      refusal_of([] { parsed("{\"s\": {\n  \"C\": 1,\n  \"D\": 2,\n  \"C\": 3}}"); });
  CHECK(refusal.exit == Exit::config);
  CHECK(refusal.text ==
        "x.json:4:3: the key \"C\" appears twice, first at 2:3; remove one of them");
}

TEST_CASE("the same key in different objects is not a duplicate") {
  CHECK(parsed(R"([{"a": {"a": 1}}, {"a": 2}])").json().size() == 2);
}

TEST_CASE("keys keep their order") {
  CHECK(parsed(R"({"z": 1, "a": 2, "m": 3})").json().dump() == R"({"z":1,"a":2,"m":3})");
}

TEST_CASE("a missing value has the position of the closest value around it") {
  const JsonDocument document = parsed("{\"solver\": {\"C\": 1}}");
  CHECK(value_at(document, "/solver/epsilon") == "1:12");
  CHECK(value_at(document, "/loss/x/y") == "1:1");
}

TEST_CASE("a part has the positions of the whole") {
  const JsonDocument part = parsed("{\n\"a\": {\"b\": [1, 2]},\n\"ab\": 3}").part("/a");
  CHECK(part.json().dump() == R"({"b":[1,2]})");
  CHECK(value_at(part, "") == "2:6");
  CHECK(value_at(part, "/b/1") == "2:16");
  CHECK(value_at(part, "/c") == "2:6");
}

TEST_CASE("values can be set and erased, and set values have a position of their own") {
  JsonDocument document = parsed("{\"a\": {\"b\": 1}, \"c\": 2}");
  const Position elsewhere{std::make_shared<Source>(Source{"--set a=[7]", "/"})};
  document.set("/a", nlohmann::ordered_json::array({7}), elsewhere);
  document.erase("/c");
  document.erase("/never_there");
  CHECK(document.json().dump() == R"({"a":[7]})");
  CHECK(document.position("/a/0").text() == "--set a=[7]");
  CHECK(value_at(document, "/c") == "1:1");
}

TEST_CASE("paths become absolute with the folder of their source, and are normalized") {
  Position position{std::make_shared<Source>(Source{"x.json", "/data/runs"}), 1, 1};
  CHECK(position.absolute("a.txt") == "/data/runs/a.txt");
  CHECK(position.absolute("../a/./b.txt") == "/data/a/b.txt");
  CHECK(position.absolute("/etc/../x") == "/x");
  CHECK(position.absolute("folder/") == "/data/runs/folder");
  CHECK(position.absolute("/") == "/");
  position.source = std::make_shared<Source>(Source{"model", ""});
  CHECK(position.absolute("a.txt") == "a.txt");
}

TEST_CASE("a folder whose name is not UTF-8 is refused if a path needs it") {
  const Position position{std::make_shared<Source>(Source{"x.json", "/caf\xE9"}), 2, 3};
  CHECK(position.absolute("/a") == "/a");
  CHECK(refusal_of([&] { position.absolute("a"); }).text ==
        "x.json:2:3: the path of the folder around it is not UTF-8; rename the folder");
}

TEST_CASE("a file that does not exist is missing input") {
  const Refusal refusal = refusal_of([] { JsonDocument::read("no/such/file.json"); });
  CHECK(refusal.exit == Exit::missing);
  CHECK(refusal.text == "no/such/file.json: there is no such file");
}

TEST_CASE("a folder in place of the file is missing input") {
  const std::string folder = std::filesystem::temp_directory_path().string();
  const Refusal refusal = refusal_of([&] { JsonDocument::read(folder); });
  CHECK(refusal.exit == Exit::missing);
  CHECK(refusal.text == folder + ": this is a folder; name the experiment file itself");
}

TEST_CASE("paths in a file are relative to the folder of the file") {
  const auto path = std::filesystem::temp_directory_path() / "sculpt_json_document_test.json";
  std::ofstream(path) << "{\"a\": \"b.txt\"}";
  const JsonDocument document = JsonDocument::read(path.string());
  std::filesystem::remove(path);
  CHECK(document.position("/a").text() == path.string() + ":1:7");
  CHECK(document.position("/a").absolute("b.txt") == (path.parent_path() / "b.txt").string());
}
