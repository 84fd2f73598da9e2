import type { Client } from '../client.js'
import type { GenerationKind, GenerationOutcome, GenerationRecord } from '../records.js'
import type { RunStatement, Statement } from '../statements.js'

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

/** Without a wait for the disk: a row is worth less than its answer, and what a crash of the server makes it lose counts as failed later. */
const UNHURRIED = "unhurried AS (SELECT set_config('synchronous_commit', 'off', true))"

const create: Statement = {
  name: 'generations-create',
  text: `
    WITH ${UNHURRIED}
    INSERT INTO generations (id, kind, token_id, started_at, type, model_asked, prompt, outcome)
    SELECT $1, $2, $3, $4::timestamptz, $5, $6, $7, 'running' FROM unhurried`
}

const finish: Statement = {
  name: 'generations-finish',
  text: `
    WITH ${UNHURRIED}
    UPDATE generations SET outcome = $2, finished_at = $3, model_used = $4, engine = $5, tokens_used = $6, error_code = $7, result = $8
    FROM unhurried WHERE id = $1 AND outcome = 'running' RETURNING 1`
}

export function createGenerationsRepository (client: Client, run: RunStatement): GenerationsRepository {
  return {
    create: async ({ id, kind, tokenId, startedAt, type = null, modelAsked = null, prompt = null }) => {
      await run(create, [id, kind, tokenId, startedAt, type, modelAsked, prompt])
    },

    finish: async (id, { outcome, finishedAt, modelUsed = null, engine = null, tokensUsed = null, errorCode = null, result = null }) => {
      return (await run(finish, [id, outcome, finishedAt, modelUsed, engine, tokensUsed, errorCode, result])).length === 1
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
