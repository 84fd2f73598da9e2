import t from 'tap'
import { checkSyntax } from '@filewright/analysis'
import { generatePrompt } from '@filewright/llm'
import type { GeneratePayload } from '@filewright/queue'
import { createSandboxResponder, samplesOf, topics } from '@filewright/sandbox-model'
import { createDraftReader } from '../src/draft.js'

const respond = createSandboxResponder()
const languageOf: Readonly<Record<string, string>> = {
  jsx: 'javascript',
  tsx: 'typescript',
  vue: '',
  svelte: ''
}

const requests = topics.flatMap(({ id, kind }) =>
  samplesOf(id).map((sample) => {
    const isUi = /^(?:vue|svelte)$/.test(sample.language)
    const language = kind === 'content' ? '' : (languageOf[sample.language] ?? sample.language)
    const framework = isUi ? sample.language : sample.framework
    return {
      what: `${id} ${sample.language} ${sample.framework}`,
      sample,
      payload: {
        prompt: id.replaceAll('-', ' '),
        type: kind,
        ...(language === '' ? {} : { language }),
        ...(framework === '' ? {} : { framework })
      }
    }
  })
)

t.test(
  'every sample passes the checks of a real model: language, parse, placeholder, framework',
  async (t) => {
    t.ok(requests.length > 300)
    for (const { what, sample, payload } of requests) {
      const asked = generatePrompt(payload)
      const text = respond({ model: 'sandbox', messages: asked.messages, stream: true, options: {} })
      const read = createDraftReader(payload as GeneratePayload, {
        analysis: { checkSyntax: async (code, language) => await checkSyntax(code, language) },
        signal: AbortSignal.timeout(60_000),
        asked
      })

      const { content, fault, problem } = await read({ text, finish: 'stop', isSandbox: false })

      t.strictSame({ fault, problem }, { fault: undefined, problem: undefined }, what)
      t.match(content, 'not written by a language model', `${what} says what it is`)
      t.ok(content.includes(sample.text.split('\n').at(-1)?.trim() ?? ''), `${what} is whole`)
    }
  }
)
