import t from 'tap'
import { createDraftStore } from '../../src/session/draft-store.js'
import { createLocks, createStore } from '../helpers/fakes.js'

const owner = { id: 'session', lastSignOut: '', isOnDevice: true }
const draft = { fileId: '', name: 'a.js', text: 'unsaved', chosenLanguage: '', savedAt: 1 }

function startBrowser() {
  const device = createStore()
  const locks = createLocks()
  const openPage = (pageId: string, tab = createStore()) => ({
    tab,
    store: createDraftStore({ tab, device, locks: locks.ofPage(pageId), pageId })
  })
  return { device, locks, openPage }
}

t.test('a draft is orphaned only when its page has closed, and is offered once', async (t) => {
  const { device, locks, openPage } = startBrowser()
  openPage('one').store.write(owner, draft)
  const { store } = openPage('two')

  t.strictSame(await store.lost(owner), [], 'the page is open')
  locks.close('one')
  const [lost] = await store.lost(owner)
  t.match(lost, draft)
  store.forget(lost?.key ?? '')

  t.strictSame(await store.lost(owner), [])
  t.equal(device.values.size, 0)
})

t.test('a prompt without code stays in its tab', async (t) => {
  const { device, openPage } = startBrowser()
  const { store, tab } = openPage('one')
  store.write(owner, draft)

  store.write(owner, { ...draft, text: '', prompt: 'a queue' })

  t.equal(device.values.size, 0)
  t.match(openPage('two', tab).store.read(owner), { prompt: 'a queue' })
})

t.test('a draft of a session for one tab never reaches the device', async (t) => {
  const { device, openPage } = startBrowser()
  const { store, tab } = openPage('one')

  store.write({ ...owner, isOnDevice: false }, draft)

  t.equal(device.values.size, 0)
  t.match(openPage('two', tab).store.read({ ...owner, isOnDevice: false }), draft)
})

t.test("another session gets neither a tab's draft nor an orphaned one, and both are deleted", async (t) => {
  const { device, locks, openPage } = startBrowser()
  const { store, tab } = openPage('one')
  store.write(owner, draft)
  openPage('other').store.write(owner, draft)
  for (const page of ['one', 'other']) locks.close(page)
  const next = openPage('two', tab)

  t.equal(next.store.read({ ...owner, id: 'another' }), null)
  t.strictSame(await next.store.lost({ ...owner, lastSignOut: 'later' }), [])

  t.equal(tab.values.size, 0)
  t.equal(device.values.size, 0)
})

t.test('full storage or a damaged record causes no failure', async (t) => {
  const { openPage } = startBrowser()
  const full = createStore()
  full.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  openPage('one', full).store.write(owner, draft)
  const damaged = createStore()
  damaged.setItem('filewright-draft', '{"text":1')

  t.equal(openPage('two', damaged).store.read(owner), null)
})
