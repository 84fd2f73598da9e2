import t from 'tap'
import { detectLanguage, extensionOf, languageOfFile } from '../../src/code/detect-language.js'

const samples: Record<string, string> = {
  python: 'import os\n\ndef main(path):\n    return os.listdir(path)\n',
  javascript: "const fs = require('fs')\nfunction read (path) { return fs.readFileSync(path) }",
  typescript:
    'interface User { name: string }\nexport const first = (users: readonly User[]): string => users[0].name',
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

t.test('the language of a text is known by its looks', async (t) => {
  for (const [language, code] of Object.entries(samples)) t.equal(detectLanguage(code), language, language)
})

t.test('the name of a file comes before its looks', async (t) => {
  t.equal(languageOfFile('a.ts', 'x'), 'typescript')
  t.equal(languageOfFile('Dockerfile', 'FROM node'), 'dockerfile')
  t.equal(languageOfFile('unknown.zzz', samples['go'] ?? ''), 'go')
  t.equal(extensionOf('python'), 'py')
  t.equal(extensionOf('go'), 'go')
})
