export { parseOptions, USAGE, type Options } from './options.js'
export { runRealFiles, type RunDeps, type RunResult } from './run.js'
