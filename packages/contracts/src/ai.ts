import { Type, type Static } from '@filewright/schema'
import { limits } from './limits.js'
import { modelCapabilities, modelIds } from './models.js'

export const generationTypes = ['code', 'component', 'content', 'api'] as const
export type GenerationType = (typeof generationTypes)[number]

export const analysisTypes = ['security', 'performance', 'style', 'bugs'] as const
export type AnalysisType = (typeof analysisTypes)[number]

export const optimizationTypes = ['performance', 'readability', 'security'] as const
export type OptimizationType = (typeof optimizationTypes)[number]

export const findingTypes = ['warning', 'suggestion'] as const
export type FindingType = (typeof findingTypes)[number]

export const changeTypes = ['refactor', 'optimize'] as const
export type ChangeType = (typeof changeTypes)[number]

const exact = { additionalProperties: false }

// Schemas count characters, but the limits are in bytes. A character has at least one byte, so the schemas
// never refuse what the limits allow. The exact check runs when the body is read.
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description })
const word = (description: string) => Type.String({ maxLength: limits.wordChars, description })
const code = text(limits.codeBytes, 'Source code')
const language = Type.String({
  minLength: 1,
  maxLength: limits.wordChars,
  pattern: '\\S',
  description: 'Language of the code, by name or usual alias'
})
const framework = Type.Optional(word('Framework context'))
const line = Type.Integer({ minimum: 1, description: 'Line of the submitted code' })

export const GenerateRequest = Type.Object({
  prompt: text(limits.promptBytes, 'What to generate'),
  type: Type.Enum(generationTypes),
  framework: Type.Optional(word('For example react, nextjs, vue')),
  language: Type.Optional(word('For example javascript, typescript, python')),
  model: Type.Optional(Type.Enum(modelIds))
})
export type GenerateRequest = Static<typeof GenerateRequest>

export const GenerationResult = Type.Object(
  {
    id: Type.String({ description: 'Generation identifier' }),
    content: Type.String({ description: 'Generated code or content' }),
    type: Type.Enum(generationTypes),
    model: Type.Enum(modelIds),
    tokens_used: Type.Integer({ minimum: 0, description: 'Tokens of prompt and output' }),
    created_at: Type.String({ format: 'date-time', description: 'ISO 8601 UTC with milliseconds' })
  },
  exact
)
export type GenerationResult = Static<typeof GenerationResult>

export const AnalyzeRequest = Type.Object({
  code,
  language,
  analysis_type: Type.Optional(Type.Enum(analysisTypes)),
  framework
})
export type AnalyzeRequest = Static<typeof AnalyzeRequest>

export const Finding = Type.Object({ type: Type.Enum(findingTypes), message: Type.String(), line }, exact)
export type Finding = Static<typeof Finding>

/** How running the code reproduced a finding. */
export const Proof = Type.Object(
  {
    input: Type.String({ description: 'The call with the smallest input that reproduces it' }),
    observed: Type.String({ description: 'What the call does' }),
    reproducer: Type.String({ description: 'A Node.js program that reproduces the finding' }),
    entry_line: Type.Integer({ minimum: 1, description: 'The start of the called function' })
  },
  exact
)
export type Proof = Static<typeof Proof>

export const AnalysisResult = Type.Object(
  {
    analysis: Type.Array(Finding),
    score: Type.Integer({ minimum: 0, maximum: 100 }),
    suggestions: Type.Array(Type.String())
  },
  exact
)
export type AnalysisResult = Static<typeof AnalysisResult>

const detailedFinding = {
  ...Finding.properties,
  rule: Type.Optional(Type.String()),
  level: Type.Optional(Type.Enum(['error', 'warning', 'note'])),
  category: Type.Optional(Type.Enum(analysisTypes)),
  help: Type.Optional(Type.String()),
  proof: Type.Optional(Proof),
  flow: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1 }), {
      description: "Lines that a client's value goes through, from its source to the line of the finding"
    })
  )
}

/** With the vendor media type: each finding with its rule, and how a run of the code reproduced it. */
export const DetailedAnalysisResult = Type.Object(
  {
    ...AnalysisResult.properties,
    analysis: Type.Array(Type.Object(detailedFinding, exact)),
    suppressed: Type.Optional(
      Type.Array(
        Type.Object(
          {
            ...detailedFinding,
            reason: Type.String({ description: 'What the comment in the code says' })
          },
          exact
        ),
        { description: 'Findings that comments in the code accept; the score does not count them' }
      )
    )
  },
  exact
)
export type DetailedAnalysisResult = Static<typeof DetailedAnalysisResult>

export const AnalyzeBatchRequest = Type.Object({
  files: Type.Array(
    Type.Object({
      path: Type.String({
        minLength: 1,
        maxLength: limits.filePathChars,
        pattern: '^[^\\u0000-\\u001f]+$',
        description: 'Name of the file in the response; must be unique in the request'
      }),
      code,
      language
    }),
    {
      minItems: 1,
      maxItems: limits.filesPerAnalysis,
      description: 'In total at most as long as the code of one analysis'
    }
  ),
  analysis_type: Type.Optional(Type.Enum(analysisTypes)),
  framework
})
export type AnalyzeBatchRequest = Static<typeof AnalyzeBatchRequest>

export const AnalysisBatchResult = Type.Object(
  {
    files: Type.Array(Type.Object({ path: Type.String(), ...AnalysisResult.properties }, exact), {
      description: 'In the order of the request'
    })
  },
  exact
)
export type AnalysisBatchResult = Static<typeof AnalysisBatchResult>

export const OptimizeRequest = Type.Object({
  code,
  language,
  optimization_type: Type.Optional(Type.Enum(optimizationTypes)),
  framework
})
export type OptimizeRequest = Static<typeof OptimizeRequest>

export const Change = Type.Object({ type: Type.Enum(changeTypes), description: Type.String(), line }, exact)
export type Change = Static<typeof Change>

export const OptimizationResult = Type.Object(
  {
    optimized_code: Type.String(),
    changes: Type.Array(Change),
    improvements: Type.Array(Type.String())
  },
  exact
)
export type OptimizationResult = Static<typeof OptimizationResult>

export const ModelRecord = Type.Object(
  {
    id: Type.Enum(modelIds),
    name: Type.String({ description: 'Display name' }),
    capabilities: Type.Array(Type.Enum(modelCapabilities)),
    max_tokens: Type.Integer({ minimum: 1, description: 'Token capacity of the model' })
  },
  exact
)
export type ModelRecord = Static<typeof ModelRecord>

export const ModelsResponse = Type.Object({ models: Type.Array(ModelRecord) }, exact)
export type ModelsResponse = Static<typeof ModelsResponse>
