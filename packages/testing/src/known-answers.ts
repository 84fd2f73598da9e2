import { readFile } from 'node:fs/promises'

/** What the service says, and what people read in the console and in the command line. */
export interface KnownAnswer {
  name: string
  status: number
  message: string
  rejection?: string
  retryAfter?: number
  requestId?: string
  words: string
  isFailure?: boolean
  /** Commands that help. */
  cliAdvice?: string
  consoleAdvice?: string
}

const table = new URL('../../../contracts/test/answers.json', import.meta.url)

export async function knownAnswers(): Promise<KnownAnswer[]> {
  return JSON.parse(await readFile(table, 'utf8')) as KnownAnswer[]
}

/** The response with that answer, as a `fetch` of the client returns it. */
export function responseOf({ status, message, rejection, retryAfter, requestId }: KnownAnswer): Response {
  const headers = {
    ...(rejection === undefined ? {} : { 'x-rejection': rejection }),
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    ...(requestId === undefined ? {} : { 'x-request-id': requestId })
  }
  return Response.json({ error: message }, { status, headers })
}
