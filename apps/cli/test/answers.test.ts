import t from 'tap'
import { Filewright } from '@filewright/client'
import { isFailure as isFailing, type FailureFacts } from '@filewright/contracts'
import { knownAnswers, responseOf } from '@filewright/testing'
import { sentenceOf } from '../src/failure.js'

t.test('the command line prints the words of the table that the console shows', async (t) => {
  const answers = await knownAnswers()
  t.ok(answers.length >= 30, `${answers.length} answers`)
  for (const answer of answers) {
    const { name, words, cliAdvice } = answer
    const fetch = async (): Promise<Response> => responseOf(answer)
    const client = new Filewright({ baseUrl: 'http://127.0.0.1:1', token: 'x', retries: 0, fetch })

    const error = await client.projects().catch((error: unknown) => error)

    t.equal(sentenceOf(error), cliAdvice === undefined ? words : `${words}; ${cliAdvice}`, name)
    t.equal(isFailing(error as FailureFacts), answer.isFailure ?? true, `${name}: severity`)
  }
})
