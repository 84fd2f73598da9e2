import t from 'tap'
import { isFolderPath } from '../../src/files/folder-path.js'

t.test("a folder follows the service's rules", async (t) => {
  for (const good of ['', 'a', 'a/b', '/a/b/', 'Ünïcode und Platz']) t.ok(isFolderPath(good), good)
  for (const bad of ['.', '..', 'a/../b', 'a//b', 'a\\b', 'a\u0000', 'x'.repeat(513)]) {
    t.notOk(isFolderPath(bad), bad)
  }
})
