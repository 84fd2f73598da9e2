export { StackError } from './errors.js'
export { ensurePrograms, type ProgramName } from './programs.js'
export { readStackFile, type StackInfo } from './stack-file.js'
