import { createBatcher, isAmong, oneWinner } from '../batcher.js'
import type { Client } from '../client.js'
import type { GenerationKind, GenerationOutcome, GenerationRecord } from '../records.js'
import type { Turns } from '../turns.js'
import { isStill, ASYNC_COMMIT, type RunStatement, type Statement } from '../statements.js'

export interface NewGeneration {
  id: string
  kind: GenerationKind
  tokenId: string
  startedAt: Date
  type?: string | null
  modelAsked?: string | null
  prompt?: string | null
  options?: string | null
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

export interface GenerationPosition {
  startedAt: Date
  id: string
}

export type ListedGeneration = Omit<
  GenerationRecord,
  'prompt' | 'options' | 'result' | 'tokenId' | 'modelAsked' | 'modelUsed' | 'errorCode'
> & {
  /** Null where no model answered. */
  model: string | null
}

/** With its texts, which are null unless the operator stores them. */
export type GenerationWithTexts = ListedGeneration &
  Pick<GenerationRecord, 'modelAsked' | 'prompt' | 'options' | 'result'>

/** The usage of one UTC day and model. */
export interface GenerationUsage {
  day: string
  model: string | null
  /** What answered instead of a model. */
  engine: string | null
  requests: number
  tokens: number
}

export interface GenerationsRepository {
  /** The generations of a token, newest first, optionally after a position. Waits for the token's turn. */
  list: (options: {
    tokenId: string
    after: GenerationPosition | null
    limit: number
  }) => Promise<ListedGeneration[]>
  /** One generation of the token. Waits for the token's turn. */
  findOf: (key: { tokenId: string; id: string }) => Promise<GenerationWithTexts | null>
  /** The usage of the last days, including today. Waits for the token's turn. */
  usage: (options: { tokenId: string; days: number }) => Promise<GenerationUsage[]>
  create: (generation: NewGeneration) => Promise<void>
  /** False when it was already finished: the first outcome counts. */
  finish: (id: string, result: GenerationResult) => Promise<boolean>
  findById: (id: string) => Promise<GenerationRecord | null>
  /** Ends rows that a crashed process left running; returns their number. */
  failRunning: (options: { startedBefore: Date; at: Date; errorCode: string }) => Promise<number>
  /** Deletes ended rows, oldest first; returns their number. */
  removeEnded: (options: { startedBefore: Date; limit: number }) => Promise<number>
}

/** A row is worth less than its response: if a server crash loses it, it later counts as failed. */
const create: Statement = {
  name: 'generations-create',
  text: `
    WITH ${ASYNC_COMMIT}
    INSERT INTO generations (id, kind, token_id, started_at, type, model_asked, prompt, options,
      outcome)
    SELECT new.*, 'running'
    FROM async_commit, unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[],
      $8::text[]) new`
}

export const finish: Statement = {
  name: 'generations-finish',
  text: `
    WITH ${ASYNC_COMMIT}
    UPDATE generations SET outcome = new.outcome, finished_at = new.finished_at, model_used = new.model_used, engine = new.engine,
      tokens_used = new.tokens_used, error_code = new.error_code, result = new.result
    FROM async_commit, unnest($1::text[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::int[], $7::text[], $8::text[])
      new (id, outcome, finished_at, model_used, engine, tokens_used, error_code, result)
    WHERE generations.id = new.id AND ${isStill('generations.outcome', 'running')} RETURNING new.id`
}

/** Engines that answer without the model of the catalogue. */
const WITHOUT_MODEL = "engine IN ('static', 'sandbox')"

/** A client chooses the model of a generation only, so a failed analysis or optimization names none. */
const MODEL = `CASE WHEN ${WITHOUT_MODEL} OR (engine IS NULL AND kind <> 'generate') THEN NULL ELSE model_asked END`

const COLUMNS = `id, kind, type, ${MODEL} AS model, engine, tokens_used AS "tokensUsed", outcome,
      started_at AS "startedAt", finished_at AS "finishedAt"`

const list: Statement = {
  name: 'generations-list',
  text: `
    SELECT ${COLUMNS}
    FROM generations WHERE token_id = $1 AND (started_at, id) < ($2::timestamptz, $3)
    ORDER BY started_at DESC, id DESC LIMIT $4`
}

const findOf: Statement = {
  name: 'generations-find-of',
  text: `
    SELECT ${COLUMNS}, model_asked AS "modelAsked", prompt, options, result
    FROM generations WHERE id = $1 AND token_id = $2`
}

/** The position before the first page: later than any record. */
const START: GenerationPosition = { startedAt: new Date(Date.UTC(9999, 0)), id: '' }

const usage: Statement = {
  name: 'generations-usage',
  text: `
    SELECT to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, ${MODEL} AS model,
      CASE WHEN ${WITHOUT_MODEL} THEN engine END AS engine,
      count(*)::int AS requests, coalesce(sum(tokens_used), 0)::float8 AS tokens
    FROM generations
    WHERE token_id = $1 AND started_at >= date_trunc('day', now(), 'UTC') - ($2::int - 1) * interval '1 day'
    GROUP BY 1, 2, 3 ORDER BY 1, 2, 3`
}

export function createGenerationsRepository(
  client: Client,
  run: RunStatement,
  turns: Turns
): GenerationsRepository {
  const insert = createBatcher(async (rows: NewGeneration[]) => {
    const each = (key: keyof NewGeneration): unknown[] => rows.map((row) => row[key] ?? null)
    await run(create, [
      each('id'),
      each('kind'),
      each('tokenId'),
      each('startedAt'),
      each('type'),
      each('modelAsked'),
      each('prompt'),
      each('options')
    ])
    return rows.map(() => undefined)
  })
  const end = createBatcher(
    oneWinner(async (rows: Array<GenerationResult & { id: string }>) => {
      const each = (key: keyof GenerationResult | 'id'): unknown[] => rows.map((row) => row[key] ?? null)
      const ended = await run<{ id: string }>(finish, [
        each('id'),
        each('outcome'),
        each('finishedAt'),
        each('modelUsed'),
        each('engine'),
        each('tokensUsed'),
        each('errorCode'),
        each('result')
      ])
      return rows.map(isAmong(ended))
    }, false)
  )

  return {
    list: async ({ tokenId, after, limit }) => {
      const { startedAt, id } = after ?? START
      return await turns.take(
        tokenId,
        async () =>
          await run<ListedGeneration & Record<string, unknown>>(list, [tokenId, startedAt, id, limit])
      )
    },

    findOf: async ({ tokenId, id }) => {
      const read = async () => await run<GenerationWithTexts & Record<string, unknown>>(findOf, [id, tokenId])
      const [found = null] = await turns.take(tokenId, read)
      return found
    },

    usage: async ({ tokenId, days }) =>
      await turns.take(
        tokenId,
        async () => await run<GenerationUsage & Record<string, unknown>>(usage, [tokenId, days])
      ),

    create: insert,

    finish: async (id, result) => await end({ id, ...result }),

    // Only `create` and `finish` write these two columns, with the values of their types.
    findById: async (id) =>
      (await client.generation.findUnique({ where: { id } })) as GenerationRecord | null,

    // Skips rows that are being finished right now: waiting for them could deadlock.
    failRunning: async ({ startedBefore, at, errorCode }) =>
      await client.$executeRaw`
      UPDATE generations SET outcome = 'failed', error_code = ${errorCode}, finished_at = ${at}
      WHERE id IN (SELECT id FROM generations WHERE outcome = 'running' AND started_at < ${startedBefore} FOR UPDATE SKIP LOCKED)`,

    removeEnded: async ({ startedBefore, limit }) =>
      await client.$executeRaw`
      DELETE FROM generations WHERE id IN (
        SELECT id FROM generations WHERE outcome <> 'running' AND started_at < ${startedBefore}
        ORDER BY started_at LIMIT ${limit} FOR UPDATE SKIP LOCKED
      )`
  }
}
