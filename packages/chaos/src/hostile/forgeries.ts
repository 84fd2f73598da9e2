import { randomBytes } from 'node:crypto'
import type { Redis } from 'ioredis'

/** A file's data in the service. */
export interface StoredFile {
  fileId: string
  blobKey: string
  sizeBytes: number
  sha256: string
}

/** The forger's material: a scan job of the infected file, and the data of a clean one. */
export interface Scene {
  redis: Redis
  prefix: string
  infected: StoredFile
  clean: StoredFile
}

export interface Forgery {
  name: string
  /** `waiting`: after the service has added its job. `early`: before that. */
  when: 'waiting' | 'early'
  /** Resolves with true if there was something to forge. */
  forge: (scene: Scene) => Promise<boolean>
}

const FIELDS = ['fileId', 'blobKey', 'sizeBytes', 'sha256'] as const
const ENGINE = 'ClamAV 1.4.3/forged'

const queueKey = ({ prefix }: Scene, name: string): string => `${prefix}:scan:${name}`
const jobId = ({ infected }: Scene): string => `scan-${infected.fileId}`
const jobKey = (scene: Scene): string => queueKey(scene, jobId(scene))

/** Every non-empty selection of the fields. */
function selections(): Array<Array<(typeof FIELDS)[number]>> {
  return Array.from({ length: 2 ** FIELDS.length - 1 }, (_, bits) =>
    FIELDS.filter((_field, place) => (((bits + 1) >> place) & 1) === 1)
  )
}

/** Changes the job of the infected file to ask about the clean one. */
const pointedElsewhere = selections().map(
  (fields): Forgery => ({
    name: `a waiting job with the clean file's ${fields.join(', ')}`,
    when: 'waiting',
    forge: async (scene) => {
      const data = await scene.redis.hget(jobKey(scene), 'data')
      if (data === null) return false
      const changed = {
        ...(JSON.parse(data) as object),
        ...Object.fromEntries(fields.map((field) => [field, scene.clean[field]]))
      }
      await scene.redis.hset(jobKey(scene), 'data', JSON.stringify(changed))
      return true
    }
  })
)

const aboutFile = ({ fileId, sizeBytes, sha256 }: StoredFile): object => ({
  verdict: 'clean',
  engine: ENGINE,
  fileId,
  sizeBytes,
  sha256
})

/** The seal of a real verdict, which the worker gave on the clean file a moment ago. */
async function sealOfClean(scene: Scene): Promise<string> {
  const stored = await scene.redis.hget(queueKey(scene, `scan-${scene.clean.fileId}`), 'returnvalue')
  const { seal } = JSON.parse(stored ?? '{}') as { seal?: string }
  if (seal === undefined) throw new Error('the verdict on the clean file has no seal to copy')
  return seal
}

/** Results that a forger may store. */
const RESULTS: Record<string, (scene: Scene) => object | Promise<object>> = {
  'that names no file': () => ({ verdict: 'clean', engine: ENGINE }),
  'that names the clean file': ({ clean }) => aboutFile(clean),
  'that names the right file, without a seal': ({ infected }) => aboutFile(infected),
  'that names the right file, with a seal made up': ({ infected }) => ({
    ...aboutFile(infected),
    seal: randomBytes(32).toString('hex')
  }),
  'that names the right file, with the seal of the clean one': async (scene) => ({
    ...aboutFile(scene.infected),
    seal: await sealOfClean(scene)
  })
}

const finished = (result: object): Record<string, string | number> => ({
  returnvalue: JSON.stringify(result),
  finishedOn: Date.now(),
  processedOn: Date.now()
})

/** The format in which BullMQ stores a job. */
const jobHash = (data: object): Record<string, string | number> => ({
  name: 'scan',
  data: JSON.stringify(data),
  opts: '{"attempts":1}',
  timestamp: Date.now(),
  delay: 0,
  priority: 0
})

const withForgedResults = Object.entries(RESULTS).flatMap(([what, resultOf]): Forgery[] => [
  {
    name: `a stored result ${what}`,
    when: 'waiting',
    forge: async (scene) => {
      if ((await scene.redis.exists(jobKey(scene))) === 0) return false
      await scene.redis.hset(jobKey(scene), finished(await resultOf(scene)))
      return true
    }
  },
  {
    name: `an event with a result ${what}`,
    when: 'waiting',
    forge: async (scene) => {
      const result = JSON.stringify(await resultOf(scene))
      await scene.redis.xadd(
        queueKey(scene, 'events'),
        '*',
        'event',
        'completed',
        'jobId',
        jobId(scene),
        'returnvalue',
        result,
        'prev',
        'active'
      )
      return true
    }
  },
  {
    name: `a finished job added first, with a result ${what}`,
    when: 'early',
    forge: async (scene) => {
      await scene.redis.hset(jobKey(scene), {
        ...jobHash({ v: 1, requestId: 'forged', ...scene.infected }),
        ...finished(await resultOf(scene))
      })
      await scene.redis.zadd(queueKey(scene, 'completed'), Date.now(), jobId(scene))
      return true
    }
  }
])

const addedFirst: Forgery = {
  name: 'a job about the clean file added first, under the id of the other',
  when: 'early',
  forge: async (scene) => {
    await scene.redis.hset(
      jobKey(scene),
      jobHash({ v: 1, requestId: 'forged', ...scene.clean, fileId: scene.infected.fileId })
    )
    await scene.redis.lpush(queueKey(scene, 'wait'), jobId(scene))
    await scene.redis.zadd(queueKey(scene, 'marker'), 0, '0')
    return true
  }
}

export const forgeries: readonly Forgery[] = [...pointedElsewhere, ...withForgedResults, addedFirst]
