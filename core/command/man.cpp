// sculpt man: manual pages, from the tables of --help.

#include <filesystem>

#include "base/file/durable_file.hpp"
#include "base/text/nearest_name.hpp"
#include "base/text/text_out.hpp"
#include "command/command.hpp"
#include "command/manual/man_page.hpp"
#include "command/manual/man_reader.hpp"

namespace sculpt::core {
namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

const Command& find_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (name == command.name) return command;
    names.emplace_back(command.name);
  }
  throw Failure(Exit::usage, "there is no command '" + name + "'; " + suggest_name(name, names));
}

void write_page(const fs::path& path, const std::string& page) {
  const std::string_view text = page;
  write_durably(path, {&text, 1});
}

void write_pages(const fs::path& folder) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) {
    throw Failure(Exit::cannot_create,
                  folder.string() + ": cannot be created: " + problem.message());
  }
  const std::vector<CommandDescription> descriptions = describe_commands();
  write_page(folder / "sculpt.1", man_page(descriptions));
  for (const CommandDescription& command : descriptions) {
    write_page(folder / ("sculpt-" + command.name + ".1"), man_page(command));
  }
}

}  // namespace

Exit man(const Arguments& arguments) {
  CommandLine line("man", {"COMMAND"});
  line.add()("output", po::value<std::string>()->value_name("DIR"),
             "write the pages of all commands into this folder");
  line.add_epilogue(
      "\n  sculpt man train\n\n"
      "COMMAND: the command that the page is about; without it the page is about sculpt.\n"
      "A terminal shows the page by man(1), or --help if there is none. A file or a pipe gets the\n"
      "source of the page.\n");
  if (!line.parse(arguments)) return Exit::reached;
  if (line.has("output")) {
    write_pages(output_option(line));
    return Exit::reached;
  }
  const Command* const command =
      line.has("COMMAND") ? &find_command(line.get<std::string>("COMMAND")) : nullptr;
  const std::string page =
      command != nullptr ? man_page(describe_command(*command)) : man_page(describe_commands());
  if (!stdout_is_terminal()) {
    data_out() << page;
  } else if (!open_in_man(page)) {
    if (command != nullptr) return command->run({"--help"});
    print_overview(report_out());
  }
  return Exit::reached;
}

}  // namespace sculpt::core
