import t from 'tap'
import { freePort } from '@filewright/testing'
import { failureOf, never, rawServer, request } from '../ollama/setup.js'
import { openAiClientFor, setup } from './setup.js'

const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const delta = (content: string, reason: string | null = null): string =>
  event({ choices: [{ index: 0, delta: { content }, finish_reason: reason }] })

t.test('every request streams and sets output limit, seed, temperature and the schema', async (t) => {
  const { client, peer } = await setup(t, {}, { apiKey: 'secret', defaultOutputTokens: 100 })
  const format = { type: 'object' }

  await client.chat(request, { signal: never })
  await client.chat({ ...request, format, maxOutputTokens: 3, temperature: 0.5, seed: 9 }, { signal: never })

  t.match(peer.requests[0], {
    path: '/v1/chat/completions',
    body: {
      model: 'small:1b',
      stream: true,
      max_tokens: 100,
      temperature: 0,
      seed: 1,
      stream_options: { include_usage: true }
    }
  })
  t.notOk('response_format' in (peer.requests[0]?.body as object))
  t.match(peer.requests[1]?.body, {
    max_tokens: 3,
    temperature: 0.5,
    seed: 9,
    response_format: { type: 'json_schema', json_schema: { schema: format } }
  })
})

t.test('fields that a server rejects are omitted from then on', async (t) => {
  const bodies: Array<Record<string, unknown>> = []
  const url = await rawServer(t, (response, body) => {
    const asked = JSON.parse(body) as Record<string, unknown>
    bodies.push(asked)
    const unknown = ['response_format', 'stream_options', 'max_tokens'].find((field) => field in asked)
    if (unknown !== undefined) {
      response.writeHead(400, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          error: { message: `Unsupported parameter: '${unknown}'`, type: 'invalid_request_error' }
        })
      )
      return
    }
    response
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(`${delta('{}', 'stop')}data: [DONE]\n\n`)
  })
  const client = openAiClientFor(url)
  t.teardown(client.close)

  t.equal((await client.chat({ ...request, format: { type: 'object' } }, { signal: never })).text, '{}')
  t.equal(bodies.length, 4)
  t.match(bodies.at(-1), { max_completion_tokens: 4_096 })
  await client.chat(request, { signal: never })
  t.equal(bodies.length, 5, 'and it is not asked again')
})

t.test(
  'reads a response in one chunk, one without an end marker, and one with comments and reasoning',
  async (t) => {
    const usage = { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 }
    const answers: Array<[type: string, body: string]> = [
      [
        'application/json',
        JSON.stringify({
          choices: [{ index: 0, message: { role: 'assistant', content: 'ab' }, finish_reason: 'stop' }],
          usage
        })
      ],
      ['text/event-stream', `${delta('a')}${delta('b', 'stop')}${event({ choices: [], usage })}`],
      [
        'text/event-stream',
        `: keep-alive\n\nevent: message\n${event({ choices: [{ delta: { reasoning_content: 'hm' } }] })}${delta('a')}${delta('b')}${event({ choices: [{ delta: {}, finish_reason: 'stop' }], usage })}data: [DONE]\n\n`
      ]
    ]
    for (const [type, body] of answers) {
      const client = openAiClientFor(
        await rawServer(t, (response) => {
          response.writeHead(200, { 'content-type': type }).end(body)
        })
      )
      t.teardown(client.close)
      t.match(
        await client.chat(request, { signal: never }),
        { text: 'ab', finish: 'stop', promptTokens: 7, outputTokens: 2 },
        body
      )
    }
  }
)

t.test('a probe reports missing models, and accepts a server without a model list', async (t) => {
  const { client } = await setup(
    t,
    { models: ['small:1b'] },
    {
      models: {
        'alpha-4o-mini': { model: 'small:1b' },
        'alpha-4o': { model: 'big' },
        'beta-3': { model: 'big' },
        gamma: { model: 'small:1b' }
      }
    }
  )
  t.strictSame((await client.probe()).missing, ['big'])

  const bare = openAiClientFor(
    await rawServer(t, (response) => {
      response.writeHead(404).end()
    })
  )
  const other = openAiClientFor(
    await rawServer(t, (response) => {
      response.end('<html>')
    })
  )
  const gone = openAiClientFor(`127.0.0.1:${await freePort()}/v1`)
  for (const each of [bare, other, gone]) t.teardown(each.close)
  t.strictSame((await bare.probe()).missing, [])
  t.equal((await failureOf(other.probe())).reason, 'protocol')
  t.equal((await failureOf(gone.probe())).reason, 'down')
})

t.test(
  'errors never contain the key, and an invalid address is refused when the client is created',
  async (t) => {
    const url = await rawServer(t, (response) => {
      response
        .writeHead(401, { 'content-type': 'application/json' })
        .end('{"error":{"message":"Incorrect API key provided: sk-secret"}}')
    })
    const client = openAiClientFor(url, { apiKey: 'sk-secret' })
    t.teardown(client.close)

    const error = await failureOf(client.chat(request, { signal: never }))

    t.match(error, { reason: 'refused', message: /answered 401$/ })
    t.throws(() => openAiClientFor('http://:99999:x/'), { code: 'CONFIG_INVALID' })
  }
)
