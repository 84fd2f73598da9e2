export { analyze, analyzeAll, checkSyntax, type AnalyzeOptions } from './analyze.js'
export { describeDiff, type DescribedChange, type DescribeOptions } from './diff/describe-diff.js'
export { rules } from './registry/rules.js'
export { compareExports, type ExportsComparison } from './exports/compare.js'
export { exportsOf } from './registry/exports.js'
export type { ExportedSignature } from './exports/types.js'
export { fix, type AppliedFix, type FixInput, type FixResult } from './fix.js'
export { analyzedLanguages } from './language-groups.js'
export { measure, type Measurement } from './measure.js'
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
