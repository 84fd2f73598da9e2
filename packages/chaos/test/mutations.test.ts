import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../src/harness/apps.js'
import { mutations } from '../src/mutations/list.js'

// They name text of compiled files, and run only when somebody asks for them.
t.test('every mutation matches its place in the build, once', async (t) => {
  for (const { name, file, find } of mutations) {
    t.equal(readFileSync(join(ROOT, file), 'utf8').split(find).length, 2, name)
  }
})
