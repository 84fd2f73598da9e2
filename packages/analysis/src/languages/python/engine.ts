import { ruff } from './ruff.js'
import type { Engine } from '../../engines/engine.js'

export const pythonEngine: Engine = {
  run: (source) => ruff.check(source),
  syntax: (source) => ruff.check(source).syntax
}
