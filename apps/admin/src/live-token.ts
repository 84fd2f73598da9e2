import type { Database, TokenRecord } from '@filewright/db'
import { table, type CommandResult } from './command.js'

/** A shorter prefix may soon match another token, or match this one by a typo. */
const MIN_ID_CHARS = 8

export interface NamedToken {
  token: TokenRecord
  /** Whether the full id was given. */
  byId: boolean
}

/** Finds a token by id, id prefix or name. A match with more than one token counts as none. */
export async function liveToken(
  tokens: Pick<Database['tokens'], 'list'>,
  asked: string
): Promise<NamedToken | { answer: CommandResult }> {
  const live = (await tokens.list()).filter(({ revokedAt }) => revokedAt === null)
  const exact = live.find(({ id }) => id === asked)
  if (exact !== undefined) return { token: exact, byId: true }
  const isLongEnough = asked.length >= MIN_ID_CHARS
  const beginning = live.filter(({ id }) => id.startsWith(asked))
  const fitting = live.filter((token) => token.name === asked || (isLongEnough && beginning.includes(token)))
  const [token] = fitting
  if (token !== undefined && fitting.length === 1) return { token, byId: false }
  if (token !== undefined) {
    return {
      answer: candidates(fitting, `${fitting.length} active tokens match ${asked}; give the id of one`)
    }
  }
  if (beginning.length === 0) {
    return { answer: { json: {}, text: `There is no active token named ${asked}`, failed: true } }
  }
  const why = `${asked} is too short for an id prefix: give at least ${MIN_ID_CHARS} characters`
  return { answer: candidates(beginning, why) }
}

function candidates(fitting: TokenRecord[], sentence: string): CommandResult {
  const rows = fitting.map(({ id, name, createdAt }) => [id, name, createdAt.toISOString()])
  return {
    json: { fitting: fitting.map(({ id }) => id) },
    text: `${sentence}:\n${table(['ID', 'NAME', 'CREATED'], rows)}`,
    failed: true
  }
}
