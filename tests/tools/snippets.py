#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that the code in a document is code that runs: tests/tools/snippets.py LANGUAGE DOCUMENT SOURCE...

Every fenced block of the language in the document must be part of one of the sources, line by line. Exit status 1 if
one is not, or if there is none.
"""

import re
import sys


def main():
    language, document, *sources = sys.argv[1:]
    with open(document, encoding="utf-8") as file:
        blocks = re.findall(rf"^```{language}\n(.*?)^```$", file.read(), re.S | re.M)
    code = []
    for source in sources:
        with open(source, encoding="utf-8") as file:
            code.append("\n" + file.read())
    missing = [block for block in blocks if not any("\n" + block in text for text in code)]
    for block in missing:
        print(f"{document}: not in {' '.join(sources)}:\n{block}")
    print(f"{len(blocks) - len(missing)} of {len(blocks)} pieces of {document} are in {' '.join(sources)}")
    return 1 if missing or not blocks else 0


if __name__ == "__main__":
    sys.exit(main())
