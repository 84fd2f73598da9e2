import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const script = fileURLToPath(new URL('../../scripts/config-docs.mjs', import.meta.url))

t.test('.env.example and docs/configuration.md match the schemas', async (t) => {
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })

  t.equal(status, 0, stderr)
})
