import t from 'tap'
import { Value, type TSchema } from '@filewright/schema'
import {
  AnalysisResult,
  AnalyzeRequest,
  defaultModelId,
  GenerateRequest,
  GenerationResult,
  isModelId,
  limits,
  modelOf,
  models,
  ModelsResponse,
  OptimizationResult,
  OptimizeRequest
} from '../src/index.js'

t.test('the catalogue contains the four models with their capabilities and token limits', async (t) => {
  t.strictSame(
    models.map((model) => [model.id, model.capabilities, model.max_tokens]),
    [
      ['alpha-4o-mini', ['code', 'content', 'analysis'], 128_000],
      ['alpha-4o', ['code', 'content', 'analysis'], 128_000],
      ['beta-3', ['code', 'content', 'analysis'], 100_000],
      ['gamma', ['code', 'content'], 32_768]
    ]
  )
  t.ok(Value.Check(ModelsResponse, { models }))
  t.equal(defaultModelId, 'alpha-4o-mini')
  t.equal(modelOf('gamma').name, 'Gamma')
  t.ok(isModelId('beta-3'))
  t.notOk(isModelId('beta-4'))
  t.throws(() => modelOf('beta-4' as 'gamma'), RangeError)
})

interface Case {
  schema: TSchema
  good: object
  bad: object[]
}

const requests: Record<string, Case> = {
  generate: {
    schema: GenerateRequest,
    good: { prompt: 'x', type: 'code' },
    bad: [
      { prompt: '' },
      { prompt: ' \n' },
      { prompt: 7 },
      { prompt: undefined },
      { prompt: 'x'.repeat(limits.promptBytes + 1) },
      { type: 'poem' },
      { type: undefined },
      { model: 'delta' },
      { model: null },
      { framework: 7 },
      { framework: 'x'.repeat(limits.wordChars + 1) },
      { language: [] }
    ]
  },
  analyze: {
    schema: AnalyzeRequest,
    good: { code: 'x', language: 'js' },
    bad: [
      { code: '' },
      { code: 'x'.repeat(limits.codeBytes + 1) },
      { language: '' },
      { language: ' ' },
      { language: undefined },
      { analysis_type: 'all' },
      { framework: {} }
    ]
  },
  optimize: {
    schema: OptimizeRequest,
    good: { code: 'x', language: 'js' },
    bad: [
      { code: undefined },
      { code: '\n' },
      { language: 7 },
      { optimization_type: 'size' },
      { framework: null }
    ]
  }
}

for (const [name, { schema, good, bad }] of Object.entries(requests)) {
  t.test(`a ${name} request may have unknown keys, and must follow every rule`, async (t) => {
    t.ok(Value.Check(schema, good))
    t.ok(Value.Check(schema, { ...good, framework: 'react', anything: 1 }))
    for (const change of bad) {
      t.notOk(
        Value.Check(schema, JSON.parse(JSON.stringify({ ...good, ...change }))),
        JSON.stringify(change).slice(0, 60)
      )
    }
  })
}

const finding = { type: 'warning', message: 'm', line: 1 }
const change = { type: 'refactor', description: 'd', line: 1 }
const results: Record<string, Case> = {
  generation: {
    schema: GenerationResult,
    good: {
      id: 'i',
      content: '',
      type: 'api',
      model: 'gamma',
      tokens_used: 0,
      created_at: '2026-01-01T00:00:00.000Z'
    },
    bad: [{ tokens_used: 1.5 }, { model: 'qwen' }, { extra: 1 }, { id: undefined }]
  },
  analysis: {
    schema: AnalysisResult,
    good: { analysis: [finding], score: 100, suggestions: ['s'] },
    bad: [
      { score: 101 },
      { score: -1 },
      { score: 1.5 },
      { analysis: [{ ...finding, line: 0 }] },
      { analysis: [{ ...finding, type: 'error' }] },
      { analysis: [{ ...finding, extra: 1 }] },
      { extra: 1 }
    ]
  },
  optimization: {
    schema: OptimizationResult,
    good: { optimized_code: 'x', changes: [change], improvements: [] },
    bad: [{ changes: [{ ...change, type: 'fix' }] }, { improvements: [1] }, { extra: 1 }]
  }
}

for (const [name, { schema, good, bad }] of Object.entries(results)) {
  t.test(`an ${name} result has exactly the agreed keys`, async (t) => {
    t.ok(Value.Check(schema, good))
    for (const wrong of bad) {
      t.notOk(Value.Check(schema, JSON.parse(JSON.stringify({ ...good, ...wrong }))), JSON.stringify(wrong))
    }
  })
}
