import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const script = `
  import { createLogger } from ${JSON.stringify(fileURLToPath(new URL('../src/index.js', import.meta.url)))}
  const logger = createLogger({ name: 'test', level: 'info' })
  logger.info({ own: 1 }, 'plain')
  logger.info({ headers: { authorization: 'Bearer hunter2' }, account: { password: 'hunter2', token: 'hunter2' } }, 'secrets')
`

t.test('JSON when not on a terminal, and no secrets', async (t) => {
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

  t.strictSame(
    lines.map(({ msg, own }) => [msg, own]),
    [
      ['plain', 1],
      ['secrets', undefined]
    ]
  )
  t.notMatch(stdout, 'hunter2')
})
