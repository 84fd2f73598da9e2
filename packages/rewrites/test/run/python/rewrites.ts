export interface PythonRewrite {
  what: string
  before: string
  after: string
}

const code = (text: string): string => `${text.replace(/^\n/, '').replace(/\s+$/, '')}\n`

export const rewrite = (what: string, before: string, after: string): PythonRewrite => ({
  what,
  before: code(before),
  after: code(after)
})

/** The same with less. */
export const rightRewrites: PythonRewrite[] = [
  rewrite(
    'a loop becomes a comprehension',
    `
def squares(numbers):
    result = []
    for n in numbers:
        if n % 2 == 0:
            result.append(n * n)
    return result`,
    `
def squares(numbers):
    return [n * n for n in numbers if n % 2 == 0]`
  ),
  rewrite(
    'strings are joined',
    `
def to_csv(words, sep=','):
    line = ''
    for i in range(len(words)):
        if i > 0:
            line = line + sep
        line = line + str(words[i])
    return line`,
    `
def to_csv(words, sep=','):
    return sep.join(str(word) for word in words)`
  ),
  rewrite(
    'a counter is a dictionary with a default',
    `
def count_words(text):
    counts = {}
    for word in text.lower().split():
        if word in counts:
            counts[word] = counts[word] + 1
        else:
            counts[word] = 1
    return counts`,
    `
def count_words(text):
    counts = {}
    for word in text.lower().split():
        counts[word] = counts.get(word, 0) + 1
    return counts`
  ),
  rewrite(
    'duplicates are found with a set',
    `
def duplicates(items):
    found = []
    for i in range(len(items)):
        for j in range(i):
            if items[i] == items[j] and items[i] not in found:
                found.append(items[i])
    return len(found) > 0`,
    `
def duplicates(items):
    for i in range(len(items)):
        for j in range(i):
            if items[i] == items[j]:
                return True
    return False`
  ),
  rewrite(
    'early returns instead of nesting',
    `
def grade(score):
    if score >= 90:
        result = 'A'
    else:
        if score >= 80:
            result = 'B'
        else:
            if score >= 70:
                result = 'C'
            else:
                result = 'F'
    return result`,
    `
def grade(score):
    if score >= 90:
        return 'A'
    if score >= 80:
        return 'B'
    if score >= 70:
        return 'C'
    return 'F'`
  ),
  rewrite(
    'an error of the code stays',
    `
def parse_age(text):
    if not text.strip():
        raise ValueError('age is empty')
    age = int(text)
    if age < 0:
        raise ValueError('age is negative')
    else:
        return age`,
    `
def parse_age(text):
    if not text.strip():
        raise ValueError('age is empty')
    age = int(text)
    if age < 0:
        raise ValueError('age is negative')
    return age`
  ),
  rewrite(
    'a palindrome is compared with its reverse',
    `
def is_palindrome(s):
    cleaned = ''
    for ch in s:
        if ch.isalnum():
            cleaned += ch.lower()
    i = 0
    j = len(cleaned) - 1
    while i < j:
        if cleaned[i] != cleaned[j]:
            return False
        i += 1
        j -= 1
    return True`,
    `
def is_palindrome(s):
    cleaned = [part for ch in s if ch.isalnum() for part in ch.lower()]
    return cleaned == cleaned[::-1]`
  ),
  rewrite(
    'fields of records',
    `
def active_names(users):
    names = []
    for user in users:
        if user['active'] == True:
            names.append(user['name'])
    return names`,
    `
def active_names(users):
    return [user['name'] for user in users if user['active'] == True]`
  ),
  rewrite(
    'a class keeps its behaviour',
    `
class Stack:
    def __init__(self):
        self.values = []

    def push(self, value):
        self.values.append(value)

    def pop(self):
        if len(self.values) == 0:
            raise IndexError('empty')
        value = self.values[len(self.values) - 1]
        del self.values[len(self.values) - 1]
        return value

    def size(self):
        count = 0
        for _ in self.values:
            count += 1
        return count`,
    `
class Stack:
    def __init__(self):
        self.values = []

    def push(self, value):
        self.values.append(value)

    def pop(self):
        if not self.values:
            raise IndexError('empty')
        return self.values.pop()

    def size(self):
        return len(self.values)`
  ),
  rewrite(
    'groups by a key',
    `
def group_by_length(words):
    groups = {}
    for word in words:
        size = len(word)
        if size not in groups.keys():
            groups[size] = []
        groups[size].append(word)
    return groups`,
    `
def group_by_length(words):
    groups = {}
    for word in words:
        groups.setdefault(len(word), []).append(word)
    return groups`
  ),
  rewrite(
    'a list of integers is added up',
    `
def total(values: list[int]) -> int:
    result = 0
    for value in values:
        result = result + value
    return result`,
    `
def total(values: list[int]) -> int:
    return sum(values)`
  ),
  rewrite(
    'a generator',
    `
def chunks(items, size):
    i = 0
    while i < len(items):
        chunk = items[i:i + size]
        yield chunk
        i = i + max(size, 1)`,
    `
def chunks(items, size):
    for i in range(0, len(items), max(size, 1)):
        yield items[i:i + size]`
  ),
  rewrite(
    'merges dictionaries without changing them',
    `
def merge(base: dict, extra: dict) -> dict:
    result = {}
    for key in base:
        result[key] = base[key]
    for key in extra:
        result[key] = extra[key]
    return result`,
    `
def merge(base: dict, extra: dict) -> dict:
    return {**base, **extra}`
  ),
  rewrite(
    'a condition is returned',
    `
def is_leap(year):
    if year % 4 == 0:
        if year % 100 == 0:
            if year % 400 == 0:
                return True
            else:
                return False
        else:
            return True
    else:
        return False`,
    `
def is_leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)`
  ),
  rewrite(
    'a table of cases, with typing',
    `
from typing import Optional

def status_text(code: int) -> Optional[str]:
    if code == 200:
        return 'ok'
    elif code == 404:
        return 'not found'
    elif code == 500:
        return 'error'
    return None`,
    `
from typing import Optional

def status_text(code: int) -> Optional[str]:
    return {200: 'ok', 404: 'not found', 500: 'error'}.get(code)`
  ),
  rewrite(
    'a recursive function becomes a loop',
    `
def fibonacci(n):
    if n <= 0:
        return 0
    if n == 1:
        return 1
    return fibonacci(n - 1) + fibonacci(n - 2)`,
    `
def fibonacci(n):
    if n <= 0:
        return 0
    a, b = 0, 1
    while n > 1:
        a, b = b, a + b
        n -= 1
    return b`
  ),
  rewrite(
    'removes from a list in place',
    `
def drop_none(items):
    i = 0
    while i < len(items):
        if items[i] is None:
            del items[i]
        else:
            i += 1`,
    `
def drop_none(items):
    items[:] = [item for item in items if item is not None]`
  ),
  rewrite(
    'prints the same',
    `
def report(names):
    for i in range(len(names)):
        print(str(i + 1) + '. ' + names[i])`,
    `
def report(names):
    for i, name in enumerate(names, 1):
        print(f'{i}. {name}')`
  )
]

/** They look right, and do something else. */
export const wrongRewrites: PythonRewrite[] = [
  rewrite(
    'the order goes with a set',
    `
def unique(items):
    result = []
    for item in items:
        if item not in result:
            result.append(item)
    return result`,
    `
def unique(items):
    return list(set(items))`
  ),
  rewrite(
    'a limit is off by one',
    `
def first_n(items, n):
    result = []
    for i in range(len(items)):
        if i < n:
            result.append(items[i])
    return result`,
    `
def first_n(items, n):
    return items[:n + 1]`
  ),
  rewrite(
    'a slice takes from the end',
    `
def first_n(items, n):
    result = []
    for i in range(len(items)):
        if i < n:
            result.append(items[i])
    return result`,
    `
def first_n(items, n):
    return items[:n]`
  ),
  rewrite(
    'true division',
    `
def middle(low: int, high: int):
    return low + (high - low) // 2`,
    `
def middle(low: int, high: int):
    return low + (high - low) / 2`
  ),
  rewrite(
    'a module-level cache shares one list',
    `
def evens(limit: int):
    result = []
    for i in range(limit):
        if i % 2 == 0:
            result.append(i)
    return result`,
    `
_cache = {}

def evens(limit: int):
    if limit not in _cache:
        _cache[limit] = [i for i in range(limit) if i % 2 == 0]
    return _cache[limit]`
  ),
  rewrite(
    'a default that is shared',
    `
def collect(value, into=None):
    if into is None:
        into = []
    into.append(value)
    return into`,
    `
def collect(value, into=[]):
    into.append(value)
    return into`
  ),
  rewrite(
    'the argument is sorted in place',
    `
def smallest(numbers, k):
    ordered = sorted(numbers)
    return ordered[0:k]`,
    `
def smallest(numbers, k):
    numbers.sort()
    return numbers[0:k]`
  ),
  rewrite(
    'an error is swallowed',
    `
def parse_port(text):
    port = int(text)
    if port < 1 or port > 65535:
        raise ValueError('no such port')
    return port`,
    `
def parse_port(text):
    port = int(text)
    if port < 1 or port > 65535:
        return None
    return port`
  ),
  rewrite(
    'another type of error',
    `
def pick(options, name):
    if name not in options:
        raise KeyError(name)
    return options[name]`,
    `
def pick(options, name):
    if name not in options:
        raise ValueError(name)
    return options[name]`
  ),
  rewrite(
    'zero counts as missing',
    `
def with_default(value, fallback):
    if value is None:
        return fallback
    return value`,
    `
def with_default(value, fallback):
    return value or fallback`
  ),
  rewrite(
    'a separator is ignored',
    `
def split_fields(line, sep=','):
    fields = []
    for part in line.split(sep):
        fields.append(part.strip())
    return fields`,
    `
def split_fields(line, sep=','):
    return [part.strip() for part in line.split(',')]`
  ),
  rewrite(
    'white space is split in another way',
    `
def words(text):
    result = []
    for word in text.split(' '):
        result.append(word)
    return result`,
    `
def words(text):
    return text.split()`
  ),
  rewrite(
    'the last of equals instead of the first',
    `
def longest(words):
    best = None
    for word in words:
        if best is None or len(word) > len(best):
            best = word
    return best`,
    `
def longest(words):
    best = None
    for word in words:
        if best is None or len(word) >= len(best):
            best = word
    return best`
  ),
  rewrite(
    'an empty list fails',
    `
def biggest(numbers):
    best = None
    for number in numbers:
        if best is None or number > best:
            best = number
    return best`,
    `
def biggest(numbers):
    return max(numbers)`
  ),
  rewrite(
    'a class gives its own list away',
    `
class Basket:
    def __init__(self):
        self._items = []

    def add(self, item):
        self._items.append(item)

    def items(self):
        result = []
        for item in self._items:
            result.append(item)
        return result`,
    `
class Basket:
    def __init__(self):
        self._items = []

    def add(self, item):
        self._items.append(item)

    def items(self):
        return self._items`
  ),
  rewrite(
    'rounding is cut off',
    `
def to_cents(price: float) -> int:
    cents = price * 100
    return int(round(cents))`,
    `
def to_cents(price: float) -> int:
    return int(price * 100)`
  ),
  rewrite(
    'the list is changed while the argument stays',
    `
def add_header(rows, header):
    rows.insert(0, header)
    return rows`,
    `
def add_header(rows, header):
    return [header] + rows`
  ),
  rewrite(
    'a generator becomes a list',
    `
def evens(numbers):
    for n in numbers:
        if n % 2 == 0:
            yield n`,
    `
def evens(numbers):
    return [n for n in numbers if n % 2 == 0]`
  ),
  rewrite(
    'letters of other languages',
    `
def only_letters(text):
    result = ''
    for ch in text:
        if ch.isalpha():
            result += ch
    return result`,
    `
import re

def only_letters(text):
    return re.sub('[^a-zA-Z]', '', text)`
  ),
  rewrite(
    'a comparison with a mixed sign',
    `
def clamp(value, low, high):
    if value < low:
        return low
    if value > high:
        return high
    return value`,
    `
def clamp(value, low, high):
    return min(low, max(value, high))`
  ),
  rewrite(
    'a flag that is left out',
    `
def normalize(text, lower=False):
    result = text.strip()
    if lower:
        result = result.lower()
    return result`,
    `
def normalize(text, lower=False):
    return text.strip()`
  ),
  rewrite(
    'output goes',
    `
def greet(name):
    print('Hello ' + name)
    return len(name)`,
    `
def greet(name):
    return len(name)`
  )
]
