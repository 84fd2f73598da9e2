import t from 'tap'
import { ROOT } from '../helpers/root.js'
import { readAudit } from './helpers/audit.js'

interface Lib {
  runNpm: (args: readonly string[], options: { cwd: string }) => Promise<{ output: string }>
}
const { runNpm } = (await import(new URL('../../../bin/lib/run.mjs', import.meta.url).href)) as Lib

/** Advisories that do not concern us, each with a reason. */
const ACCEPTED: Record<string, string> = {}

const { output } = await runNpm(
  ['audit', '--json', '--loglevel=error', '--fetch-retries=0', '--fetch-timeout=60000'],
  { cwd: ROOT }
)
const audit = readAudit(output)

t.test(
  'no published advisory affects a package of the lock file',
  { skip: 'noAnswer' in audit && `no registry: ${audit.noAnswer}` },
  async (t) => {
    if ('noAnswer' in audit) return

    t.ok(audit.packages > 500, `${audit.packages} packages were looked at`)
    t.strictSame(
      audit.advisories.filter((advisory) => !(advisory in ACCEPTED)),
      []
    )
  }
)
