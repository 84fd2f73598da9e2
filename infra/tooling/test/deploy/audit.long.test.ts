import t from 'tap'
import { ROOT } from '../helpers/root.js'
import { ACCEPTED, askRegistry } from './helpers/audit.js'

const audit = await askRegistry(ROOT)

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
