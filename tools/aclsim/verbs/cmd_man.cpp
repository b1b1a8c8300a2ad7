// SPDX-License-Identifier: Apache-2.0
// The manual pages, from the same descriptions as --help: aclsim.1 and one page for each verb.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "device_sim/base/files.h"
#include "tools/aclsim/options/help_format.h"
#include "tools/aclsim/verbs/commands.h"

namespace aclsim {
namespace {

/// The text, escaped so that troff prints it unchanged.
std::string roff(const std::string& text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    line_begins = c == '\n';
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  return out;
}

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \n") + 1 - first);
}

std::string preformatted(const std::string& text) {
  return text.empty() ? "" : fmt::format(".nf\n{}\n.fi\n", roff(text));
}

/// The manual page of an app, generated from the parts of its --help.
class Page {
 public:
  Page(const CLI::App& app, const std::string& name)
      : app_(app), name_(name), help_(dynamic_cast<CLI::Formatter&>(*app.get_formatter())) {}

  std::string text() const {
    std::string page = fmt::format(".TH {} 1 \"\" \"aclsim {}\" \"aclsim manual\"\n",
                                   roff(file_name()), ACLSIM_VERSION);
    page += fmt::format(".SH NAME\n{} \\- {}\n", roff(file_name()), roff(app_.get_description()));
    page += ".SH SYNOPSIS\n" + preformatted(name_ + " " + usage_of(app_)) + options() + verbs();
    if (const std::string footer = trimmed(app_.get_footer()); !footer.empty()) {
      page += ".SH NOTES\n" + preformatted(footer);
    }
    return page + see_also();
  }

  std::string file_name() const {
    std::string name = name_;
    for (char& c : name) c = c == ' ' ? '-' : c;
    return name;
  }

 private:
  std::string options() const {
    std::string text;
    for (const CLI::Option* option : app_.get_options()) {
      if (option->get_group().empty()) continue;  // hidden
      const bool named = !option->get_lnames().empty() || !option->get_snames().empty();
      const std::string head =
          help_.make_option_name(option, !named) + help_.make_option_opts(option);
      text += fmt::format(".TP\n.B {}\n{}\n", roff(trimmed(head)),
                          roff(trimmed(help_.make_option_desc(option))));
    }
    return text.empty() ? text : ".SH OPTIONS\n" + text;
  }

  std::string verbs() const {
    std::string text;
    for (const CLI::App* verb : app_.get_subcommands({})) {
      if (verb->get_group().empty()) continue;
      text += fmt::format(".TP\n.BR {} (1)\n{}\n", roff(name_ + "-" + verb->get_name()),
                          roff(verb->get_description()));
    }
    return text.empty() ? text : ".SH COMMANDS\n" + text;
  }

  std::string see_also() const {
    if (!app_.get_parent()) return {};
    return ".SH SEE ALSO\n.BR aclsim (1)\n";
  }

  const CLI::App& app_;
  std::string name_;
  CLI::Formatter& help_;
};

void write_page(const std::string& folder, const Page& page) {
  const std::string path = fmt::format("{}/{}.1", folder, page.file_name());
  if (const int error = sim::write_file(path, page.text())) {
    throw std::runtime_error(
        fmt::format("man-pages: {} cannot be written ({})", path, sim::output_error(error)));
  }
}

int write_pages(const CLI::App& app, const std::string& folder) {
  write_page(folder, Page(app, app.get_name()));
  for (const CLI::App* verb : app.get_subcommands({})) {
    if (verb->get_group().empty()) continue;
    write_page(folder, Page(*verb, app.get_name() + " " + verb->get_name()));
  }
  return kOk;
}

}  // namespace

void add_man_pages(CLI::App& app, Verb& chosen) {
  CLI::App* const verb = app.add_subcommand("man-pages", "Write the manual pages");
  verb->group("");  // hidden: for the build, not for users
  const auto folder = std::make_shared<std::string>();
  verb->add_option("FOLDER", *folder, "the folder of the pages")->type_name("")->required();
  verb->callback(
      [&app, folder, &chosen] { chosen = [&app, folder] { return write_pages(app, *folder); }; });
}

}  // namespace aclsim
