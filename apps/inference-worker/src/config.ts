import { Type, type Static } from '@filewright/schema'
import { llmConfig } from '@filewright/llm'
import { workerConfig } from '@filewright/worker'

const temperature = (task: string) =>
  Type.Number({
    minimum: 0,
    maximum: 2,
    default: 0,
    description: `Temperature of the model when it ${task}; 0 gives the same response each time. A second attempt uses another one`
  })

export const InferenceWorkerConfig = Type.Object({
  ...workerConfig,
  ...llmConfig,
  INFERENCE_CONCURRENCY: Type.Integer({
    minimum: 1,
    maximum: 256,
    default: 12,
    description: 'Concurrent requests of one worker; a single token gets at most three quarters'
  }),
  GENERATE_TEMPERATURE: temperature('generates'),
  ANALYZE_TEMPERATURE: temperature('analyzes'),
  OPTIMIZE_TEMPERATURE: temperature('optimizes'),
  ANALYSIS_PROCESSES: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 64,
      description:
        'Processes for the static analyzers, in addition to one for small inputs; default cores - 1, at most 4, and no more than fit into memory at 768 MB each'
    })
  )
})
export type InferenceWorkerConfig = Static<typeof InferenceWorkerConfig>
