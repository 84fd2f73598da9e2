import t from 'tap'
import { Type } from '@filewright/schema'
import { isAppError, loadConfig } from '@filewright/runtime'
import { defineQueue, redisConfig, scanFile } from '../src/index.js'

const payload = {
  v: 1 as const,
  fileId: 'f1',
  blobKey: 'blobs/f1',
  sizeBytes: 3,
  sha256: 'a'.repeat(64),
  requestId: 'r1'
}

t.test('a payload that matches its contract is returned unchanged', async (t) => {
  t.strictSame(scanFile.parsePayload(payload), payload)
})

t.test('a payload that violates its contract is a typed error that does not quote the value', async (t) => {
  try {
    scanFile.parsePayload({ ...payload, sha256: 'secret-value' })
    t.fail('accepted')
  } catch (error) {
    t.ok(isAppError(error, 'JOB_FAILED'))
    t.match((error as Error).message, /payload of queue scan .*\/sha256/)
    t.notMatch((error as Error).message, /secret-value/)
  }
})

t.test('a result with an undefined verdict is refused', async (t) => {
  const scanned = { fileId: 'a', sizeBytes: 1, sha256: 'a'.repeat(64) }
  const result = { verdict: 'infected', signature: 'Eicar', engine: 'clamd', ...scanned }
  t.strictSame(scanFile.parseResult(result), result)
  t.throws(() => scanFile.parseResult({ ...result, verdict: 'fine' }), { code: 'JOB_FAILED' })
  t.throws(
    () => scanFile.parseResult({ verdict: 'clean', engine: 'clamd' }),
    { code: 'JOB_FAILED' },
    'a verdict on nothing'
  )
  t.throws(() => scanFile.parseResult(null), { code: 'JOB_FAILED' })
})

t.test('progress is refused by a queue that defines none', async (t) => {
  t.throws(() => scanFile.parseProgress({ percent: 1 }), { code: 'JOB_FAILED' })
})

t.test('one file maps to one job', async (t) => {
  t.equal(scanFile.jobId(payload), 'scan-f1')
  t.equal(scanFile.jobId({ ...payload, round: 'r2' }), 'scan-f1-r2')
  t.strictSame(scanFile.jobOptions, {
    attempts: 5,
    backoff: { type: 'exponential', delay: 500 },
    keepFinished: { age: 60, count: 5_000 },
    maxEvents: 10_000
  })
})

t.test('names and ids that would break the keys in Redis are refused', async (t) => {
  const spec = { payload: Type.String(), result: Type.String(), jobOptions: { attempts: 1 } }
  t.throws(() => defineQueue({ ...spec, name: 'a:b', jobId: () => 'x' }), /not a valid queue name/)
  t.throws(() => defineQueue({ ...spec, name: '', jobId: () => 'x' }), /not a valid queue name/)
  const queue = defineQueue<string>({ ...spec, name: 'a', jobId: (text) => text })
  for (const id of ['', '0', 'a:b']) t.throws(() => queue.jobId(id), /not a valid job id/)
  t.equal(queue.jobId('fine'), 'fine')
})

t.test('finished jobs are kept for a minute by default', async (t) => {
  const queue = defineQueue({
    name: 'q',
    payload: Type.String(),
    result: Type.String(),
    jobOptions: { attempts: 1 },
    jobId: () => 'x'
  })
  t.strictSame(queue.jobOptions, { attempts: 1, keepFinished: { age: 60, count: 1_000 }, maxEvents: 10_000 })
})

t.test('configuration has a default prefix and refuses an address that is not a Redis URL', async (t) => {
  const schema = Type.Object(redisConfig)
  t.strictSame(loadConfig(schema, { REDIS_URL: 'redis://localhost:6379' }), {
    REDIS_URL: 'redis://localhost:6379',
    QUEUE_PREFIX: 'fw'
  })
  t.throws(() => loadConfig(schema, { REDIS_URL: 'http://localhost' }), { code: 'CONFIG_INVALID' })
  t.throws(() => loadConfig(schema, { REDIS_URL: 'redis://localhost', QUEUE_PREFIX: 'a:b' }), {
    code: 'CONFIG_INVALID'
  })
})
