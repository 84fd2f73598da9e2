export type {
  ChatMessage,
  ChatOptions,
  ChatRequest,
  ChatResult,
  JsonSchema,
  ModelClient,
  ProbeResult,
  PullProgress,
  TokenUsage
} from './model-client.js'
export { isModelError, ModelError, type ModelFailure } from './model-error.js'
export { contextTokensOf, estimatePromptTokens, estimateTokens, fitsContext } from './token-budget.js'
export { llmConfig, ollamaOptionsOf, LlmConfig } from './llm-config.js'
export {
  createOllamaClient,
  type ModelMapping,
  type OllamaClientOptions,
  type OllamaTimeouts
} from './ollama/ollama-client.js'
export { anchorCode, anchorOf, splitLines, type AnchoredCode } from './anchors.js'
export type { Prompt } from './prompts/prompt.js'
export { analyzePrompt, type AnalyzeInput, type AnalyzePrompt } from './prompts/analyze.js'
export { generatePrompt, type GenerateInput } from './prompts/generate.js'
export { optimizePrompt, type OptimizeInput } from './prompts/optimize.js'
export { repairPrompt, type RepairInput } from './prompts/repair.js'
export { extractCode, extractCodeBlock, extractContent, type CodeBlock } from './output/extract-code.js'
export { rewriteCandidates } from './output/rewrite-candidates.js'
export { repeatsInstructions } from './output/repeats-instructions.js'
export { parseModelFindings, type ModelFinding, type ModelFindings } from './output/model-findings.js'
