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
export {
  llmConfig,
  ollamaOptionsOf,
  openAiOptionsOf,
  providersOf,
  LlmConfig,
  type Provider
} from './llm-config.js'
export {
  createOllamaClient,
  type ModelMapping,
  type OllamaClientOptions,
  type OllamaTimeouts
} from './ollama/ollama-client.js'
export { createOpenAiClient, type OpenAiClientOptions } from './openai/openai-client.js'
export { createModelClient } from './create-model-client.js'
export { anchorCode, anchorOf, splitLines, type AnchoredCode } from './anchors.js'
export type { Prompt } from './prompts/prompt.js'
export { analyzePrompt, type AnalyzeInput, type AnalyzePrompt } from './prompts/analyze.js'
export { generatePrompt, type GenerateInput } from './prompts/generate.js'
export { optimizePrompt, type OptimizeInput } from './prompts/optimize.js'
export { continuationPrompt } from './prompts/continuation.js'
export { repairPrompt, type RepairInput } from './prompts/repair.js'
export type { CodeBlock } from './output/code-block.js'
export { codeCandidates, extractCode, extractCodeBlock } from './output/extract-code.js'
export type { CodeWish } from './output/choose-code.js'
export { readCode } from './output/answer/read-code.js'
export type { CodeReading, Parse, ReadFault } from './output/answer/reading.js'
export type { CodeRequest } from './output/answer/frameworks.js'
export { extractContent } from './output/content.js'
export { repeatsInstructions, wantsPromptText } from './output/repeats-instructions.js'
export {
  parseModelFindings,
  type ModelFinding,
  type ModelFindings,
  type ReadingOptions
} from './output/model-findings.js'
export { newFindings, type KnownFinding } from './output/merge-findings.js'
export { confirmPrompt, type ConfirmInput } from './prompts/confirm.js'
export { confirmedClaims } from './output/verdicts.js'
export {
  codeFault,
  contentFault,
  type AnsweredRequest,
  type AnswerFault,
  type JudgedCode
} from './output/answer-fault.js'
export { languageNamedIn } from './output/language-signs.js'
export { mayBecomeRefusal } from './output/refusals.js'
export { endsInside, joinContinuation } from './output/join-continuation.js'
export { rewriteCandidates } from './output/rewrite-candidates.js'
