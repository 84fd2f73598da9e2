import type { Language } from '@filewright/contracts'
import type { Block } from './blocks.js'
import { baseOf, localImports, type LocalImport } from './local-modules.js'
import { borrows } from './roles.js'

/** Blocks in an order in which each follows those whose names it uses. */
function ordered(blocks: readonly Block[]): Block[] {
  const rest = [...blocks]
  const done: Block[] = []
  while (rest.length > 0) {
    const free = rest.findIndex((block) =>
      rest.every(
        (other) =>
          other === block ||
          borrows(block, new Set([...other.outline.declared, ...other.outline.imported])).length === 0
      )
    )
    // Blocks that use each other keep the response's order.
    done.push(...rest.splice(Math.max(free, 0), 1))
  }
  return done
}

/** Import statements that must come first, or may occur only once. */
const HEADS: ReadonlyArray<readonly [languages: RegExp, head: RegExp]> = [
  [
    /^(?:javascript|jsx|typescript|tsx)$/,
    /^(?:import\s[^;'"]{0,2000}?['"][^'"\n]+['"];?[^\S\n]*|import\s*['"][^'"\n]+['"];?[^\S\n]*|(?:const|let|var)\s[^=;]{1,500}=\s*require\(['"][^'"\n]+['"]\)(?:\.\w+)?;?[^\S\n]*|['"]use (?:client|server|strict)['"];?[^\S\n]*)$\n?/gm
  ],
  [
    /^python$/,
    /^(?:from[ \t]+\S+[ \t]+import[ \t]+(?:\([^)]{0,4000}\)|[^\s(][^\n(]*)|import[ \t]+[^\n]+)$\n?/gm
  ],
  [/^(?:java|kotlin|scala|groovy)$/, /^(?:package|import)[ \t][^\n]+$\n?/gm],
  [/^csharp$/, /^using[ \t][\w.= \t]{1,500};[^\S\n]*$\n?/gm],
  [/^(?:c|cpp|objectivec)$/, /^#[ \t]*(?:include|import)[ \t]+[^\n]+$\n?/gm],
  [/^rust$/, /^use\s[^;]{1,2000};[^\S\n]*$\n?/gm],
  [/^swift$/, /^import[ \t]+\w+[^\S\n]*$\n?/gm],
  [/^dart$/, /^import[ \t]+['"][^\n]+;[^\S\n]*$\n?/gm]
]

const NAMED_IMPORT = /^import\s+(type\s+)?(?:([\w$]+)\s*,\s*)?\{([^}]*)\}\s*from\s*(['"][^'"]+['"])(;?)\s*$/

interface NamedImport {
  type: string
  main: string | undefined
  names: Set<string>
  module: string
  end: string
  isMerged: boolean
}
const textOf = ({ type, main, names, module, end }: NamedImport): string =>
  `import ${type}${main === undefined ? '' : `${main}, `}{ ${[...names].join(', ')} } from ${module}${end}`

/** The same names of the same module once. */
function mergedHeads(heads: readonly string[]): string[] {
  const merged = new Map<string, NamedImport | undefined>()
  const byModule = new Map<string, NamedImport[]>()
  for (const head of heads.map((each) => each.trimEnd())) {
    if (merged.has(head)) continue
    const [, type = '', main, list = '', module, end = ''] = NAMED_IMPORT.exec(head) ?? []
    const names = list.split(',').flatMap((name) => name.trim() || [])
    const same = byModule.get(`${type}${module ?? ''}`) ?? []
    const other = same.find((each) => main === undefined || each.main === undefined || main === each.main)
    if (module === undefined) merged.set(head, undefined)
    else if (other === undefined) {
      const named = { type, main, names: new Set(names), module, end, isMerged: false }
      same.push(named)
      byModule.set(`${type}${module}`, same)
      merged.set(head, named)
    } else {
      other.main ??= main
      for (const name of names) other.names.add(name)
      other.end = end
      other.isMerged = true
    }
  }
  return [...merged].map(([head, named]) => (named?.isMerged === true ? textOf(named) : head))
}

const trimmedBlock = (code: string): string => code.replace(/^\s*\n/, '').trimEnd()

function joinedGo(codes: readonly string[]): string | null {
  const packages = new Set(codes.flatMap((code) => /^package\s+(\w+)/m.exec(code)?.[1] ?? []))
  if (packages.size > 1) return null
  const imports = new Set<string>()
  const bodies = codes.map((code) =>
    trimmedBlock(
      code
        .replace(/^package\s+\w+[^\n]*\n?/m, '')
        .replace(
          /^import\s*(?:\(([^)]{0,4000})\)|([^\n(]+))[^\S\n]*\n?/gm,
          (_match, many?: string, one?: string) => {
            for (const line of (many ?? one ?? '').split('\n')) {
              if (line.trim() !== '') imports.add(line.trim())
            }
            return ''
          }
        )
    )
  )
  const lines = [...imports].sort()
  const [name] = packages
  const head =
    lines.length === 1
      ? `import ${lines[0] ?? ''}`
      : `import (\n${lines.map((line) => `\t${line}`).join('\n')}\n)`
  return [name === undefined ? '' : `package ${name}`, lines.length === 0 ? '' : head, ...bodies]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The parts of one program as one text; null where they cannot be in one file. */
export function joinedCode(blocks: readonly Block[], language: Language | null): string | null {
  const parts = ordered(blocks).map(({ code }) => trimmedBlock(code))
  if (language === 'go') return joinedGo(parts)
  if (language === 'php') {
    return parts
      .map((part, index) => (index === 0 ? part : part.replace(/^\s*<\?php\s*\n?/, '')))
      .join('\n\n')
  }
  if (language === 'shell') {
    return parts.map((part, index) => (index === 0 ? part : part.replace(/^#![^\n]*\n/, ''))).join('\n\n')
  }
  const head = HEADS.find(([languages]) => languages.test(language ?? ''))?.[1]
  // Import statements inside a string or a comment would also be moved: such parts stay unchanged.
  if (head === undefined || !parts.slice(1).some((part) => part.search(head) !== -1)) {
    return parts.join('\n\n')
  }
  const heads: string[] = []
  const bodies = parts.map((part) =>
    trimmedBlock(
      part.replace(head, (statement: string) => {
        heads.push(statement)
        return ''
      })
    )
  )
  const first = mergedHeads(heads)
  const isPackage = (line: string): boolean => /^package\s|^from\s+__future__|^['"]use /.test(line)
  if (new Set(first.filter((line) => /^package\s/.test(line))).size > 1) return null
  const hoisted = [...first.filter(isPackage), ...first.filter((line) => !isPackage(line))]
  return [hoisted.join('\n'), ...bodies].filter((part) => part !== '').join('\n\n')
}

function defaultOf(code: string): string | undefined {
  return (
    /^export\s+default\s+(?:async\s+)?(?:function\*?|class)\s+([\w$]+)/m.exec(code)?.[1] ??
    /^export\s+default\s+([\w$]+)[ \t]*(?:;[ \t]*)?$/m.exec(code)?.[1] ??
    /^module\.exports\s*=\s*([\w$]+)[ \t]*(?:;[ \t]*)?$/m.exec(code)?.[1]
  )
}

/** The block without exports that only its importers needed. */
function withoutDefault(code: string): string {
  return code
    .replace(/^export\s+default\s+(?=(?:async\s+)?(?:function|class)\b)/gm, '')
    .replace(/^export\s+default\s+[\w$]+\s*;?[^\S\n]*\n?/gm, '')
    .replace(/^module\.exports\s*=\s*(?:[\w$]+|\{[^{}]*\})\s*;?[^\S\n]*\n?/gm, '')
}

/**
 * Removes the blocks' imports of each other, because they will be in one file; null where an import renames,
 * or has more than another block's names.
 */
export function withoutOwnImports(
  blocks: readonly Block[],
  change: (block: Block, code: string) => Block
): { blocks: Block[]; linked: ReadonlySet<Block> } | null {
  const siblings = new Set(blocks.flatMap(({ file }) => (file === undefined ? [] : [baseOf(file)])))
  const imported = new Set<Block>()
  const linked = new Set<Block>()
  const resolve = (block: Block, { specifier, names, main }: LocalImport): Block | null | undefined => {
    const target =
      blocks.find(
        (other) => other !== block && other.file !== undefined && baseOf(other.file) === baseOf(specifier)
      ) ??
      blocks.find(
        (other) =>
          other !== block &&
          other.file === undefined &&
          names !== null &&
          names.length > 0 &&
          names.every((name) => other.outline.declared.has(name))
      )
    if (target === undefined) return undefined
    const isWhole =
      names !== null &&
      names.every((name) => target.outline.declared.has(name)) &&
      (main === undefined || defaultOf(target.code) === main)
    return isWhole ? target : null
  }
  const stripped: Array<{ block: Block; code: string }> = []
  for (const block of blocks) {
    let { code } = block
    for (const each of localImports(code, block.language, siblings)) {
      const target = resolve(block, each)
      if (target === null) return null
      if (target === undefined) continue
      imported.add(target)
      linked.add(block).add(target)
      code = code.replace(each.statement, () => '')
    }
    stripped.push({ block, code })
  }
  return {
    blocks: stripped.map(({ block, code }) =>
      change(block, imported.has(block) ? withoutDefault(code) : code)
    ),
    linked: new Set(
      stripped.flatMap(({ block }, index) => (linked.has(block) ? [blocks[index] ?? block] : []))
    )
  }
}
