import { createRuff, type RuffRule } from '../python/ruff.js'
import type { Engine } from './engine.js'

export function createPythonEngine (rules: readonly RuffRule[]): Engine {
  const ruff = createRuff(rules)
  return {
    name: 'ruff',
    handles: (language) => language === 'python',
    run: (source) => ruff.check(source),
    syntax: (source) => ruff.check(source).syntax
  }
}
