import t from 'tap'
import { checkSyntax } from '@filewright/analysis'
import { createDraftReader } from '../src/draft.js'
import { oddAnswers } from './helpers/odd-answers.js'

t.ok(oddAnswers.length >= 30)

for (const { name, text, code, prompt, type = 'code', language, framework } of oddAnswers) {
  t.test(`${code === null ? 'refuses' : 'reads'}: ${name}`, async (t) => {
    const read = createDraftReader(
      {
        v: 1,
        id: 'a',
        requestId: 'r',
        kind: 'generate',
        model: 'alpha-4o-mini',
        prompt: prompt ?? 'Write a function that adds two numbers.',
        type,
        stream: false,
        ...(language === undefined ? {} : { language }),
        ...(framework === undefined ? {} : { framework })
      },
      { analysis: { checkSyntax }, signal: new AbortController().signal, asked: { messages: [] } }
    )

    const { content, fault } = await read({ text, finish: 'stop' })

    if (code === null) t.ok(fault, content)
    else {
      t.equal(fault, undefined)
      t.equal(content.trim(), code)
    }
  })
}
