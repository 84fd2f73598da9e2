import {
  limits,
  type GenerationsResponse,
  type GenerationSummary,
  type UsageEntry
} from '@filewright/contracts'
import type { Database, GenerationPosition, ListedGeneration } from '@filewright/db'
import { InvalidFieldError, isId } from '@filewright/runtime'
import type { Principal } from '../tokens/principal.js'

export const USAGE_DAYS = 30

export interface HistoryService {
  list: (principal: Principal, page: { after: string; limit: number }) => Promise<GenerationsResponse>
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

/** Lists the AI requests of a token. Records belong to a token, not to a project. */
export function createHistoryService({
  generations
}: {
  generations: Pick<Database['generations'], 'list' | 'usage'>
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
    usage: async ({ tokenId }) => await generations.usage({ tokenId, days: USAGE_DAYS })
  }
}
