export { analyze, checkSyntax, type AnalyzeOptions } from './analyze.js'
export { describeDiff, type DescribedChange } from './describe-diff.js'
export { rules } from './rules/index.js'
export { compareExports, type ExportsComparison } from './exports/compare.js'
export { exportsOf } from './exports/index.js'
export type { ExportedSignature } from './exports/types.js'
export { fix, type AppliedFix, type FixInput, type FixResult } from './fix/index.js'
export { analyzedLanguages } from './languages.js'
export { measure, type Measurement } from './measure.js'
export { compareRewrite, type UnitChange } from './rewrite/compare.js'
export { mergeRewrite } from './rewrite/merge.js'
export { partsOf, type CodePart } from './rewrite/parts.js'
export { runCheck, type RunCheck } from './run/index.js'
export { createAnalysisPool, type AnalysisPool, type AnalysisPoolOptions } from './pool/pool.js'
export { scoreHalfWeight, scoreOf, typeWeights } from './score.js'
export { suggestionsOf } from './suggestions.js'
export {
  analysisTypes,
  severities,
  type AnalysisType,
  type AnalyzeInput,
  type FailureHook,
  type Finding,
  type RuleInfo,
  type Severity,
  type SyntaxResult
} from './types.js'
