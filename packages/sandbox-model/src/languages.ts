/** Other names of a language. */
const aliases: Readonly<Record<string, string>> = {
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  node: 'javascript',
  nodejs: 'javascript',
  'node.js': 'javascript',
  ts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  python3: 'python',
  golang: 'go',
  rs: 'rust',
  postgresql: 'sql',
  postgres: 'sql',
  mysql: 'sql',
  sqlite: 'sql',
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  scss: 'css',
  htm: 'html',
  rb: 'ruby',
  'c++': 'cpp',
  'c#': 'csharp',
  cs: 'csharp'
}

const titles: Readonly<Record<string, string>> = {
  javascript: 'JavaScript',
  jsx: 'JavaScript',
  typescript: 'TypeScript',
  tsx: 'TypeScript',
  python: 'Python',
  go: 'Go',
  java: 'Java',
  rust: 'Rust',
  sql: 'SQL',
  bash: 'Bash',
  css: 'CSS',
  html: 'HTML',
  php: 'PHP',
  ruby: 'Ruby',
  c: 'C',
  cpp: 'C++',
  csharp: 'C#',
  vue: 'Vue',
  svelte: 'Svelte'
}

/** In a sentence: "go", "c" and "shell" are also plain words. */
const NAMED =
  /\b(?:(javascript|typescript|python|golang|java|rust|sql|postgres(?:ql)?|bash|css|html|php|ruby|csharp|node\.?js)\b|(?:in|using) (go|c|c\+\+|c#|shell|node)(?![\w+#])|(go|shell|node) (?:function|program|script|struct|code|method|package|server)\b)|(?<!\w)(c\+\+|c#)/i

const FRAMEWORK =
  /\b(react|vue|svelte|angular|next\.?js|express|fastify|fastapi|flask|django|spring|net\/http)\b/i

export function languageOf(name: string): string {
  const lower = name.trim().toLowerCase()
  return aliases[lower] ?? lower
}

export function titleOf(language: string): string {
  return Object.hasOwn(titles, language) ? (titles[language] ?? language) : language
}

/** The first language that a request names; '' for none. */
export function languageIn(prompt: string): string {
  const match = NAMED.exec(prompt)
  const [name = ''] = (match ?? []).slice(1).filter((each) => each !== undefined)
  return languageOf(name)
}

/** The first framework that a request names; '' for none. */
export function frameworkIn(prompt: string): string {
  return FRAMEWORK.exec(prompt)?.[1] ?? ''
}

/** "Next.js" is nextjs, "net/http" is nethttp, "React.js" is react. */
export function frameworkOf(name: string): string {
  const letters = name.toLowerCase().replace(/[^a-z]/g, '')
  return letters === 'nextjs' || letters === 'next' ? 'nextjs' : letters.replace(/(?:js|boot)$/, '')
}

const MAX_LINE_CHARS = 96

/** Whole lines of at most so many characters, unless one word is longer. */
function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= MAX_LINE_CHARS) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

function comment(text: string, language: string): string {
  const lines = text.split('\n').flatMap(wrapped)
  switch (language) {
    case 'python':
    case 'bash':
    case 'ruby':
      return lines.map((line) => `# ${line}`).join('\n')
    case 'sql':
      return lines.map((line) => `-- ${line}`).join('\n')
    case 'css':
    case 'c':
      return lines.length === 1
        ? `/* ${lines[0]} */`
        : `/*\n${lines.map((line) => ` * ${line}`).join('\n')}\n */`
    case 'html':
    case 'vue':
    case 'svelte':
      return lines.length === 1
        ? `<!-- ${lines[0]} -->`
        : `<!--\n${lines.map((line) => `  ${line}`).join('\n')}\n-->`
    default:
      return lines.map((line) => `// ${line}`).join('\n')
  }
}

/** Lines that must stay first. */
const FIRST = /^(?:#!.*|<!doctype html>|<\?php|# frozen_string_literal: true\n)\n/i

/** The code with a comment at its beginning. */
export function withComment(code: string, text: string, language: string): string {
  const [first = ''] = FIRST.exec(code) ?? []
  return `${first}${comment(text, language)}\n${code.slice(first.length)}`
}
