import t from 'tap'
import { filesRoute } from '../../src/routes.js'
import { createAddress } from '../../src/session/address.js'
import { createWindow } from '../helpers/fakes.js'

t.test('a URL that was opened before the sign-in is shown after it', async (t) => {
  const page = createWindow('#/files/demo')
  const address = createAddress(page)

  address.own(null)
  address.own('session-1')

  t.strictSame(address.route.value, filesRoute('demo'))
  t.strictSame(page.entries, [{ hash: '#/files/demo', state: { session: 'session-1' } }])
})

t.test('the end of a session removes its URL, and its history entries on going back', async (t) => {
  const page = createWindow()
  const address = createAddress(page)
  address.own('session-1')
  address.navigate(filesRoute('secret-1'))
  // Navigates like a link.
  page.location.hash = '#/files/secret-2?search=secret'

  address.disown()
  t.strictSame(address.route.value, { view: 'projects' })
  page.back()
  t.equal(page.location.hash, '#/files')
  address.own('session-2')
  page.back()

  t.strictSame(address.route.value, { view: 'projects' })
  t.strictSame(
    page.entries.map(({ hash }) => hash),
    ['#/files', '#/files', '#/files']
  )
})

t.test('going back within a session works, also after a reload', async (t) => {
  const page = createWindow('#/files/one')
  createAddress(page).own('session-1')
  page.location.hash = '#/files/two'
  page.location.hash = '#/service'

  const reloaded = createAddress(page)
  reloaded.own('session-1')
  page.back()

  t.strictSame(reloaded.route.value, filesRoute('two'))
})

t.test('a token is removed from the URL and the history, and the view stays', async (t) => {
  const page = createWindow('#/service')
  const address = createAddress(page)
  address.own('session-1')
  t.equal(address.takeToken(), null)

  page.location.hash = '#token=a%2Fb'
  t.equal(address.takeToken(), 'a/b')
  page.location.hash = '#token=%'
  t.equal(address.takeToken(), '', 'a damaged one as well')

  t.strictSame(address.route.value, { view: 'service' })
  t.notMatch(JSON.stringify(page.entries), 'token')
})
