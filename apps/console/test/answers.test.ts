import t from 'tap'
import { reasons, severityNames } from '@filewright/contracts'
import { Filewright, UnauthorizedError } from '@filewright/client/browser'
import { knownAnswers, responseOf, type KnownAnswer } from '@filewright/testing'
import { codeTexts } from '../src/code/code-texts.js'
import { explainError, isOutcome } from '../src/explain-error.js'
import { texts } from '../src/texts.js'

const answers = await knownAnswers()

async function errorFor(answer: KnownAnswer): Promise<unknown> {
  const fetch = async (): Promise<Response> => responseOf(answer)
  const client = new Filewright({ baseUrl: 'http://127.0.0.1:1', token: 'x', retries: 0, fetch })
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
