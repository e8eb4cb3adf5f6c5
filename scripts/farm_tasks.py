# SPDX-License-Identifier: Apache-2.0
"""Campaigns (docs/farm.md): their files, and the results taken from a task's output."""

import dataclasses
import re
import shlex
import tomllib

from farm_windows import Wrong

WAITING, RUNNING, DONE = "waiting", "running", "done"
PASS, FAIL, HANG, LOST = "pass", "fail", "hang", "lost"
KINDS = {"name": str, "command": str, "seeds": str, "timeout": (int, float), "figures": dict, "until": dict,
         "lists": dict, "each": list}
EACH = "{each}"


@dataclasses.dataclass
class Kind:
    name: str
    command: str
    seeds: range
    timeout: float
    figures: dict  # name: regular expression, whose last match in the task's output is the figure
    until: dict    # name: sum of the figure at which no further task begins
    lists: dict    # name: regular expression, all of whose matches in the task's output are kept


def seeds_of(text):
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if not match or int(match[2] or match[1]) < int(match[1]):
        raise ValueError(f"seeds '{text}' are not FIRST-LAST")
    return range(int(match[1]), int(match[2] or match[1]) + 1)


def kind_of(table):
    unknown = set(table) - set(KINDS)
    if unknown:
        raise ValueError(f"'{min(unknown)}' is not known; {', '.join(KINDS)} are")
    for key, type_ in KINDS.items():
        if key in table and not isinstance(table[key], type_):
            raise ValueError(f"'{key}' is of another type")
    for key in ("name", "command", "seeds"):
        if key not in table:
            raise ValueError(f"a task without '{key}'")
    if not re.fullmatch(r"[\w.-]+", table["name"]):
        raise ValueError(f"the name '{table['name']}' has other characters than letters, digits, '_', '-', '.'")
    figures, until, lists = (table.get(key, {}) for key in ("figures", "until", "lists"))
    for what, expressions in (("figure", figures), ("list", lists)):
        for name, expression in expressions.items():
            if re.compile(expression).groups != 1:
                raise ValueError(f"{what} '{name}': the expression needs one group")
    for name, limit in until.items():
        if name not in figures:
            raise ValueError(f"until '{name}': there is no such figure")
        if not isinstance(limit, (int, float)) or isinstance(limit, bool):
            raise ValueError(f"until '{name}': it must be a number")
    shlex.split(table["command"])
    return Kind(table["name"], table["command"], seeds_of(table["seeds"]), float(table.get("timeout", 3600)), figures,
                until, lists)


def expanded(table):
    """A table with `each` is as many as it names: {each} in name and command is one of them."""
    each = table.get("each") if isinstance(table, dict) else None
    if not isinstance(each, list):
        return [table]
    if not each or not all(isinstance(word, str) for word in each) or EACH not in str(table.get("name")):
        raise ValueError("'each' is a list of texts, for '{each}' in 'name' and 'command'")
    return [{key: value.replace(EACH, word) if key in ("name", "command") else value for key, value in table.items()}
            for word in each]


def read_campaign(path):
    """[Kind]"""
    try:
        with open(path, "rb") as file:
            data = tomllib.load(file)
        if set(data) != {"task"} or not isinstance(data["task"], list):
            raise ValueError("it must be tables [[task]], and nothing else")
        kinds = [kind_of(one) for table in data["task"] for one in expanded(table)]
        if len({kind.name for kind in kinds}) < len(kinds):
            raise ValueError("two tasks of one name")
        return kinds
    except OSError as error:
        raise Wrong(f"{path}: {error.strerror}") from None
    except (ValueError, re.error, AttributeError, TypeError) as error:
        raise Wrong(f"{path}: {error}") from None


def figures_of(kind, said):
    """({name: number}, what is wrong with them or None)"""
    found, wrong = {}, None
    for name, expression in kind.figures.items():
        numbers = re.findall(expression, said, re.M)
        try:
            if numbers:
                found[name] = float(numbers[-1].replace(",", ""))
        except ValueError:
            wrong = f"figure '{name}': '{numbers[-1]}' is not a number"
    return found, wrong


def items_of(kind, said):
    """[(list, text)]"""
    return [(name, text) for name, expression in kind.lists.items() for text in re.findall(expression, said, re.M)]
