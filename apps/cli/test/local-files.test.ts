import { join } from 'node:path'
import t from 'tap'
import { shownPath } from '../src/local-files.js'

t.test('a path is shown relative to the working folder, or absolute when it is elsewhere', async (t) => {
  t.equal(shownPath('/home/me', '/home/me/docs/a.md'), join('docs', 'a.md'))
  t.equal(shownPath('/home/me', '/tmp/a.md'), '/tmp/a.md')
  t.equal(shownPath('/home/me', '/home/me'), '/home/me')
})
