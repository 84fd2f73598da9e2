import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ROOT } from '../src/harness/apps.js'
import { mutations } from '../src/mutations/list.js'

// Mutations refer to text in compiled files, and are run only on request, so this test checks that they still
// match.
t.test('every mutation matches its place in the build, once', async (t) => {
  for (const { name, file, find } of mutations) {
    t.equal(readFileSync(join(ROOT, file), 'utf8').split(find).length, 2, name)
  }
})
