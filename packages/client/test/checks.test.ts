import t from 'tap'
import { fieldPatterns } from '@filewright/contracts'
import { ServiceError } from '../src/index.js'
import { fileName, folderName, folderPath, projectId, type Check } from '../src/checks.js'
import { json, scripted, storedFile } from './server.js'

const accepts = (check: Check, value: unknown): boolean => {
  try {
    check(value, 'it')
    return true
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}

const SAMPLES = [
  'a',
  'a b',
  '.hidden',
  '..hidden',
  '...',
  'a.',
  'ü.txt',
  'שלום.txt',
  '日本.md',
  '👩‍👩‍👧.png',
  'a/b',
  'a//b',
  '/a',
  'a/',
  '.',
  '..',
  './a',
  'a/.',
  'a/..',
  'a/../b',
  'a\\b',
  'a\nb',
  'a\u0000',
  'a\u001b[2J',
  'a\u007f',
  'a\u009b31m',
  'a\u202eb',
  'a\u2066b',
  'a\ud800',
  'a\ufffd',
  'a\u200eb',
  'a\u2028b'
]

t.test('folders and projects may have every name that the service allows', async (t) => {
  const folder = new RegExp(fieldPatterns.folder, 'u')
  const project = new RegExp(fieldPatterns.projectId, 'u')
  const isNormal = (sample: string): boolean => !sample.startsWith('/') && !sample.endsWith('/')
  const isOneName = (sample: string): boolean => folder.test(sample) && !sample.includes('/')
  for (const [check, isAllowed] of [
    [folderPath, (sample: string) => isNormal(sample) && folder.test(sample)],
    [projectId, (sample: string) => project.test(sample)],
    [fileName, isOneName],
    [folderName, isOneName]
  ] as const) {
    t.strictSame(
      SAMPLES.filter((sample) => accepts(check, sample)),
      SAMPLES.filter(isAllowed)
    )
  }
  t.ok(accepts(folderPath, ''), 'the root')
  t.notOk(accepts(fileName, ''))
  t.ok(accepts(fileName, 'ü'.repeat(127)))
  t.notOk(accepts(fileName, 'ü'.repeat(128)), 'as long as a file system takes it')
})

t.test('one wrong field fails the whole response, and is named without its value', async (t) => {
  for (const [field, value] of Object.entries({
    id: '../x',
    name: '../x',
    size: -1,
    created_at: 'yesterday',
    folder: '../x',
    description: 1,
    sha256: '/../../x',
    scanner: '\u001b[2J',
    type: '\u009b'
  })) {
    const { client, seen } = await scripted(t, [
      json(200, {
        files: [storedFile, { ...storedFile, [field]: value }],
        pagination: { page: 1, limit: 1, total: 1 }
      })
    ])
    const error = await client.files.list({ projectId: 'p' }).catch((error: unknown) => error)
    t.ok(error instanceof ServiceError)
    t.match(error, {
      code: 'bad-answer',
      message: `The service sent an invalid answer: files[1].${field} must`
    })
    t.equal(seen.length, 1, 'and is not asked for again')
  }
})

t.test('unknown keys of a later service are allowed', async (t) => {
  const { client } = await scripted(t, [json(200, { file: { ...storedFile, later: true } })])
  t.match(await client.files.get('x'), { later: true })
})

t.test('a body that is not JSON, or another kind of JSON, is an invalid response', async (t) => {
  for (const body of ['', '<html>', 'null', '[]', '"x"', '{"projects":{}}']) {
    const { client } = await scripted(t, [(response) => response.end(body)])
    await t.rejects(client.projects(), { code: 'bad-answer' }, body)
  }
})

t.test('a redirect is refused, and its target gets no request', async (t) => {
  const target = await scripted(t, [json(200, { projects: [] })])
  for (const status of [301, 302, 303, 307, 308]) {
    for (const own of [undefined, fetch]) {
      const { client } = await scripted(
        t,
        [json(status, {}, { location: `http://127.0.0.1:${target.port}/api/projects` })],
        own === undefined ? {} : { fetch: own }
      )
      const wanted = { code: 'redirected', status }
      await t.rejects(client.projects(), wanted)
      await t.rejects(client.files.download('x'), wanted)
      await t.rejects(client.files.upload(new Blob(['x']), { projectId: 'p', name: 'x' }), wanted)
      await t.rejects(client.ai.analyze({ code: 'x', language: 'js' }), wanted)
    }
  }
  t.strictSame(target.seen, [])
})
