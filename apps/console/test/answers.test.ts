import { readFile } from 'node:fs/promises'
import t from 'tap'
import { reasons, severityNames } from '@filewright/contracts'
import { Filewright, UnauthorizedError } from '@filewright/client/browser'
import { codeTexts } from '../src/code/code-texts.js'
import { explainError, isOutcome } from '../src/explain-error.js'
import { texts } from '../src/texts.js'

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
  consoleAdvice?: string
}

const table = new URL('../../../../packages/contracts/test/answers.json', import.meta.url)
const answers = JSON.parse(await readFile(table, 'utf8')) as KnownAnswer[]

async function errorFor(answer: KnownAnswer): Promise<unknown> {
  const { status, message, rejection, retryAfter, requestId } = answer
  const headers = {
    ...(rejection === undefined ? {} : { 'x-rejection': rejection }),
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    ...(requestId === undefined ? {} : { 'x-request-id': requestId })
  }
  const respond = async (): Promise<Response> => Response.json({ error: message }, { status, headers })
  const client = new Filewright({ baseUrl: 'http://127.0.0.1:1', token: 'x', retries: 0, fetch: respond })
  return await client.projects().catch((error: unknown) => error)
}

t.test('the console shows the words of the table', async (t) => {
  t.ok(answers.length >= 30, `${answers.length} answers`)
  for (const answer of answers) {
    const { name, words, isFailure = true, consoleAdvice } = answer
    const error = await errorFor(answer)

    const advised = consoleAdvice === undefined ? words : `${words}; ${consoleAdvice}`
    t.equal(explainError(error), `${advised}.`, name)
    t.equal(isOutcome(error), !isFailure, `${name}: severity`)
  }
})

t.test('every reason of the service is in the table', async (t) => {
  const said = new Set(answers.map(({ rejection = '' }) => rejection.split(';')[0]))
  const byStatus = new Set(['unauthorized', 'forbidden', 'too-many-requests', 'still-running'])
  t.strictSame(
    Object.keys(reasons).filter((code) => !said.has(code) && !byStatus.has(code)),
    []
  )
})

t.test('the sign-in page and the names of severities use the same words', async (t) => {
  const error = await errorFor({ name: '', status: 401, message: 'Unauthorized', words: '' })
  t.ok(error instanceof UnauthorizedError)
  t.match(texts.signIn.reasons.refused, reasons.unauthorized.title)
  for (const name of Object.values(severityNames)) {
    t.equal(codeTexts.analyze.levels[name].toLowerCase(), name)
  }
})
