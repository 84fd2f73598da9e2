import t, { type Test } from 'tap'
import type { Placement } from '@filewright/blob-store'
import { createId, hashToken } from '@filewright/runtime'
import { poll, type MultipartPart } from '@filewright/testing'
import { startTestGateway, type InjectResponse, type TestGateway } from '../../helpers/test-gateway.js'

const formOf = (
  project: string,
  content: string | Buffer = 'hello\n',
  { projectFirst = true } = {}
): MultipartPart[] => {
  const file = { name: 'file', filename: 'notes.txt', content }
  const field = { name: 'project_id', value: project }
  return projectFirst ? [field, file] : [file, field]
}

function tally(answers: InjectResponse[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { statusCode, body } of answers) {
    const key = statusCode === 201 ? '201' : `${statusCode} ${body}`
    counts[key] = (counts[key] ?? 0) + 1
  }
  return counts
}

async function assertNothingLeft(
  t: Test,
  gateway: TestGateway,
  project: string,
  count: number
): Promise<void> {
  const { files } = (await gateway.get(`/api/files?project_id=${project}&limit=100`)).json()
  t.equal(files.length, count)
  t.strictSame((await gateway.filesOnDisk()).length, count, 'no blob of a refused upload')
}

for (const projectFirst of [true, false]) {
  t.test(
    `ten of fifty concurrent uploads fit, forty are refused and leave nothing; project ${projectFirst ? 'before' : 'after'} the file`,
    async (t) => {
      const gateway = await startTestGateway(t, { quotas: { project: { maxFiles: 10 } } })
      const project = createId()
      // No upload is published before all were admitted: only publishing decides.
      let waiting = 0
      let open = (): void => {}
      const all = new Promise<void>((resolve) => {
        open = resolve
      })
      gateway.onScan(async () => {
        if (++waiting === 50) open()
        await all
        return { verdict: 'clean', engine: 'test/1' }
      })

      const answers = await Promise.all(
        Array.from(
          { length: 50 },
          async (_, i) =>
            await gateway.upload(
              formOf(project, `file ${i}\n`, { projectFirst }),
              undefined,
              i % 5 === 0 ? { 'idempotency-key': createId() } : {}
            )
        )
      )

      t.strictSame(tally(answers), {
        201: 10,
        '403 {"error":"The project has reached its limit of 10 files"}': 40
      })
      await assertNothingLeft(t, gateway, project, 10)
    }
  )
}

t.test(
  'a used-up quota refuses uploads before any byte is stored or scanned, until a file is permanently deleted',
  async (t) => {
    const gateway = await startTestGateway(t, { quotas: { project: { maxFiles: 1 } } })
    const project = createId()
    const { id } = (await gateway.upload(formOf(project))).json().file

    const refused = await gateway.upload(formOf(project))

    t.match(refused, { statusCode: 403 })
    t.strictSame(refused.json(), { error: 'The project has reached its limit of 1 file' })
    t.equal(gateway.scanned.length, 1)
    t.equal(
      (await gateway.upload(formOf('another'))).statusCode,
      201,
      'other projects have quotas of their own'
    )
    const headers = { authorization: `Bearer ${await gateway.token('*')}` }
    for (const url of [`/api/files/${id}`, `/api/trash/${id}`]) {
      t.equal((await gateway.upload(formOf(project))).statusCode, 403)
      t.equal((await gateway.app.inject({ method: 'DELETE', url, headers })).statusCode, 200)
    }
    t.equal((await gateway.upload(formOf(project))).statusCode, 201)
  }
)

t.test('bytes count: a file that does not fit is refused, a smaller one still fits', async (t) => {
  const gateway = await startTestGateway(t, { quotas: { project: { maxBytes: 100 } } })
  const project = createId()
  t.equal((await gateway.upload(formOf(project, 'a'.repeat(60)))).statusCode, 201)

  for (const projectFirst of [true, false]) {
    const refused = await gateway.upload(formOf(project, 'a'.repeat(41), { projectFirst }))
    t.match(refused, {
      statusCode: 403,
      body: '{"error":"The file does not fit into the project\'s limit of 100 bytes"}'
    })
  }
  t.equal(gateway.scanned.length, 1, 'refused before the scan')
  t.equal((await gateway.upload(formOf(project, 'a'.repeat(40)))).statusCode, 201)
  t.match(await gateway.upload(formOf(project, '')), {
    statusCode: 403,
    body: '{"error":"The project has reached its limit of 100 bytes"}'
  })
  await assertNothingLeft(t, gateway, project, 2)
})

t.test("a token's quota covers all its projects and is checked before the form is read", async (t) => {
  const gateway = await startTestGateway(t, { quotas: { token: { maxFiles: 2 } } })
  const [small, large] = [await gateway.token('*'), `secret-${createId()}`]
  const quota = { maxFiles: 3, maxBytes: null }
  await gateway.database.tokens.create({
    id: createId(),
    name: 'large',
    hash: hashToken(large),
    projects: ['*'],
    quota
  })

  for (const [token, most] of [
    [small, 2],
    [large, 3]
  ] as const) {
    const answers: InjectResponse[] = []
    for (let i = 0; i <= most; i++) answers.push(await gateway.upload(formOf(createId()), token))
    t.strictSame(tally(answers), {
      201: most,
      [`403 {"error":"The token has reached its limit of ${most} files"}`]: 1
    })
  }
  const formless = await gateway.upload([], small)
  t.equal(formless.statusCode, 403)
})

t.test('a retry with the key of a stored file gets its response although the quota is used up', async (t) => {
  const gateway = await startTestGateway(t, { quotas: { project: { maxFiles: 1 } } })
  const [project, key] = [createId(), createId()]
  const first = await gateway.upload(formOf(project), undefined, { 'idempotency-key': key })

  const again = await gateway.upload(formOf(project), undefined, { 'idempotency-key': key })

  t.equal(again.statusCode, 201)
  t.strictSame(again.json(), first.json())
  const refused = createId()
  t.equal((await gateway.upload(formOf(project), undefined, { 'idempotency-key': refused })).statusCode, 403)
  await gateway.database.files.markDeleting(first.json().file.id)
  t.equal(
    (await gateway.upload(formOf(project), undefined, { 'idempotency-key': refused })).statusCode,
    201,
    'a refusal frees its key'
  )
})

t.test("a project's own quota overrides the default within a second of its change", async (t) => {
  const gateway = await startTestGateway(t, { quotas: { project: { maxFiles: 1 } } })
  const project = createId()
  await gateway.database.quotas.setProject(project, { maxFiles: 0 })

  t.equal((await gateway.upload(formOf(project))).statusCode, 201)
  t.equal((await gateway.upload(formOf(project))).statusCode, 201, '0 is no limit')
  await gateway.database.quotas.setProject(project, { maxFiles: 2 })
  await poll(
    async () => {
      const { statusCode, json } = await gateway.upload(formOf(project))
      if (statusCode === 201) await gateway.database.files.markDeleting(json().file.id)
      return statusCode === 403
    },
    { what: 'the new quota', timeoutMs: 30_000 }
  )
})

t.test("the bucket learns a file's project and class, if the project comes before the file", async (t) => {
  const placements: Array<Placement | undefined> = []
  const gateway = await startTestGateway(t, {
    wrapBlobs: (blobs) => ({
      ...blobs,
      write: async (key, source, options) => {
        placements.push(options?.placement)
        return await blobs.write(key, source, options)
      }
    })
  })
  const project = createId()
  await gateway.database.projects.setStorageClass(project, 'cool')

  const { id } = (await gateway.upload(formOf(project))).json().file
  t.strictSame(placements.pop(), { fileId: id, projectId: project, storageClass: 'cool' })
  t.equal((await gateway.upload(formOf(project, 'text', { projectFirst: false }))).statusCode, 201)
  t.match(placements.pop(), { projectId: undefined, storageClass: undefined })
  await gateway.store()
  t.match(placements.pop(), { projectId: 'acme', storageClass: undefined })
})
