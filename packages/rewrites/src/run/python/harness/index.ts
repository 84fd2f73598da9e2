import { annotations } from './annotations.js'
import { classes } from './classes.js'
import { coverage } from './coverage.js'
import { draws } from './draws.js'
import { inputs } from './inputs.js'
import { mutations } from './mutations.js'
import { patternSamples } from './pattern-samples.js'
import { plan } from './plan.js'
import { run } from './run.js'
import { shapes } from './shapes.js'
import { show } from './show.js'
import { uses } from './uses.js'
import { valueUses } from './value-uses.js'

const source = [
  show,
  uses,
  annotations,
  valueUses,
  shapes,
  draws,
  mutations,
  inputs,
  classes,
  coverage,
  patternSamples,
  plan,
  run
].join('\n')

/**
 * The harness has a copy of the built-in functions: code that replaces one changes what it does itself, and
 * nothing about how it is compared.
 */
export const harness = `import builtins
space = {'__builtins__': dict(builtins.__dict__), '__name__': 'harness'}
exec(compile(${JSON.stringify(source)}, 'harness.py', 'exec'), space)
ask = space['ask']
del builtins, space
`
