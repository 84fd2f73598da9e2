import type { Language } from '@filewright/contracts'

/** One import of a module of the program itself. */
export interface LocalImport {
  /** The whole statement, with its line break. */
  statement: string
  specifier: string
  /** Imported names; null where the form of the import is unclear. */
  names: string[] | null
  /** The local name of the default export. */
  main?: string | undefined
}

// Every repetition is bounded or stops at its own delimiter: the text may be a megabyte of anything.
const ES =
  /^[ \t]*(?:import|export)\s([^'";]{0,2000})['"](\.{1,2}\/[^'"\n]*|@\/[^'"\n]*|~\/[^'"\n]*|src\/[^'"\n]*)['"][^\n]*\n?/gm
const REQUIRE =
  /^[ \t]*(?:(?:const|let|var)\s([^=;]{1,1000})=\s{0,20})?require\(\s{0,20}['"](\.{1,2}\/[^'"\n]*)['"]\s{0,20}\)[^\n]*\n?/gm
const ANY_SCRIPT =
  /\b(?:require|import)\(\s*['"`](\.{1,2}\/[^'"`\n]*)['"`]|\bnew URL\(\s*['"](\.{1,2}\/[^'"\n]*)['"]/g
const PYTHON = /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(?:\(([^)]{0,4000})\)|([^\n(]+))[^\n]*\n?/gm
const PYTHON_WHOLE = /^[ \t]*import[ \t]+([\w.]+)(?:[ \t]+as[ \t]+\w+)?[ \t]*\n?/gm
/** Names that are common for a program's own modules, but rare for packages. */
const OWN_MODULE =
  /^(?:models?|utils?|helpers?|config|settings|database|db|schemas?|crud|routes?|routers?|services?|auth|constants|types|main|app|my\w+|your\w+|src)(?:\.|$)/
const GO_ROOTS =
  /^(?:archive|bufio|builtin|bytes|cmp|compress|container|context|crypto|database|debug|embed|encoding|errors|expvar|flag|fmt|go|hash|html|image|index|io|iter|log|maps|math|mime|net|os|path|plugin|reflect|regexp|runtime|slices|sort|strconv|strings|structs|sync|syscall|testing|text|time|unicode|unique|unsafe|C)(?:\/|$)/

const list = (names: string): string[] =>
  names
    .replace(/#[^\n]*/g, '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

function scriptNames(found: string, statement: string): Pick<LocalImport, 'names' | 'main'> {
  const clause = found.replace(/\bfrom\s*$/, '').replace(/^\s*type\s+/, '')
  const inBraces = /\{([^{}]*)\}/.exec(clause)?.[1]
  const main = clause
    .replace(/\{[^{}]*\}/, '')
    .replace(/,/g, '')
    .replace(/^type\s+/, '')
    .trim()
  const names = list(inBraces ?? '').map((name) => name.replace(/^type\s+/, ''))
  const isPlain =
    !/^\s*export/.test(statement) &&
    names.every((name) => /^[\w$]+$/.test(name)) &&
    /^[\w$]*$/.test(main) &&
    clause.trim() !== ''
  return isPlain ? { names, main: main === '' ? undefined : main } : { names: null }
}

const isScript = (language: Language | null): boolean =>
  /^(?:javascript|jsx|typescript|tsx|vue|svelte|html|astro)$/.test(language ?? '')

/** Imports of the program's own modules, in languages where a statement shows that. */
export function localImports(
  code: string,
  language: Language | null,
  siblings: ReadonlySet<string> = new Set()
): LocalImport[] {
  const found: LocalImport[] = []
  const simple = (pattern: RegExp): void => {
    for (const [statement, specifier = ''] of code.matchAll(pattern)) {
      found.push({ statement, specifier, names: null })
    }
  }
  if (isScript(language)) {
    for (const [statement, clause = '', specifier = ''] of code.matchAll(ES)) {
      found.push({ statement, specifier, ...scriptNames(clause, statement) })
    }
    for (const [statement, clause = '', specifier = ''] of code.matchAll(REQUIRE)) {
      found.push({ statement, specifier, ...scriptNames(clause.replace(/:/g, ' as '), statement) })
    }
    const known = new Set(found.flatMap(({ statement }) => statement.match(ANY_SCRIPT) ?? []))
    for (const [statement, a, b] of code.matchAll(ANY_SCRIPT)) {
      if (!known.has(statement)) found.push({ statement, specifier: a ?? b ?? '', names: null })
      known.add(statement)
    }
    simple(/\b(?:templateUrl|styleUrls?)\s{0,20}:\s{0,20}\[?\s{0,20}['"](\.{1,2}\/[^'"\n]+)['"]/g)
    if (language === 'html') {
      simple(/<script\b[^>\n]{0,500}\bsrc=["'](?!https?:|\/\/|data:)([^"'\n]{1,500})["']/gi)
    }
    if (language === 'html') {
      simple(/<link\b[^>\n]{0,500}\bhref=["'](?!https?:|\/\/|data:)([^"'\n]{1,500}\.css)["']/gi)
    }
  } else if (language === 'python') {
    const isOwn = (module: string): boolean =>
      module.startsWith('.') || OWN_MODULE.test(module) || siblings.has(module.split('.').at(-1) ?? '')
    for (const [statement, module = '', inner, line] of code.matchAll(PYTHON)) {
      const names = list(inner ?? line ?? '')
      if (isOwn(module)) {
        found.push({
          statement,
          specifier: module,
          names: names.every((name) => /^\w+$/.test(name)) ? names : null
        })
      }
    }
    for (const [statement, module = ''] of code.matchAll(PYTHON_WHOLE)) {
      if (isOwn(module)) found.push({ statement, specifier: module, names: null })
    }
  } else if (language === 'go') {
    const imports = [...code.matchAll(/^import\s*(?:\(([^)]{0,4000})\)|([^\n]*))/gm)]
      .map(([, many, one]) => many ?? one ?? '')
      .join('\n')
    for (const [statement, path = ''] of imports.matchAll(/"([^"\n]+)"/g)) {
      const [root = ''] = path.split('/')
      if (
        (!root.includes('.') && !GO_ROOTS.test(path)) ||
        /^(?:github\.com\/(?:your|user|example|my|me\/)|example\.com\/)/.test(path)
      ) {
        found.push({ statement, specifier: path, names: null })
      }
    }
  } else if (language === 'rust') {
    simple(/^[ \t]*(?:pub\s+)?mod\s+(\w+)\s*;/gm)
    const declared = new Set(
      [...code.matchAll(/\b(?:mod|struct|enum|fn|trait|type|const|static)\s+(?=(\w+))/g)].map(
        ([, name]) => name
      )
    )
    for (const [statement, module = ''] of code.matchAll(/^[ \t]*use\s+(?:crate|super)::(\w+)/gm)) {
      if (!declared.has(module)) found.push({ statement, specifier: module, names: null })
    }
  } else if (language === 'java' || language === 'kotlin') {
    const own = /^[ \t]*package[ \t]+([\w]+\.[\w]+)/m.exec(code)?.[1]
    for (const [statement, path = ''] of code.matchAll(
      /^[ \t]*import[ \t]+(?:static[ \t]+)?([\w.]+)(?:\.\*)?;?$/gm
    )) {
      if (/^com\.(?:example|your|my)/.test(path) || (own !== undefined && path.startsWith(`${own}.`))) {
        found.push({ statement, specifier: path, names: null })
      }
    }
  } else if (/^(?:c|cpp|objectivec|cuda)$/.test(language ?? '')) {
    simple(/^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"/gm)
  } else if (language === 'php') {
    simple(
      /\b(?:require|include)(?:_once)?\s{0,20}\(?\s{0,20}(?:__DIR__\s{0,20}\.\s{0,20})?['"]([^'"\n]*\.php)['"]/g
    )
  } else if (language === 'ruby') simple(/^[ \t]*require_relative[ \t]+['"]([^'"\n]+)['"]/gm)
  else if (language === 'shell') {
    simple(/^[ \t]*(?:source|\.)[ \t]+["']?((?:\.|\$\{?\w+\}?|\$\(dirname[^)\n]*\))\/[^\s"']+)/gm)
  } else if (/^(?:css|scss|less|sass)$/.test(language ?? '')) {
    simple(/@(?:import|use)\s+(?:url\()?["']?(?!https?:|sass:|\/\/)([^"')\s;]+)/g)
  }
  return found
}

/** The last part of a path, without its extension. */
export const baseOf = (path: string): string => {
  const parts = path.replace(/\/index(?:\.\w+)?$/, '').split('/')
  const name = (parts.at(-1) ?? '').replace(
    /\.(?:[cm]?[jt]sx?|vue|svelte|css|scss|py|h|hpp|php|rb|sh|json)$/,
    ''
  )
  return (
    /^[\w.]+$/.test(name) && !path.includes('/') ? (name.split('.').at(-1) ?? name) : name
  ).toLowerCase()
}

/** Longer names do not occur in requests. */
const MAX_MODULE_CHARS = 200

/** Whether the request mentions a module as an existing one. */
export function isNamedIn(prompt: string, specifier: string): boolean {
  const base = baseOf(specifier).replace(/[^a-z0-9_-]+/g, '.')
  if (base === '' || base.length > MAX_MODULE_CHARS) return false
  const name = `(?<![\\w-])${base}`
  return new RegExp(
    `${name}\\.(?:[a-z]{1,6})\\b|/${base}\\b|\\b(?:existing|our|from|imports?|importing|imported|shared)\\s+(?:the\\s+|\\w+\\s+)?[\`'"]?${base}\\b|${name}[\`'"]?\\s+(?:module|file)\\b`,
    'i'
  ).test(prompt)
}
