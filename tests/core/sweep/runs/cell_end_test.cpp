// cells/NAME.json: only a process that has ended counts as ended, whatever is in the file.

#include "sweep/runs/cell_end.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/scratch_folder.hpp"

using namespace sculpt::core;

TEST_CASE("a file that names no exit code of a process means that the cell has not ended") {
  const test::ScratchFolder folder;
  const auto path = folder.path() / "000.json";
  CHECK_FALSE(read_cell_end(path).exit_code);
  for (const char* text : {"", "{", "[0]", "{}", R"({"exit":-1})", R"({"exit":256})",
                           R"({"exit":"0"})", R"({"exit":0.5})", R"({"exit":18446744073709551615})",
                           R"({"exit":null,"peak_bytes":"x"})"}) {
    CAPTURE(text);
    std::ofstream(path, std::ios::binary) << text;
    CHECK_FALSE(read_cell_end(path).exit_code);
    CHECK(read_cell_end(path).peak_bytes == 0);
  }
}

TEST_CASE("a cell that starts again has not ended, and keeps its largest peak") {
  const test::ScratchFolder folder;
  const auto path = folder.path() / "000.json";
  CellRecord record;
  record.finished = nlohmann::ordered_json::object();
  store_end(path, record, {3, 500});
  CHECK(read_cell_end(path).exit_code == 3);
  forget_cell_end(path);
  CHECK_FALSE(read_cell_end(path).exit_code);
  store_end(path, record, {0, 200});
  CHECK(read_cell_end(path).exit_code == 0);
  CHECK(read_cell_end(path).peak_bytes == 500);
  forget_cell_end(path);
  store_end(path, CellRecord(), {137, 9000}, true);  // stopped without a model
  CHECK_FALSE(read_cell_end(path).exit_code);
  CHECK(read_cell_end(path).peak_bytes == 500);
}
