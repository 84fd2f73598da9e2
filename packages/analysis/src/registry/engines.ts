import type { Language } from '@filewright/contracts'
import { isOneOf, scriptLanguages, sqlLanguages } from '../language-groups.js'
import { secretRules } from '../rules/every/secrets.js'
import { textRules } from '../rules/every/text.js'
import { isTreeLanguage } from '../tree/languages.js'
import type { Engine } from '../engines/engine.js'

interface LazyEngine {
  readonly name: string
  handles(language: Language): boolean
  /** Parsers are large: each is loaded when the first code of its language comes. */
  load(): Promise<Engine>
}

/** In the order they are asked. */
const lazy: readonly LazyEngine[] = [
  {
    name: 'script',
    handles: (language) => isOneOf(language, scriptLanguages),
    load: async () => (await import('../languages/script/engine.js')).scriptEngine
  },
  {
    name: 'ruff',
    handles: (language) => language === 'python',
    load: async () => (await import('../languages/python/engine.js')).pythonEngine
  },
  {
    name: 'shell-syntax',
    handles: (language) => language === 'shell',
    load: async () => (await import('../languages/shell/syntax.js')).shellSyntaxEngine
  },
  { name: 'tree', handles: isTreeLanguage, load: async () => (await import('./tree-engine.js')).treeEngine },
  {
    name: 'sql',
    handles: (language) => isOneOf(language, sqlLanguages),
    load: async () => (await import('../languages/sql/engine.js')).sqlEngine
  },
  {
    name: 'css',
    handles: (language) => language === 'css',
    load: async () => (await import('../languages/css/engine.js')).cssEngine
  },
  {
    name: 'html',
    handles: (language) => language === 'html',
    load: async () => (await import('../languages/html/engine.js')).htmlEngine
  },
  {
    name: 'text',
    handles: () => true,
    load: async () => (await import('../engines/text.js')).createTextEngine([...secretRules, ...textRules])
  }
]

export interface NamedEngine extends Engine {
  readonly name: string
}

const loaded = new Map<string, Promise<Engine>>()

export async function enginesFor(language: Language): Promise<NamedEngine[]> {
  const own = lazy.filter((engine) => engine.handles(language))
  return await Promise.all(
    own.map(async ({ name, load }) => {
      const engine = loaded.get(name) ?? load()
      loaded.set(name, engine)
      return { name, ...(await engine) }
    })
  )
}
