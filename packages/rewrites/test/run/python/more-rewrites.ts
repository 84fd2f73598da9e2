import { rewrite, type PythonRewrite } from './rewrites.js'

/** Code of other kinds: classes that inherit, keyword arguments, callbacks, dates, state of the module. */
export const moreRightRewrites: PythonRewrite[] = [
  rewrite(
    'binary search helper',
    `
def contains_sorted(values: list[int], target: int) -> bool:
    for value in values:
        if value == target:
            return True
    return False`,
    `
def contains_sorted(values: list[int], target: int) -> bool:
    return target in values`
  ),
  rewrite(
    'slug',
    `
import re

def slugify(title):
    result = ""
    for ch in title.lower():
        if re.match("[a-z0-9]", ch):
            result += ch
        elif ch == " ":
            result += "-"
    return result`,
    `
import re

def slugify(title):
    return "".join("-" if ch == " " else ch for ch in title.lower() if ch == " " or re.match("[a-z0-9]", ch))`
  ),
  rewrite(
    'nested records',
    `
def totals_by_customer(orders):
    totals = {}
    for order in orders:
        name = order["customer"]["name"]
        if name not in totals:
            totals[name] = 0
        totals[name] += order["quantity"]
    return totals`,
    `
def totals_by_customer(orders):
    totals = {}
    for order in orders:
        name = order["customer"]["name"]
        totals[name] = totals.get(name, 0) + order["quantity"]
    return totals`
  ),
  rewrite(
    'prime',
    `
def is_prime(n: int) -> bool:
    if n < 2:
        return False
    for i in range(2, n):
        if n % i == 0:
            return False
    return True`,
    `
def is_prime(n: int) -> bool:
    if n < 2:
        return False
    i = 2
    while i * i <= n:
        if n % i == 0:
            return False
        i += 1
    return True`
  ),
  rewrite(
    'roman',
    `
def to_roman(num: int) -> str:
    values = [10, 9, 5, 4, 1]
    symbols = ["X", "IX", "V", "IV", "I"]
    result = ""
    i = 0
    while i < len(values):
        while num >= values[i]:
            result = result + symbols[i]
            num = num - values[i]
        i = i + 1
    return result`,
    `
def to_roman(num: int) -> str:
    result = []
    for value, symbol in ((10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")):
        count, num = divmod(num, value) if num > 0 else (0, num)
        result.append(symbol * count)
    return "".join(result)`
  ),
  rewrite(
    'matrix transpose',
    `
def transpose(matrix: list[list[int]]) -> list[list[int]]:
    if not matrix:
        return []
    result = []
    for col in range(min(len(row) for row in matrix)):
        new_row = []
        for row in matrix:
            new_row.append(row[col])
        result.append(new_row)
    return result`,
    `
def transpose(matrix: list[list[int]]) -> list[list[int]]:
    return [list(column) for column in zip(*matrix)]`
  ),
  rewrite(
    'grid',
    `
def grid(rows: int, cols: int):
    result = []
    for _ in range(rows):
        row = []
        for _ in range(cols):
            row.append(0)
        result.append(row)
    return result`,
    `
def grid(rows: int, cols: int):
    return [[0] * cols for _ in range(rows)]`
  ),
  rewrite(
    'parse kv',
    `
def parse_query(query: str) -> dict:
    result = {}
    for pair in query.split("&"):
        pieces = pair.split("=")
        if len(pieces) == 2:
            key = pieces[0]
            value = pieces[1]
            result[key] = value
    return result`,
    `
def parse_query(query: str) -> dict:
    pairs = (pair.split("=") for pair in query.split("&"))
    return {pieces[0]: pieces[1] for pieces in pairs if len(pieces) == 2}`
  ),
  rewrite(
    'bounds',
    `
def bounds(numbers: list[int]):
    if len(numbers) == 0:
        return None
    ordered = sorted(numbers)
    return (ordered[0], ordered[-1])`,
    `
def bounds(numbers: list[int]):
    if not numbers:
        return None
    return (min(numbers), max(numbers))`
  ),
  rewrite(
    'Inventory',
    `
class Inventory:
    def __init__(self):
        self.stock = {}

    def add(self, name: str, count: int):
        if name in self.stock:
            self.stock[name] = self.stock[name] + count
        else:
            self.stock[name] = count

    def names(self):
        result = []
        for name in self.stock:
            if self.stock[name] > 0:
                result.append(name)
        return result`,
    `
class Inventory:
    def __init__(self):
        self.stock = {}

    def add(self, name: str, count: int):
        self.stock[name] = self.stock.get(name, 0) + count

    def names(self):
        return [name for name, count in self.stock.items() if count > 0]`
  ),
  rewrite(
    'all',
    `
def has_permission(user, required):
    for perm in required:
        if perm not in user["permissions"]:
            return False
    return True`,
    `
def has_permission(user, required):
    return all(perm in user["permissions"] for perm in required)`
  ),
  rewrite(
    'kwargs',
    `
def build_url(base, **params):
    result = base
    first = True
    for key in params:
        if first:
            result = result + "?"
            first = False
        else:
            result = result + "&"
        result = result + key + "=" + str(params[key])
    return result`,
    `
def build_url(base, **params):
    if not params:
        return base
    return base + "?" + "&".join(f"{key}={value}" for key, value in params.items())`
  ),
  rewrite(
    'star args',
    `
def longest_of(*texts):
    best = ""
    for text in texts:
        if len(text) > len(best):
            best = text
    return best`,
    `
def longest_of(*texts):
    return max(texts, key=len, default="")`
  ),
  rewrite(
    'inherit',
    `
class Shape:
    def __init__(self, name: str):
        self.name = name

    def describe(self):
        return self.name + " with area " + str(self.area())

    def area(self):
        return 0


class Rect(Shape):
    def __init__(self, width: int, height: int):
        super().__init__("rect")
        self.width = width
        self.height = height

    def area(self):
        total = 0
        if self.width > 0 and self.height > 0:
            total = self.width * self.height
        return total`,
    `
class Shape:
    def __init__(self, name: str):
        self.name = name

    def describe(self):
        return self.name + " with area " + str(self.area())

    def area(self):
        return 0


class Rect(Shape):
    def __init__(self, width: int, height: int):
        super().__init__("rect")
        self.width = width
        self.height = height

    def area(self):
        if self.width > 0 and self.height > 0:
            return self.width * self.height
        return 0`
  ),
  rewrite(
    'date abs',
    `
from datetime import date

def days_between(start: date, end: date) -> int:
    if end < start:
        start, end = end, start
    delta = end - start
    return delta.days`,
    `
from datetime import date

def days_between(start: date, end: date) -> int:
    return abs((end - start).days)`
  ),
  rewrite(
    'optional',
    `
from typing import Optional

def initials(first: str, last: Optional[str] = None) -> str:
    result = ""
    if len(first) > 0:
        result = result + first[0].upper()
    if last is not None:
        if len(last) > 0:
            result = result + last[0].upper()
    return result`,
    `
from typing import Optional

def initials(first: str, last: Optional[str] = None) -> str:
    return "".join(part[0].upper() for part in (first, last) if part)`
  ),
  rewrite(
    'callback map',
    `
def apply_all(items, transform):
    result = []
    for item in items:
        result.append(transform(item))
    return result`,
    `
def apply_all(items, transform):
    return [transform(item) for item in items]`
  ),
  rewrite(
    'lexer',
    `
def tokenize(expression: str) -> list[str]:
    tokens = []
    current = ""
    for ch in expression:
        if ch in "+-*/()":
            if current != "":
                tokens.append(current)
                current = ""
            tokens.append(ch)
        elif ch == " ":
            if current != "":
                tokens.append(current)
                current = ""
        else:
            current = current + ch
    if current != "":
        tokens.append(current)
    return tokens`,
    `
import re

def tokenize(expression: str) -> list[str]:
    return re.findall(r"[-+*/()]|[^-+*/() ]+", expression)`
  ),
  rewrite(
    'lcs',
    `
def common_prefix(words: list[str]) -> str:
    if len(words) == 0:
        return ""
    prefix = words[0]
    for word in words:
        while not word.startswith(prefix):
            prefix = prefix[:-1]
    return prefix`,
    `
def common_prefix(words: list[str]) -> str:
    if not words:
        return ""
    low, high = min(words), max(words)
    for i, ch in enumerate(low):
        if ch != high[i]:
            return low[:i]
    return low`
  ),
  rewrite(
    'dedupe set sorted',
    `
def top_tags(posts: list[dict[str, list[str]]]):
    tags = []
    for post in posts:
        for tag in post["tags"]:
            if tag not in tags:
                tags.append(tag)
    tags.sort()
    return tags`,
    `
def top_tags(posts: list[dict[str, list[str]]]):
    return sorted({tag for post in posts for tag in post["tags"]})`
  )
]

export const moreWrongRewrites: PythonRewrite[] = [
  rewrite(
    'one record without the field',
    `
def oldest(people):
    best = None
    for person in people:
        if best is None or person["age"] > best["age"]:
            best = person
    return best`,
    `
def oldest(people):
    if not people:
        return None
    best = people[0]
    for person in people:
        if person["age"] > best["age"]:
            best = person
    return best`
  ),
  rewrite(
    'binary search unsorted',
    `
def contains(values: list[int], target: int) -> bool:
    for value in values:
        if value == target:
            return True
    return False`,
    `
from bisect import bisect_left

def contains(values: list[int], target: int) -> bool:
    i = bisect_left(values, target)
    return i < len(values) and values[i] == target`
  ),
  rewrite(
    'slug trims',
    `
def slugify(title):
    parts = []
    for part in title.lower().split(" "):
        parts.append(part)
    return "-".join(parts)`,
    `
def slugify(title):
    return "-".join(title.lower().split())`
  ),
  rewrite(
    'a counter of the module stands still',
    `
_next_id = 0

def new_id(prefix):
    global _next_id
    _next_id += 1
    return prefix + str(_next_id)`,
    `
_next_id = 0

def new_id(prefix):
    return prefix + str(_next_id + 1)`
  ),
  rewrite(
    'prime off',
    `
def is_prime(n: int) -> bool:
    if n < 2:
        return False
    for i in range(2, n):
        if n % i == 0:
            return False
    return True`,
    `
def is_prime(n: int) -> bool:
    if n < 2:
        return False
    i = 2
    while i * i < n:
        if n % i == 0:
            return False
        i += 1
    return True`
  ),
  rewrite(
    'transpose tuples',
    `
def transpose(matrix: list[list[int]]) -> list[list[int]]:
    if not matrix:
        return []
    result = []
    for col in range(min(len(row) for row in matrix)):
        new_row = []
        for row in matrix:
            new_row.append(row[col])
        result.append(new_row)
    return result`,
    `
def transpose(matrix: list[list[int]]) -> list[list[int]]:
    return list(zip(*matrix))`
  ),
  rewrite(
    'shared rows',
    `
def grid(rows: int, cols: int):
    result = []
    for _ in range(rows):
        row = []
        for _ in range(cols):
            row.append(0)
        result.append(row)
    return result`,
    `
def grid(rows: int, cols: int):
    return [[0] * cols] * rows`
  ),
  rewrite(
    'parse kv split1',
    `
def parse_query(query: str) -> dict:
    result = {}
    for pair in query.split("&"):
        pieces = pair.split("=")
        if len(pieces) == 2:
            result[pieces[0]] = pieces[1]
    return result`,
    `
def parse_query(query: str) -> dict:
    return dict(pair.split("=", 1) for pair in query.split("&") if "=" in pair)`
  ),
  rewrite(
    'key error type',
    `
def lookup(table: dict, key: str):
    if key in table:
        return table[key]
    raise LookupError("unknown " + key)`,
    `
def lookup(table: dict, key: str):
    return table[key]`
  ),
  rewrite(
    'tuple result',
    `
def bounds(numbers: list[int]):
    if len(numbers) == 0:
        return None
    ordered = sorted(numbers)
    return (ordered[0], ordered[-1])`,
    `
def bounds(numbers: list[int]):
    if not numbers:
        return None
    return [min(numbers), max(numbers)]`
  ),
  rewrite(
    'title case',
    `
def title(text: str) -> str:
    words = []
    for word in text.split(" "):
        words.append(word.capitalize())
    return " ".join(words)`,
    `
def title(text: str) -> str:
    return text.title()`
  ),
  rewrite(
    'rstrip chars',
    `
def drop_suffix(name: str, suffix: str = ".txt") -> str:
    if suffix and name.endswith(suffix):
        return name[:len(name) - len(suffix)]
    return name`,
    `
def drop_suffix(name: str, suffix: str = ".txt") -> str:
    return name.rstrip(suffix) if name.endswith(suffix) else name`
  ),
  rewrite(
    'minus instead of plus',
    `
def adders(values: list[int]):
    result = []
    for v in values:
        result.append((lambda x, v=v: x + v)(1))
    return result`,
    `
def adders(values: list[int]):
    return [v - 1 for v in values]`
  ),
  rewrite(
    'a negative count is named',
    `
class Inventory:
    def __init__(self):
        self.stock = {}

    def add(self, name: str, count: int):
        if name in self.stock:
            self.stock[name] = self.stock[name] + count
        else:
            self.stock[name] = count

    def names(self):
        result = []
        for name in self.stock:
            if self.stock[name] > 0:
                result.append(name)
        return result`,
    `
class Inventory:
    def __init__(self):
        self.stock = {}

    def add(self, name: str, count: int):
        self.stock[name] = self.stock.get(name, 0) + count

    def names(self):
        return [name for name in self.stock if self.stock[name]]`
  ),
  rewrite(
    'a negative height',
    `
def area(width: int, height: int) -> int:
    result = 0
    for _ in range(height):
        result = result + width
    return result`,
    `
def area(width: int, height: int) -> int:
    return width * height`
  ),
  rewrite(
    'any vs all',
    `
def has_permission(user, required):
    for perm in required:
        if perm not in user["permissions"]:
            return False
    return True`,
    `
def has_permission(user, required):
    return any(perm in user["permissions"] for perm in required)`
  ),
  rewrite(
    'set subset hash',
    `
def has_permission(user, required):
    for perm in required:
        if perm not in user["permissions"]:
            return False
    return True`,
    `
def has_permission(user, required):
    return len(set(required) & set(user["permissions"])) == len(required)`
  ),
  rewrite(
    'kwargs sorted',
    `
def build_url(base, **params):
    result = base
    first = True
    for key in params:
        if first:
            result = result + "?"
            first = False
        else:
            result = result + "&"
        result = result + key + "=" + str(params[key])
    return result`,
    `
def build_url(base, **params):
    return base + "?" + "&".join(f"{key}={value}" for key, value in params.items())`
  ),
  rewrite(
    'star args default',
    `
def longest_of(*texts):
    best = ""
    for text in texts:
        if len(text) > len(best):
            best = text
    return best`,
    `
def longest_of(*texts):
    return sorted(texts, key=len)[-1] if texts else ""`
  ),
  rewrite(
    'date diff',
    `
from datetime import date

def days_between(start: date, end: date) -> int:
    if end < start:
        start, end = end, start
    return (end - start).days`,
    `
from datetime import date

def days_between(start: date, end: date) -> int:
    return (end - start).days`
  ),
  rewrite(
    'optional upper',
    `
from typing import Optional

def initials(first: str, last: Optional[str] = None) -> str:
    result = ""
    if len(first) > 0:
        result = result + first[0].upper()
    if last is not None:
        if len(last) > 0:
            result = result + last[0].upper()
    return result`,
    `
from typing import Optional

def initials(first: str, last: Optional[str] = None) -> str:
    return (first[:1] + (last or "")[:1]).capitalize()`
  ),
  rewrite(
    'a callback is called once',
    `
def apply_all(items, transform):
    result = []
    for item in items:
        if transform(item):
            result.append(transform(item))
    return result`,
    `
def apply_all(items, transform):
    return [value for item in items if (value := transform(item))]`
  ),
  rewrite(
    'a setting of the module is changed',
    `
CONFIG = {"limit": 10}

def limited(values: list[int]):
    result = []
    for value in values:
        if value <= CONFIG["limit"]:
            result.append(value)
    return result`,
    `
CONFIG = {"limit": 10}

def limited(values: list[int]):
    CONFIG["limit"] = max(CONFIG["limit"], 0)
    CONFIG["used"] = True
    return [value for value in values if value <= CONFIG["limit"]]`
  ),
  rewrite(
    'lexer digits',
    `
def tokenize(expression: str) -> list[str]:
    tokens = []
    current = ""
    for ch in expression:
        if ch in "+-*/()":
            if current != "":
                tokens.append(current)
                current = ""
            tokens.append(ch)
        elif ch == " ":
            if current != "":
                tokens.append(current)
                current = ""
        else:
            current = current + ch
    if current != "":
        tokens.append(current)
    return tokens`,
    `
import re

def tokenize(expression: str) -> list[str]:
    return re.findall(r"[-+*/()]|[^-+*/()\\s]+", expression)`
  ),
  rewrite(
    'bool int',
    `
def flags_to_int(flags):
    value = 0
    for flag in flags:
        value = value * 2
        if flag:
            value = value + 1
    return value`,
    `
def flags_to_int(flags):
    value = 0
    for flag in flags:
        value = value * 2 + flag
    return value`
  ),
  rewrite(
    'dedupe sort',
    `
def top_tags(posts):
    tags = []
    for post in posts:
        for tag in post["tags"]:
            if tag not in tags:
                tags.append(tag)
    tags.sort()
    return tags`,
    `
def top_tags(posts):
    return sorted(tag for post in posts for tag in post["tags"])`
  ),
  rewrite(
    'swallow exceptions',
    `
def to_ints(values):
    result = []
    for value in values:
        try:
            result.append(int(value))
        except ValueError:
            continue
    return result`,
    `
def to_ints(values):
    return [int(value) for value in values if str(value).isdigit()]`
  ),
  rewrite(
    'mutable arg loop',
    `
def remove_all(items, target):
    result = []
    for item in items:
        if item != target:
            result.append(item)
    return result`,
    `
def remove_all(items, target):
    while target in items:
        items.remove(target)
    return items`
  )
]
