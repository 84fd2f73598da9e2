import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { Filewright } from '@filewright/client'
import { startStack } from '@filewright/testing'
import { sha256, uniqueText } from '../../src/index.js'

t.setTimeout(300_000)

const stack = await startStack(t)
// For as long as the dead gateway's lease on the key, and its successor's start.
const client = new Filewright({ baseUrl: stack.baseUrl, token: stack.token, retries: 20 })

t.test(
  'a gateway killed in the middle of a 50 MB upload costs only time: exactly one file is stored',
  async (t) => {
    const path = join(t.testdir({}), 'large.txt')
    await writeFile(path, uniqueText(52_428_800))
    const victim = stack.pid('gateway')!
    const progress: number[] = []
    let isKilled = false

    const { id } = await client.files.upload(path, {
      projectId: 'killed',
      onProgress: ({ bytes }) => {
        progress.push(bytes)
        if (isKilled || bytes < 20_000_000) return
        isKilled = true
        process.kill(victim, 'SIGKILL')
      }
    })

    t.not(stack.pid('gateway'), victim, 'it really was replaced')
    t.equal((await client.files.list({ projectId: 'killed' })).pagination.total, 1)
    t.match((await client.files.list({ projectId: 'killed' })).files, [{ id, size: 52_428_800 }])
    t.strictSame(
      progress,
      progress.toSorted((a, b) => a - b)
    )
    t.equal(progress.at(-1), 52_428_800)
  }
)

t.test('a 50 MB upload adds at most 60 MB of memory, and its bytes arrive unchanged', async (t) => {
  const path = join(t.testdir({}), 'large.txt')
  const content = uniqueText(52_428_800)
  await writeFile(path, content)
  await client.files.upload(new Blob(['warm']), { projectId: 'memory', name: 'warm.txt' })
  const before = process.memoryUsage().rss
  let peak = before

  const { id } = await client.files.upload(path, {
    projectId: 'memory',
    onProgress: () => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }
  })

  t.ok(peak - before <= 60_000_000, `${Math.round((peak - before) / 1e6)} MB more`)
  t.equal((await client.files.get(id)).sha256, sha256(content))
})
