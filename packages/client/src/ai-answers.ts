import type {
  AnalysisBatchResult,
  AnalysisResult,
  GenerationResult,
  GenerationDetails,
  GenerationResponse,
  GenerationsResponse,
  GenerationSummary,
  GenerationUsageResponse,
  ModelRecord,
  ModelsResponse,
  OptimizationResult,
  RecordedRequest,
  RecordedResult,
  UsageEntry
} from '@filewright/contracts'
import {
  answer,
  arrayOf,
  count,
  id,
  line,
  nullOr,
  numberFrom,
  objectOf,
  oneOf,
  optional,
  text,
  timestamp,
  type Check
} from './checks.js'

const lineNumber = numberFrom(1)
const analysis: { [K in keyof AnalysisResult]: Check } = {
  analysis: arrayOf(objectOf({ type: oneOf('warning', 'suggestion'), message: text, line: lineNumber })),
  score: count,
  suggestions: arrayOf(text)
}

export const analysisAnswer = answer<AnalysisResult>(analysis)
export const batchAnswer = answer<AnalysisBatchResult>({
  files: arrayOf(objectOf({ path: line, ...analysis }))
})
const optimization: { [K in keyof OptimizationResult]: Check } = {
  optimized_code: text,
  changes: arrayOf(objectOf({ type: oneOf('refactor', 'optimize'), description: text, line: lineNumber })),
  improvements: arrayOf(text)
}
export const optimizationAnswer = answer<OptimizationResult>(optimization)
export const generationAnswer = answer<GenerationResult>({
  id,
  content: text,
  type: line,
  model: line,
  tokens_used: count,
  created_at: timestamp
})
const generation = {
  id,
  kind: line,
  type: nullOr(line),
  model: nullOr(line),
  engine: nullOr(line),
  status: line,
  tokens_used: count,
  started_at: timestamp,
  duration_ms: nullOr(count)
}
export const recordedAnswer = answer<GenerationResponse>({
  generation: objectOf<GenerationDetails>({
    ...generation,
    request: nullOr(
      objectOf<RecordedRequest>({
        prompt: optional(text),
        code: optional(text),
        type: optional(line),
        language: optional(text),
        framework: optional(text),
        model: optional(line),
        analysis_type: optional(line),
        optimization_type: optional(line)
      })
    ),
    result: nullOr(
      objectOf<RecordedResult>({
        content: optional(text),
        analysis: optional(analysis.analysis),
        score: optional(analysis.score),
        suggestions: optional(analysis.suggestions),
        optimized_code: optional(optimization.optimized_code),
        changes: optional(optimization.changes),
        improvements: optional(optimization.improvements)
      })
    )
  })
})
export const generationsAnswer = answer<GenerationsResponse>({
  generations: arrayOf(objectOf<GenerationSummary>(generation)),
  next: nullOr(line)
})
export const usageAnswer = answer<GenerationUsageResponse>({
  days: count,
  usage: arrayOf(
    objectOf<UsageEntry>({
      day: line,
      model: nullOr(line),
      engine: nullOr(line),
      requests: count,
      tokens: count
    })
  )
})
export const tokenAnswer = answer<{ text: string }>({ text })
export const modelsAnswer = answer<ModelsResponse>({
  models: arrayOf(
    objectOf<ModelRecord>({ id: line, name: line, capabilities: arrayOf(line), max_tokens: count })
  )
})
