import t from 'tap'
import { detectLanguage, extensionOf, languageOfFile } from '../../src/editor/detect-language.js'

const samples: Record<string, string> = {
  python: 'import os\n\ndef main(path):\n    return os.listdir(path)\n',
  javascript: "const fs = require('fs')\nfunction read (path) { return fs.readFileSync(path) }",
  typescript:
    'interface User { name: string }\nexport const first = (users: readonly User[]): string => users[0].name',
  tsx: 'import { useState } from \'react\'\n\nexport function Counter({ start }: { start: number }) {\n  const [count] = useState<number>(start)\n  return <p className="count">{count}</p>\n}',
  jsx: "import React from 'react'\n\nexport default function App() {\n  const name = 'a'\n  return (\n    <div className=\"app\">\n      <Header name={name} />\n    </div>\n  )\n}",
  scss: '$space: 4px;\n\n.card {\n  padding: $space;\n  &:hover {\n    color: red;\n  }\n}\n',
  yaml: 'name: build\non:\n  push:\n    branches: [main]\njobs:\n  test:\n    with:\n      node: 20\n',
  toml: '[package]\nname = "tool"\nversion = "0.1.0"\n',
  markdown:
    '# Title\n\nSome [link](https://example.com).\n\n```js\nconst a = require("a")\nconsole.log(a)\n```\n\n## More\n',
  kotlin: 'package a.b\n\nfun main(args: Array<String>) {\n    val name = "x"\n    println(name)\n}\n',
  csharp: 'using System;\n\nnamespace App\n{\n    public class A { public string Name { get; set; } }\n}\n',
  php: '<?php\nfunction a($b) { return $b; }\n',
  dockerfile: 'FROM node:20\nWORKDIR /app\nCOPY . .\nRUN npm ci\n',
  go: 'package main\n\nfunc main() {\n\tx := 1\n\tprintln(x)\n}',
  rust: 'fn main() {\n    let mut x = 1;\n    println!("{}", x);\n}',
  java: 'import java.util.List;\n\npublic class A {\n    public static void main(String[] a) { System.out.println(1); }\n}',
  sql: 'SELECT id, name\nFROM users\nWHERE id = 1;',
  shell: '#!/bin/sh\nset -e\necho "hello"\n',
  css: '.card {\n  color: red;\n}\n',
  html: '<!doctype html>\n<html><body><p>a</p></body></html>',
  json: '{ "a": [1, 2] }',
  cpp: '#include <iostream>\nint main() { std::cout << 1; }',
  text: 'Just a sentence without any code in it'
}

t.test('the language of a text is detected from its content', async (t) => {
  for (const [language, code] of Object.entries(samples)) t.equal(detectLanguage(code), language, language)
})

t.test('the file name takes precedence over the content', async (t) => {
  t.equal(languageOfFile('a.ts', 'x'), 'typescript')
  t.equal(languageOfFile('Dockerfile', 'FROM node'), 'dockerfile')
  t.equal(languageOfFile('unknown.zzz', samples['go'] ?? ''), 'go')
  t.equal(extensionOf('python'), 'py')
  t.equal(extensionOf('go'), 'go')
})
