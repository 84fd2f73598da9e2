import t from 'tap'
import { canonicalLanguage, languages } from '../src/index.js'

t.test('the usual names and aliases map to their language', async (t) => {
  const expected = {
    js: 'javascript',
    JavaScript: 'javascript',
    node: 'javascript',
    mjs: 'javascript',
    jsx: 'jsx',
    ts: 'typescript',
    TypeScript: 'typescript',
    tsx: 'tsx',
    py: 'python',
    python3: 'python',
    ' Python ': 'python',
    golang: 'go',
    Go: 'go',
    java: 'java',
    rs: 'rust',
    postgres: 'sql',
    SQL: 'sql',
    bash: 'shell',
    zsh: 'shell',
    sh: 'shell',
    css: 'css',
    scss: 'scss',
    html: 'html',
    'c++': 'cpp',
    cxx: 'cpp',
    C: 'c',
    'c#': 'csharp',
    csharp: 'csharp',
    php: 'php',
    rb: 'ruby',
    kt: 'kotlin',
    swift: 'swift',
    scala: 'scala'
  }
  for (const [name, language] of Object.entries(expected)) t.equal(canonicalLanguage(name), language, name)
})

t.test('an unknown name is not a language, even if it is a property of Object', async (t) => {
  for (const name of [
    '',
    '  ',
    'klingon',
    'constructor',
    '__proto__',
    'toString',
    'js;drop',
    'a'.repeat(10_000)
  ]) {
    t.equal(canonicalLanguage(name), null, name.slice(0, 20))
  }
})

t.test('about a hundred languages are known', async (t) => {
  t.ok(languages.length >= 100)
})
