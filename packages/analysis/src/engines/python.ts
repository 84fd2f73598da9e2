import { ruff } from '../python/ruff.js'
import type { Engine } from './engine.js'

export const pythonEngine: Engine = {
  run: (source) => ruff.check(source),
  syntax: (source) => ruff.check(source).syntax
}
