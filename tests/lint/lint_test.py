# SPDX-License-Identifier: Apache-2.0
"""The rules of this folder find what they look for, and accept the rest."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import classes  # noqa: E402
import language  # noqa: E402


def findings(name, text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / pathlib.PurePosixPath(name).name
        path.write_text(text, encoding="utf-8")
        return [rule for _, rule, *_ in language.complaints(name, path)]


class Language(unittest.TestCase):
    def test_a_clause_without_a_noun_is_found_in_each_kind_of_file(self):
        for name, text in (("a.h", "// What is shared.\n"), ("a.cpp", "/* What is shared. */\n"),
                           ("a.py", "# What is shared.\n"), ("a.py", '"""What is shared."""\n'),
                           ("CMakeLists.txt", "# What is shared.\n"), ("a.md", "What is shared.\n"),
                           ("a.md", "| a | What is shared. |\n")):
            self.assertEqual(findings(name, text), ["free-relative"], (name, text))

    def test_the_comment_after_the_licence_is_checked(self):
        self.assertEqual(findings("a.h", "// SPDX-License-Identifier: Apache-2.0\n// What is shared.\n"),
                         ["free-relative"])

    def test_a_sentence_over_several_lines_is_one(self):
        self.assertEqual(findings("a.h", "// The table\n// of what is shared.\n"), ["free-relative"])

    def test_help_texts_are_checked_where_programs_print_help(self):
        text = 'const char* help = "Tells the place of a file";\n'
        self.assertEqual(findings("tools/aclsim/a.cpp", text), ["tell"])
        self.assertEqual(findings("runtime/a.cpp", text), [])

    def test_code_questions_and_quotations_are_not_checked(self):
        for name, text in (("a.md", "```\nWhat is shared.\n```\n"), ("a.md", "What is shared?\n"),
                           ("a.md", "Do not write \"What is shared\".\n"), ("a.h", "int what = 0;\n"),
                           ("a.h", "// The common part.\n")):
            self.assertEqual(findings(name, text), [], (name, text))


class Classes(unittest.TestCase):
    def count(self, body):
        return [functions for _, functions, _, _ in classes.classes("class A {\n%s\n};\n" % body)]

    def test_declarations_and_definitions_count_once_and_members_do_not(self):
        self.assertEqual(self.count("  A();\n  ~A();\n  int f() const { return g(1); }\n  void g(int);"), [4])
        self.assertEqual(self.count("  int a_ = f(1);\n  std::function<void(int)> b_;\n  using C = int();"), [0])
        self.assertEqual(self.count("  bool operator==(const A&) const = default;\n"
                                    "  int a_ GUARDED_BY(mutex_) = 0;"), [1])

    def test_a_reason_is_read_from_the_comment_at_the_head(self):
        text = "/// It has more than 60 functions, since it forwards.\nclass A {\n};\n"
        self.assertIn(classes.REASON, [head for *_, head in classes.classes(text)][0])


if __name__ == "__main__":
    unittest.main()
