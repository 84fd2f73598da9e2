import t from 'tap'
import { generationTypes } from '@filewright/contracts'
import type { InferenceProgress } from '@filewright/queue'
import { poll } from '@filewright/testing'
import { failureOf, fenced, startShared, startWorker, type WorkerOptions } from './helpers/test-worker.js'

const good = 'export function add (a, b) {\n  return a + b\n}'
/** The number of tokens that the fake server counts for a text. */
const piecesIn = (text: string): number =>
  (text.match(/ ?\p{L}{1,5}|\p{N}|\s+|[^\s\p{L}\p{N}]/gu) ?? []).length
const broken = 'export function add (a, b) {\n  return a +\n}'

t.test('generate', async (t) => {
  const shared = await startShared(t)

  t.test('returns plain code for every type of code, without fences and prose', async (t) => {
    const { generate, prompts } = await startWorker(t, shared, {
      replies: [`Sure! Here is the code:\n\n${fenced(good)}\n\nIt adds two numbers.`]
    })

    for (const type of generationTypes.filter((each) => each !== 'content')) {
      const outcome = await generate({ type, framework: 'express' })
      t.match(
        outcome,
        { kind: 'generate', content: good, engine: 'model', modelUsed: 'small:1b', finish: 'stop' },
        type
      )
    }
    t.equal(prompts().length, 3, 'one call each')
    for (const text of prompts()) {
      t.match(text, /Language: javascript\nFramework: express[\s\S]*Add two numbers\./)
    }
  })

  t.test('returns text for content unchanged, including fences inside it', async (t) => {
    const text = `# Adding\n\n${fenced('add(1, 2)')}\n\nThat is **all**.`
    const { generate } = await startWorker(t, shared, { replies: [text] })

    t.equal((await generate({ type: 'content' })).content, text)
  })

  t.test('reports the token count of the model', async (t) => {
    const { generate } = await startWorker(t, shared, { replies: [fenced(good)] })

    const { tokensUsed } = await generate({})

    t.ok(tokensUsed > 100, `prompt and output: ${tokensUsed}`)
  })

  t.test('shows the model its error once when the code does not parse, and adds up both calls', async (t) => {
    const { generate, prompts } = await startWorker(t, shared, { replies: [fenced(broken), fenced(good)] })
    const single = await startWorker(t, shared, {
      replies: [fenced(broken)],
      client: { defaultOutputTokens: 4_000 }
    })

    const outcome = await generate({})

    t.equal(outcome.content, good)
    const [first, repair, ...more] = prompts()
    t.strictSame(more, [])
    t.notMatch(first, 'does not parse')
    t.match(repair, /Task: repair[\s\S]*return a \+[\s\S]*Line \d+: The code does not parse: /)
    t.ok(
      outcome.tokensUsed > (await single.generate({ language: 'text' })).tokensUsed,
      'more than one call costs'
    )
  })

  t.test('returns no code that does not parse when the repair is no better, is empty or fails', async (t) => {
    for (const [what, options] of Object.entries<WorkerOptions>({
      'no better': { replies: [fenced(broken), fenced('let = =')] },
      empty: { replies: [fenced(broken), ''] },
      failed: { replies: [fenced(broken)], script: [{ kind: 'none' }, { kind: 'status', status: 500 }] },
      'cut off': {
        replies: [fenced(broken)],
        script: [{ kind: 'none' }, { kind: 'cut', how: 'rst', afterTokens: 3 }]
      }
    })) {
      const { generate, prompts } = await startWorker(t, shared, options)
      t.equal(await failureOf(generate({})), 'MODEL_OUTPUT_INVALID', what)
      t.equal(prompts().length, 2, what)
    }
  })

  t.test('cancels a repair and closes its connection when the time for the response is over', async (t) => {
    const { generate, peer } = await startWorker(t, shared, {
      replies: [fenced(broken)],
      script: [{ kind: 'none' }, { kind: 'frozen' }],
      answerMs: 300,
      client: { timeouts: { connectMs: 500, firstTokenMs: 60_000, idleMs: 60_000, totalMs: 60_000 } }
    })

    t.equal(await failureOf(generate({})), 'MODEL_OUTPUT_INVALID')
    await poll(() => peer.closedByClient.length === 1)
  })

  t.test('retries once, with another seed and temperature, when the response is unusable', async (t) => {
    const { generate, peer } = await startWorker(t, shared, {
      replies: ["I'm sorry, but I can't assist with that.", fenced(good)]
    })

    t.equal((await generate({})).content, good)
    const [first, second] = peer.requests
      .filter(({ path }) => path === '/api/chat')
      .map(({ body }) => (body as { options: { seed: number; temperature: number } }).options)
    t.match(first, { seed: 1, temperature: 0 })
    t.not(second?.seed, first?.seed)
    t.not(second?.temperature, first?.temperature)
  })

  t.test('requests no repair of code in a language without a parser', async (t) => {
    const { generate, prompts } = await startWorker(t, shared, {
      replies: ['```brainfuck\n+[-->-[>>+>-----<<]<--<---]>-.\n```']
    })

    t.equal((await generate({ language: 'brainfuck' })).content, '+[-->-[>>+>-----<<]<--<---]>-.')
    t.equal(prompts().length, 1)
  })

  t.test(
    'joins truncated output with its continuation, and reports when that was truncated too',
    async (t) => {
      const long = Array.from({ length: 40 }, (_, line) => `export const name${line} = ${line}`).join('\n')
      const head = `\`\`\`js\n${long}\nexport function add (a, b) {\n  return a +`
      const { generate } = await startWorker(t, shared, {
        replies: [head, ' b\n}\n```'],
        script: ({ messages }) =>
          messages.length === 2 ? { kind: 'length', afterTokens: piecesIn(head) } : undefined
      })
      t.match(await generate({}), {
        content: `${long}\nexport function add (a, b) {\n  return a + b\n}`,
        finish: 'stop'
      })

      const cut = await startWorker(t, shared, {
        replies: [fenced(long)],
        client: { defaultOutputTokens: 20 }
      })
      t.equal((await cut.generate({})).finish, 'length')
      t.equal(cut.prompts().length, 2, 'one continuation and no repair')
      t.match(cut.prompts()[1], /Go on with the very next character/)
    }
  )

  t.test('prefers the language of the fence to that of the request', async (t) => {
    const vue = '<script setup>\nconst a = 1\n</script>\n<template><b>{{ a }}</b></template>'
    const { generate, prompts } = await startWorker(t, shared, { replies: [fenced(vue, 'vue')] })

    t.equal((await generate({ type: 'component', language: 'javascript', framework: 'vue' })).content, vue)
    t.equal(prompts().length, 1)
  })

  t.test('fails with a code when the model writes nothing, after one retry', async (t) => {
    const { generate, prompts } = await startWorker(t, shared, { replies: ['  \n', '```js\n```', '\n'] })

    t.equal(await failureOf(generate({})), 'MODEL_OUTPUT_INVALID')
    t.equal(prompts().length, 2)
    t.equal(await failureOf(generate({ type: 'content' })), 'MODEL_OUTPUT_INVALID')
  })

  t.test('fails with a code when the model is down, missing, failing or returns nonsense', async (t) => {
    for (const [fault, code] of [
      [{ kind: 'wrong-model' }, 'MODEL_UNAVAILABLE'],
      [{ kind: 'status', status: 503 }, 'MODEL_UNAVAILABLE'],
      [{ kind: 'error-line' }, 'MODEL_UNAVAILABLE'],
      [{ kind: 'html' }, 'MODEL_OUTPUT_INVALID'],
      [{ kind: 'huge', bytes: 2_000_000 }, 'MODEL_OUTPUT_INVALID']
    ] as const) {
      const { generate } = await startWorker(t, shared, { script: () => fault })
      t.equal(await failureOf(generate({})), code, fault.kind)
    }
    const { generate, peer } = await startWorker(t, shared)
    await peer.close()
    t.equal(await failureOf(generate({})), 'MODEL_UNAVAILABLE')
  })

  t.test('refuses a request that cannot fit the context before the model is called', async (t) => {
    const { generate, prompts } = await startWorker(t, shared, { client: { contextCap: 6_000 } })

    t.equal(await failureOf(generate({ prompt: 'word '.repeat(6_000) })), 'INVALID_AI_REQUEST')
    t.strictSame(prompts(), [])
  })

  t.test('streams the text in order and in batches', async (t) => {
    const text = `${fenced(Array.from({ length: 60 }, (_, line) => `export const name${line} = ${line}`).join('\n'))}\n`
    const { generate } = await startWorker(t, shared, { replies: [text], pace: { perTokenMs: 1 } })
    const reports: InferenceProgress[] = []

    const outcome = await generate(
      { stream: true },
      {
        onProgress: (progress) => {
          reports.push(progress)
        }
      }
    )

    t.equal(reports.map((report) => report.text).join(''), text)
    reports.reduce((at, report) => {
      t.equal(report.at, at)
      return at + report.text.length
    }, 0)
    t.ok(reports.length > 2, `${reports.length} reports while it writes`)
    t.ok(reports.length < outcome.tokensUsed / 10, `${reports.length} reports, not one per token`)
    const counts = reports.map(({ tokensUsed }) => tokensUsed)
    t.strictSame(
      counts,
      [...counts].sort((a, b) => a - b)
    )
    t.equal(outcome.content, text.trim().split('\n').slice(1, -1).join('\n'))
  })

  t.test('restarts the text when a response broke off and is retried', async (t) => {
    const { generate } = await startWorker(t, shared, {
      replies: [fenced(good)],
      script: [{ kind: 'cut', how: 'fin', afterTokens: 8 }]
    })
    const reports: InferenceProgress[] = []

    const { content } = await generate(
      { stream: true },
      {
        onProgress: (progress) => {
          reports.push(progress)
        }
      }
    )

    t.equal(content, good)
    t.equal(reports.filter(({ at }) => at === 0).length, 2, 'each try begins at 0')
  })

  t.test('streams nothing of a refusal, but the next response instead', async (t) => {
    const { generate } = await startWorker(t, shared, {
      replies: ["I'm sorry, but I can't assist with that.", fenced(good)],
      pace: { perTokenMs: 1 }
    })
    const reports: InferenceProgress[] = []

    t.equal(
      (
        await generate(
          { stream: true },
          {
            onProgress: (progress) => {
              reports.push(progress)
            }
          }
        )
      ).content,
      good
    )
    t.equal(reports.map(({ text }) => text).join(''), fenced(good))
  })

  t.test('streams nothing of two refusals', async (t) => {
    const refusal = "I'm sorry, but I can't assist with that."
    const { generate } = await startWorker(t, shared, {
      replies: [refusal, refusal],
      pace: { perTokenMs: 1 }
    })
    const reports: InferenceProgress[] = []

    await t.rejects(
      generate(
        { stream: true },
        {
          onProgress: (progress) => {
            reports.push(progress)
          }
        }
      )
    )
    t.equal(reports.map(({ text }) => text).join(''), '')
  })

  t.test('streams text that only began like a refusal', async (t) => {
    const text = "I'm sorry that it rained."
    const { generate } = await startWorker(t, shared, { replies: [text], pace: { perTokenMs: 1 } })
    const reports: InferenceProgress[] = []

    t.equal(
      (
        await generate(
          { type: 'content', stream: true },
          {
            onProgress: (progress) => {
              reports.push(progress)
            }
          }
        )
      ).content,
      text
    )
    t.equal(reports.map(({ text: piece }) => piece).join(''), text)
  })

  t.test('reports its cost, but no text, when the client does not stream', async (t) => {
    const { generate } = await startWorker(t, shared, { replies: [fenced(good)], pace: { perTokenMs: 2 } })
    const reports: InferenceProgress[] = []

    await generate(
      {},
      {
        onProgress: (progress) => {
          reports.push(progress)
        }
      }
    )

    t.match(reports, [{ text: '', at: 0, tokensUsed: Number }])
  })
})
