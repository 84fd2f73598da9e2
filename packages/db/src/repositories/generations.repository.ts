import type { Client } from '../client.js'
import type { GenerationKind, GenerationOutcome, GenerationRecord } from '../records.js'

export interface NewGeneration {
  id: string
  kind: GenerationKind
  tokenId: string
  startedAt: Date
  type?: string | null
  modelAsked?: string | null
  prompt?: string | null
}

export interface GenerationResult {
  outcome: Exclude<GenerationOutcome, 'running'>
  finishedAt: Date
  modelUsed?: string | null
  engine?: string | null
  tokensUsed?: number | null
  errorCode?: string | null
  result?: string | null
}

export interface GenerationsRepository {
  create: (generation: NewGeneration) => Promise<void>
  /** False when it was finished before: the first outcome stands. */
  finish: (id: string, result: GenerationResult) => Promise<boolean>
  findById: (id: string) => Promise<GenerationRecord | null>
  /** Ends what a crashed process left running; returns how many. */
  failRunning: (options: { startedBefore: Date, at: Date, errorCode: string }) => Promise<number>
}

export function createGenerationsRepository (client: Client): GenerationsRepository {
  return {
    create: async ({ id, kind, tokenId, startedAt, type = null, modelAsked = null, prompt = null }) => {
      await client.generation.createMany({ data: [{ id, kind, tokenId, startedAt, type, modelAsked, prompt, outcome: 'running' }] })
    },

    finish: async (id, { outcome, finishedAt, modelUsed = null, engine = null, tokensUsed = null, errorCode = null, result = null }) => {
      const { count } = await client.generation.updateMany({
        where: { id, outcome: 'running' },
        data: { outcome, finishedAt, modelUsed, engine, tokensUsed, errorCode, result }
      })
      return count === 1
    },

    // Only `create` and `finish` write these two columns, with the values of their types.
    findById: async (id) => await client.generation.findUnique({ where: { id } }) as GenerationRecord | null,

    failRunning: async ({ startedBefore, at, errorCode }) => {
      const { count } = await client.generation.updateMany({
        where: { outcome: 'running', startedAt: { lt: startedBefore } },
        data: { outcome: 'failed', errorCode, finishedAt: at }
      })
      return count
    }
  }
}
