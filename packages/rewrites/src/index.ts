export { compareRewrite, type UnitChange } from './compare/compare.js'
export { mergeRewrite } from './compare/merge.js'
export { partsOf, type CodePart } from './compare/parts.js'
export { runCheck, type RunCheck } from './run/index.js'
