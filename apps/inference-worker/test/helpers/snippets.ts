import type { Language } from '@filewright/contracts'

export interface Snippet {
  language: Language
  /** Two parts, each with an export. */
  first: string
  second: string
}

/** Hostile additions that a model might make, per language. */
export const vulnerable: Partial<Record<Language, string>> = {
  javascript: 'export function run (text) {\n  return eval(text)\n}\n',
  typescript: 'export function run (text: string): unknown {\n  return eval(text)\n}\n',
  python: 'def run(text):\n    return eval(text)\n',
  go: 'func Find(db *sql.DB, name string) *sql.Row {\n\treturn db.QueryRow("SELECT id FROM users WHERE name = \'" + name + "\'")\n}\n',
  java: 'class Extra {\n  ResultSet find(Statement statement, String name) throws SQLException {\n    return statement.executeQuery("SELECT id FROM users WHERE name = \'" + name + "\'");\n  }\n}\n',
  rust: 'pub fn connect() -> Client {\n    let password = "hV7-pQ2x-9LmK-wZ4t";\n    Client::new(password)\n}\n'
}

const javascript: Array<[string, string]> = [
  [
    'export function sum (list) {\n  var total = 0\n  for (const value of list) total = total + value\n  return total\n}\n',
    'export function mean (list) {\n  return sum(list) / list.length\n}\n'
  ],
  [
    'export const isEmpty = (list) => list.length == 0\n',
    'export class Stack {\n  push (value) {\n    this.items = [...this.items, value]\n  }\n\n  items = []\n}\n'
  ],
  [
    'export async function load (ids, fetchOne) {\n  const all = []\n  for (const id of ids) {\n    all.push(await fetchOne(id))\n  }\n  return all\n}\n',
    'export default function once (action) {\n  let done = false\n  return () => {\n    if (done) {\n      return\n    } else {\n      done = true\n      action()\n    }\n  }\n}\n'
  ],
  [
    'function first (list) {\n  return list.filter((value) => value > 1)[0]\n}\n',
    'function has (list, wanted) {\n  return list.filter((value) => value === wanted).length > 0\n}\n\nmodule.exports = { first, has }\n'
  ],
  [
    'export function * range (from, to) {\n  for (let at = from; at < to; at++) yield at\n}\n',
    'export const merge = (a, b) => Object.assign({}, a, b)\n'
  ],
  [
    'export function power (a, b) {\n  return Math.pow(a, b)\n}\n',
    'export function label (name) {\n  return { name: name }\n}\n'
  ]
]

const typescript: Array<[string, string]> = [
  [
    'export interface Item { price: number, count: number }\n\nexport function total (items: Item[]): number {\n  let sum = 0\n  for (let i = 0; i < items.length; i++) sum += items[i]!.price * items[i]!.count\n  return sum\n}\n',
    "export type Currency = 'EUR' | 'USD'\n\nexport const format = (value: number, currency: Currency): string => [value.toFixed(2), currency].join(' ')\n"
  ],
  [
    'export class Cache<T> {\n  readonly #entries = new Map<string, T>()\n\n  get (key: string): T | undefined {\n    return this.#entries.get(key)\n  }\n\n  set (key: string, value: T): void {\n    this.#entries.set(key, value)\n  }\n}\n',
    "export function keyOf (...parts: string[]): string {\n  return parts.join('/')\n}\n"
  ],
  [
    'export function parse (text: string): number | null {\n  var value = Number(text)\n  return Number.isNaN(value) ? null : value\n}\n',
    'export enum Level { Low, High }\n'
  ],
  [
    'export async function retry<T> (work: () => Promise<T>, times = 3): Promise<T> {\n  for (let left = times; left > 1; left--) {\n    try {\n      return await work()\n    } catch {\n      continue\n    }\n  }\n  return await work()\n}\n',
    'export const delay = async (ms: number): Promise<void> => await new Promise((resolve) => setTimeout(resolve, ms))\n'
  ],
  [
    'export function group (names: string[]): Record<string, string[]> {\n  const groups: Record<string, string[]> = {}\n  for (const name of names) {\n    const key = name.slice(0, 1)\n    groups[key] = [...groups[key] ?? [], name]\n  }\n  return groups\n}\n',
    "export function isName (value: unknown): value is string {\n  return typeof value === 'string' && value.length > 0\n}\n"
  ]
]

const python: Array<[string, string]> = [
  [
    'import os\nimport sys\n\n\ndef squares(numbers):\n    result = []\n    for number in numbers:\n        result.append(number * number)\n    return result\n',
    '\n\ndef main():\n    print(squares([int(each) for each in sys.argv[1:]]))\n'
  ],
  [
    'def is_missing(value):\n    if value == None:\n        return True\n    else:\n        return False\n',
    '\n\nclass Counter(object):\n    def __init__(self):\n        self.count = 0\n\n    def add(self, step=1):\n        self.count += step\n'
  ],
  [
    'def read(path):\n    with open(path, "r") as file:\n        return file.read()\n',
    '\n\ndef words(text):\n    return list([word for word in text.split()])\n'
  ],
  [
    'def greet(name):\n    return "Hello {}".format(name)\n',
    '\n\ndef shout(name):\n    return greet(name).upper()\n'
  ],
  [
    'def has(mapping, key):\n    return key in mapping.keys()\n',
    '\n\nasync def fetch_all(client, urls):\n    results = []\n    for url in urls:\n        results.append(await client.get(url))\n    return results\n'
  ]
]

const go: Array<[string, string]> = [
  [
    'package list\n\nfunc Sum(values []int) int {\n\ttotal := 0\n\tfor i := 0; i < len(values); i++ {\n\t\ttotal += values[i]\n\t}\n\treturn total\n}\n',
    '\nfunc Mean(values []int) int {\n\treturn Sum(values) / len(values)\n}\n'
  ],
  [
    'package text\n\nimport "strings"\n\nfunc Join(parts []string) string {\n\tresult := ""\n\tfor _, part := range parts {\n\t\tresult += part\n\t}\n\treturn result\n}\n',
    '\nfunc Upper(text string) string {\n\treturn strings.ToUpper(text)\n}\n'
  ],
  [
    'package store\n\ntype Store struct {\n\titems map[string]string\n}\n\nfunc (s *Store) Get(key string) (string, bool) {\n\tvalue, ok := s.items[key]\n\treturn value, ok\n}\n',
    '\nfunc (s *Store) Has(key string) bool {\n\t_, ok := s.Get(key)\n\tif ok == true {\n\t\treturn true\n\t}\n\treturn false\n}\n'
  ],
  [
    'package check\n\nimport (\n\t"errors"\n\t"fmt"\n)\n\nfunc Positive(value int) error {\n\tif value < 0 {\n\t\treturn errors.New(fmt.Sprintf("%d is negative", value))\n\t}\n\treturn nil\n}\n',
    '\nconst Limit = 10\n\nfunc Within(value int) bool { return value <= Limit }\n'
  ],
  [
    'package main\n\nimport "fmt"\n\nfunc Greeting(name string) string {\n\treturn fmt.Sprintf("Hello %s", name)\n}\n',
    '\nfunc main() {\n\tfmt.Println(Greeting("you"))\n}\n'
  ]
]

const java: Array<[string, string]> = [
  [
    'import java.util.List;\n\npublic class Orders {\n  public boolean isEmpty(List<String> orders) {\n    return orders.size() == 0;\n  }\n',
    '\n  public int count(List<String> orders) {\n    return orders.size();\n  }\n}\n'
  ],
  [
    'public class Box {\n  private final int value;\n\n  public Box(int value) {\n    this.value = value;\n  }\n',
    '\n  public Integer boxed() {\n    return new Integer(value);\n  }\n}\n'
  ],
  [
    'public class Names {\n  public String join(String[] names) {\n    String result = "";\n    for (String name : names) {\n      result += name;\n    }\n    return result;\n  }\n',
    '\n  public static String first(String[] names) {\n    return names[0];\n  }\n}\n'
  ],
  ['public interface Shape {\n  double area();\n', '\n  String name();\n}\n'],
  [
    'public class Search {\n  public int find(int[] values, int wanted) {\n    for (int at = 0; at < values.length; at++) {\n      if (values[at] == wanted) {\n        return at;\n      }\n    }\n    return -1;\n  }\n',
    '\n  public boolean has(int[] values, int wanted) {\n    return find(values, wanted) >= 0;\n  }\n}\n'
  ]
]

const rust: Array<[string, string]> = [
  [
    'pub fn is_empty(list: &[i32]) -> bool {\n    list.len() == 0\n}\n',
    '\npub fn first(list: &[i32]) -> Option<&i32> {\n    return list.first();\n}\n'
  ],
  [
    'pub struct Counter {\n    count: u32,\n}\n\nimpl Counter {\n    pub fn add(&mut self, step: u32) {\n        self.count += step;\n    }\n}\n',
    '\npub const LIMIT: u32 = 10;\n\npub fn within(value: u32) -> bool {\n    value <= LIMIT\n}\n'
  ],
  [
    'pub fn sum(values: &[i64]) -> i64 {\n    let mut total = 0;\n    for i in 0..values.len() {\n        total += values[i];\n    }\n    return total;\n}\n',
    '\npub fn mean(values: &[i64]) -> i64 {\n    sum(values) / values.len() as i64\n}\n'
  ],
  [
    '#[derive(Debug)]\npub enum Shape {\n    Circle(f64),\n    Square(f64),\n}\n',
    '\npub fn area(shape: &Shape) -> f64 {\n    match shape {\n        Shape::Circle(radius) => 3.14 * radius * radius,\n        Shape::Square(side) => side * side,\n    }\n}\n'
  ]
]

export const snippets: Snippet[] = Object.entries({ javascript, typescript, python, go, java, rust }).flatMap(
  ([language, list]) => list.map(([first, second]) => ({ language: language as Language, first, second }))
)
