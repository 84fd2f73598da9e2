import type { Language } from '@filewright/contracts'
import { instrument, type Probe } from './instrument.js'
import { declaredBy, parseScript, targetsIn } from './targets.js'
import { transpile } from './transpile.js'

export interface SandboxScript {
  text: string
  /** Indexed by their numbers. */
  probes: Probe[]
}

/** A name that the code does not use and cannot build from its own words. */
function unusedName(code: string): string {
  let name = '__probes'
  while (code.includes(name)) name += '_'
  return name
}

/**
 * The code as the text of a function that the sandbox can run. Null if that is impossible, for example
 * because of a top-level await.
 */
export function toSandboxScript(code: string, language: Language): SandboxScript | null {
  const source = parseScript(code, language)
  const probesName = unusedName(code)
  const kept = new Map(
    targetsIn(source)
      .filter(({ access }) => access.startsWith('^'))
      .map(({ access, node }) => [node.getStart(source), access])
  )
  const { transformer, probes } = instrument(source, probesName, kept)
  const js = transpile(code, language, [transformer])
  if (js === null) return null
  const names = source.statements
    .map(declaredBy)
    .filter((name) => name !== '')
    .join(' ')
    .split(' ')
  const text = `(function (__scope, module, require, ${probesName}) { with (__scope) { return (function (exports, require, module, __filename, __dirname, ${probesName}) {
${js}
;return { ${names.join(', ')} } })(module.exports, require, module, '', '', ${probesName}) } })`
  return { text, probes }
}
