import { createRuff, type RuffRule } from '../python/ruff.js'
import type { Source } from '../text/source.js'
import { garbageLine } from '../tree/tree.js'
import type { Engine, EngineResult } from './engine.js'

export function createPythonEngine (rules: readonly RuffRule[]): Engine {
  const ruff = createRuff(rules)

  // Ruff reports every error in a long stretch of nonsense, one by one.
  function check (source: Source): EngineResult {
    const line = garbageLine(source, 'python')
    return line === null ? ruff.check(source) : { syntax: { ok: false, line, message: 'too much here is unexpected' }, hits: [] }
  }

  return {
    name: 'ruff',
    handles: (language) => language === 'python',
    run: check,
    syntax: (source) => check(source).syntax
  }
}
