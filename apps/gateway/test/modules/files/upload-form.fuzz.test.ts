import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import fc from 'fast-check'
import { fastify } from 'fastify'
import t from 'tap'
import { AppError } from '@filewright/runtime'
import { fuzzParameters, multipartBody, type MultipartPart } from '@filewright/testing'
import { createByteMeter } from '../../../src/modules/files/byte-meter.js'
import { listenToSkippedParts } from '../../../src/modules/files/busboy-patch.js'
import { readForm } from '../../../src/modules/files/upload-form.js'
import { readParts } from '../../../src/modules/files/upload-parts.js'

const anybody = {
  tokenId: 'a',
  tokenName: 'ci',
  isOperator: false,
  expiresAt: null,
  projects: '*' as const,
  quota: { maxFiles: null, maxBytes: null }
}

/** Far above what 400 concurrent forms take on a busy machine: only a form that hangs reaches it. */
const idleTimeoutMs = 30_000
const app = fastify()
listenToSkippedParts()
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', (_request, _payload, done) => done(null))
await app.register(multipart, { throwFileSizeLimit: false })
app.setErrorHandler((error, _request, reply) => {
  const foreseen = error instanceof AppError
  return reply.code(foreseen ? 400 : 500).send({ code: foreseen ? error.code : String(error) })
})
/** The whole path of a form into the service, except for the store. */
app.post('/', async (request, reply) => {
  const { details, received } = await readParts(
    anybody,
    readForm(request, reply, { idleTimeoutMs }),
    async (name, body) => {
      const meter = createByteMeter(body, { maxBytes: 1_000_000, idleTimeoutMs })
      const bytes = meter.bytes[Symbol.asyncIterator]()
      while ((await bytes.next()).done !== true);
      return { name, ...meter.result() }
    }
  )
  return { ...details, ...received }
})
t.teardown(async () => await app.close())

async function send(
  body: Buffer,
  contentType: string,
  chunkBytes = body.length
): Promise<{ status: number; answer: any }> {
  const pieces = Array.from({ length: Math.ceil(body.length / Math.max(1, chunkBytes)) }, (_, i) =>
    body.subarray(i * chunkBytes, (i + 1) * chunkBytes)
  )
  const { statusCode, body: text } = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': contentType },
    payload: Readable.from(pieces)
  })
  return { status: statusCode, answer: JSON.parse(text) }
}

t.test(
  'a form is either read or refused as a bad upload or a bad field, whatever is wrong with its bytes',
  async (t) => {
    const boundary = 'b'
    const seeds = [
      multipartBody(
        [
          { name: 'project_id', value: 'acme' },
          { name: 'file', filename: 'a.txt', content: 'hello' }
        ],
        boundary
      ).body,
      multipartBody(
        [
          { name: 'file', filename: 'é.txt', content: '\r\n--b\r\n' },
          { name: 'folder', value: 'a/b' },
          { name: 'project_id', value: 'acme' }
        ],
        boundary
      ).body,
      multipartBody(
        [
          { name: 'project_id', value: '{"a":1}', contentType: 'application/json' },
          { name: 'file', filename: 'a', content: 'x'.repeat(50) }
        ],
        boundary
      ).body,
      Buffer.from(
        '--b\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx\r\n--b\r\nContent-Disposition: form-data; name=file; filename*=utf-8\'\'a%00b\r\n\r\nx\r\n--b--'
      )
    ]
    const inserts = [
      '\r\n--b\r\n',
      '--b--',
      '\r\n\r\n',
      '"',
      '\0',
      'Content-Disposition: form-data; name="file"; filename="b"\r\n',
      'Content-Type: application/json\r\n',
      ';'.repeat(300),
      'a: b\r\n'.repeat(60)
    ]
    const piece = fc.oneof(
      fc.constantFrom(...inserts).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 9 }).map((array) => Buffer.from(array))
    )
    const edit = fc.oneof(
      fc.record({ at: fc.nat(), insert: piece }),
      fc.record({ at: fc.nat(), remove: fc.nat(60) }),
      fc.record({ at: fc.nat(), byte: fc.nat(255) })
    )
    const contentTypes = fc.oneof(
      { weight: 6, arbitrary: fc.constant('multipart/form-data; boundary=b') },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          'multipart/form-data',
          'multipart/form-data; boundary=',
          `multipart/form-data; boundary=${'b'.repeat(80)}`,
          'multipart/mixed; boundary=b',
          'multipart/form-data; boundary="b"; boundary=c',
          'MULTIPART/FORM-DATA;BOUNDARY=b'
        )
      }
    )
    const form = fc.record({
      seed: fc.constantFrom(...seeds),
      edits: fc.array(edit, { maxLength: 5 }),
      cut: fc.option(fc.nat(), { freq: 3 }),
      contentType: contentTypes,
      chunkBytes: fc.integer({ min: 1, max: 400 })
    })
    const seen = new Map<string, number>()

    // In parallel, because each form that ends too early takes a second.
    await fc.assert(
      fc.asyncProperty(fc.array(form, { minLength: 400, maxLength: 400, size: 'max' }), async (forms) => {
        await Promise.all(
          forms.map(async ({ seed, edits, cut, contentType, chunkBytes }) => {
            let body = seed
            for (const change of edits) {
              const at = change.at % (body.length + 1)
              if ('insert' in change) {
                body = Buffer.concat([body.subarray(0, at), change.insert, body.subarray(at)])
              } else if ('remove' in change) {
                body = Buffer.concat([body.subarray(0, at), body.subarray(at + change.remove)])
              } else {
                body = Buffer.concat([
                  body.subarray(0, at),
                  Buffer.from([change.byte]),
                  body.subarray(at + 1)
                ])
              }
            }
            const { status, answer } = await send(
              cut === null ? body : body.subarray(0, cut % (body.length + 1)),
              contentType,
              chunkBytes
            )
            const outcome = status === 200 ? 'read' : (answer.code ?? JSON.stringify(answer))
            seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
            if (!['read', 'INVALID_UPLOAD', 'INVALID_FIELD'].includes(outcome)) {
              throw new Error(`${outcome} for ${JSON.stringify(body.toString('latin1'))} as ${contentType}`)
            }
          })
        )
      }),
      { ...fuzzParameters(t, 3), endOnFailure: true }
    )
    t.ok([...seen.values()].every((count) => count > 10) && seen.size === 3, JSON.stringify([...seen]))
  }
)

t.test(
  'a form that ends in the middle of a part after the last allowed one is refused like any other',
  async (t) => {
    const field = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'
    const unnamed = '--b\r\nX: y\r\n\r\nx\r\n'
    for (const part of [field, unnamed]) {
      for (const parts of [49, 50, 51, 59, 60, 61, 62, 100]) {
        for (const end of ['--b\r\nX: y\r\n\r\nnot the end', '--b\r\nX: y\r\n', '--b', '']) {
          const { status, answer } = await send(
            Buffer.from(part.repeat(parts) + end),
            'multipart/form-data; boundary=b'
          )
          t.strictSame(
            [status, answer],
            [400, { code: 'INVALID_UPLOAD' }],
            `${parts} parts and ${JSON.stringify(end)}`
          )
        }
      }
    }
  }
)

t.test('a valid form is read unchanged, in any chunks and with any file content', async (t) => {
  const content = fc
    .oneof(
      fc.uint8Array({ maxLength: 3_000 }).map((array) => Buffer.from(array)),
      fc
        .array(fc.constantFrom('\r', '\n', '\r\n', '-', '--', '--bound', 'ary', '\r\n--bound', '\0'), {
          maxLength: 200
        })
        .map((parts) => Buffer.from(parts.join('')))
    )
    .filter((bytes) => !Buffer.concat([Buffer.from('\r\n'), bytes]).includes('\r\n--boundary'))
  const word = fc.stringMatching(/^[A-Za-z0-9 _é€😀.-]{1,40}$/u).filter((text) => !['.', '..'].includes(text))
  const form = fc.record({
    content,
    name: word,
    project: word,
    folder: word,
    order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
    chunkBytes: fc.integer({ min: 1, max: 300 })
  })

  await fc.assert(
    fc.asyncProperty(form, async ({ content, name, project, folder, order, chunkBytes }) => {
      const parts: MultipartPart[] = [
        { name: 'file', filename: name, content },
        { name: 'project_id', value: project },
        { name: 'folder', value: folder }
      ]
      const { body, contentType } = multipartBody(
        order.map((i) => parts[i] as MultipartPart),
        'boundary'
      )
      const { status, answer } = await send(body, contentType, chunkBytes)

      const expected = {
        projectId: project,
        folder,
        description: null,
        name,
        sizeBytes: content.length,
        sha256: createHash('sha256').update(content).digest('hex')
      }
      if (status !== 200 || JSON.stringify(answer) !== JSON.stringify(expected)) {
        throw new Error(`${status} ${JSON.stringify(answer)}`)
      }
    }),
    fuzzParameters(t, 500)
  )
  t.pass('all came through')
})
