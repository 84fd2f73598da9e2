import { readFile } from 'node:fs/promises'
import t from 'tap'
import { Filewright } from '@filewright/client'
import { isFailure as isFailing, type FailureFacts } from '@filewright/contracts'
import { sentenceOf } from '../src/failure.js'

/** What the service says, and what people read in the console and in the command line. */
interface KnownAnswer {
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
}

const table = new URL('../../../../packages/contracts/test/answers.json', import.meta.url)
const answers = JSON.parse(await readFile(table, 'utf8')) as KnownAnswer[]

t.test('the command line prints the words of the table that the console shows', async (t) => {
  t.ok(answers.length >= 30, `${answers.length} answers`)
  for (const answer of answers) {
    const { name, status, message, rejection, retryAfter, requestId, words, cliAdvice } = answer
    const headers = {
      ...(rejection === undefined ? {} : { 'x-rejection': rejection }),
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      ...(requestId === undefined ? {} : { 'x-request-id': requestId })
    }
    const respond = async (): Promise<Response> => Response.json({ error: message }, { status, headers })
    const client = new Filewright({ baseUrl: 'http://127.0.0.1:1', token: 'x', retries: 0, fetch: respond })

    const error = await client.projects().catch((error: unknown) => error)

    t.equal(sentenceOf(error), cliAdvice === undefined ? words : `${words}; ${cliAdvice}`, name)
    t.equal(isFailing(error as FailureFacts), answer.isFailure ?? true, `${name}: severity`)
  }
})
