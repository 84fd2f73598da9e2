import {
  limits,
  type GenerationDetails,
  type GenerationsResponse,
  type GenerationSummary,
  type RecordedRequest,
  type RecordedResult,
  type UsageEntry
} from '@filewright/contracts'
import type { Database, GenerationPosition, GenerationWithTexts, ListedGeneration } from '@filewright/db'
import { AppError, InvalidFieldError, isId } from '@filewright/runtime'
import type { Principal } from '../tokens/principal.js'

export const USAGE_DAYS = 30

export interface HistoryService {
  list: (principal: Principal, page: { after: string; limit: number }) => Promise<GenerationsResponse>
  /** With its texts, if they are stored. A generation of another token does not exist for this one. */
  find: (principal: Principal, id: string) => Promise<GenerationDetails>
  usage: (principal: Principal) => Promise<UsageEntry[]>
}

const CURSOR = /^(\d{1,15})\.(\w+)$/

/** Not sealed: a forged cursor is only another position in the token's own list. */
function parseCursor(text: string): GenerationPosition {
  const [, time = '', id = ''] = CURSOR.exec(text) ?? []
  const startedAt = new Date(Number(time))
  if (time === '' || !isId(id) || Number.isNaN(startedAt.getTime()) || startedAt.getUTCFullYear() > 9_999) {
    throw new InvalidFieldError('after', 'must be from `next` of a page')
  }
  return { startedAt, id }
}

const present = (record: ListedGeneration): GenerationSummary => ({
  id: record.id,
  kind: record.kind,
  type: record.type,
  model: record.model,
  engine: record.engine,
  status: record.outcome,
  tokens_used: record.tokensUsed ?? 0,
  started_at: record.startedAt.toISOString(),
  duration_ms:
    record.finishedAt === null ? null : Math.max(0, record.finishedAt.getTime() - record.startedAt.getTime())
})

function requestOf({ kind, type, modelAsked, prompt, options }: GenerationWithTexts): RecordedRequest | null {
  // An older version stored the prompt without the options, with which it would be another request.
  if (prompt === null || options === null) return null
  const others = JSON.parse(options) as RecordedRequest
  if (kind !== 'generate') return { code: prompt, ...others }
  return {
    prompt,
    ...(type === null ? {} : { type }),
    ...(modelAsked === null ? {} : { model: modelAsked }),
    ...others
  }
}

function resultOf({ kind, result }: GenerationWithTexts): RecordedResult | null {
  if (result === null) return null
  return kind === 'generate' ? { content: result } : (JSON.parse(result) as RecordedResult)
}

/** Lists the AI requests of a token. Records belong to a token, not to a project. */
export function createHistoryService({
  generations
}: {
  generations: Pick<Database['generations'], 'list' | 'findOf' | 'usage'>
}): HistoryService {
  return {
    list: async ({ tokenId }, { after, limit }) => {
      const most = Math.min(limit, limits.pageSize.max)
      const position = after === '' ? null : parseCursor(after)
      const records = await generations.list({ tokenId, after: position, limit: most })
      const last = records.length === most ? records.at(-1) : undefined
      return {
        generations: records.map(present),
        next: last === undefined ? null : `${last.startedAt.getTime()}.${last.id}`
      }
    },
    find: async ({ tokenId }, id) => {
      const found = isId(id) ? await generations.findOf({ tokenId, id }) : null
      if (found === null) throw new AppError('GENERATION_NOT_FOUND', `the token has no generation ${id}`)
      return { ...present(found), request: requestOf(found), result: resultOf(found) }
    },
    usage: async ({ tokenId }) => await generations.usage({ tokenId, days: USAGE_DAYS })
  }
}
