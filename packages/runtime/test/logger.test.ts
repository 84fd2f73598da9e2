import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const script = `
  import { createLogger, withLogFields } from ${JSON.stringify(fileURLToPath(new URL('../src/index.js', import.meta.url)))}
  const logger = createLogger({ name: 'test', level: 'info' })
  logger.info('outside')
  await withLogFields({ requestId: 'r1' }, async () => {
    await Promise.resolve()
    logger.info({ own: 1 }, 'inside')
    logger.info({ headers: { authorization: 'Bearer hunter2' }, account: { password: 'hunter2', token: 'hunter2' } }, 'secrets')
  })
  logger.info('after')
`

t.test('JSON where nobody watches; lines carry the fields of the work they belong to, and no secrets', async (t) => {
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  const lines = stdout.trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>)

  t.strictSame(lines.map(({ msg, requestId, own }) => [msg, requestId, own]), [
    ['outside', undefined, undefined], ['inside', 'r1', 1], ['secrets', 'r1', undefined], ['after', undefined, undefined]
  ])
  t.notMatch(stdout, 'hunter2')
})
