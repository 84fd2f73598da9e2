import t, { type Test } from 'tap'
import { createSignIn, type SignIn } from '../../src/session/sign-in.js'
import { createTokenStore } from '../../src/session/token-store.js'
import { createDraftParts, createStore, createTestAddress, startService } from '../helpers/fakes.js'

const ALICE = 'token-of-alice'
const BOB = 'token-of-bob'

/** Tabs of one browser. A change in one is sent to the others as browsers do. */
async function startBrowser(t: Test) {
  const service = await startService(t)
  const device = createStore()
  const openTab = (tab = createStore()) => {
    const address = createTestAddress()
    const store = createTokenStore({ tab, device })
    const parts = createDraftParts(tab, device)
    const signIn = createSignIn({ baseUrl: service.baseUrl, store, address, ...parts })
    return { tab, address, signIn, page: parts.page }
  }
  return { service, device, openTab }
}

const sessionOf = ({ state }: SignIn) => {
  if (state.value.kind !== 'signed-in') throw new Error(`nobody is signed in, but ${state.value.kind}`)
  return state.value.session
}
const signedOut = { kind: 'signed-out', reason: 'none', hasDraft: false }

t.test('an accepted token is stored for the tab, or for the device on request', async (t) => {
  const { openTab, device } = await startBrowser(t)
  const { signIn, tab } = openTab()

  await signIn.signIn(ALICE, { keep: false })
  t.match(signIn.state.value, { kind: 'signed-in', tokenName: 'alice' })
  t.equal(sessionOf(signIn).headers.value?.get('x-engine'), 'test')
  t.match([...tab.values], [['filewright-token', /token-of-alice/]])
  t.equal(device.values.size, 0)
  await signIn.signIn(ALICE, { keep: true })
  t.match([...device.values], [['filewright-token', /token-of-alice/]])
  t.equal(tab.values.size, 0)

  signIn.signOut()
  t.strictSame(signIn.state.value, signedOut)
  t.notMatch(JSON.stringify([...tab.values, ...device.values]), /alice/)
})

t.test('a stored token signs in automatically, with the same id', async (t) => {
  const { openTab } = await startBrowser(t)
  const first = openTab()
  await first.signIn.signIn(ALICE, { keep: false })

  const reloaded = openTab(first.tab)
  await reloaded.signIn.resume()

  t.equal(sessionOf(reloaded.signIn).id, sessionOf(first.signIn).id)
})

t.test('a refused or invalid token is removed', async (t) => {
  const { openTab } = await startBrowser(t)
  for (const token of ['wrong', 'späße und mehr']) {
    const { signIn, tab } = openTab()

    await signIn.signIn(token, { keep: false })

    t.strictSame(signIn.state.value, { ...signedOut, reason: 'refused' })
    t.equal(tab.values.size, 0)
  }
})

t.test(
  'the end of a session aborts every call of its client, and the next session has a new client',
  async (t) => {
    const { openTab, service } = await startBrowser(t)
    const { signIn, address } = openTab()
    await signIn.signIn(ALICE, { keep: false })
    const first = sessionOf(signIn)
    first.workspace.text.value = 'secret'
    service.hold = async () => await new Promise(() => {})
    const call = first.api.projects()

    signIn.signOut()
    await t.rejects(call, { name: 'AbortError' })
    service.hold = async () => {}
    await signIn.signIn(BOB, { keep: false })
    const next = sessionOf(signIn)
    await t.rejects(first.api.projects(), { name: 'AbortError' })
    first.navigate({ view: 'service' })
    first.replace({ view: 'service' })

    t.equal(next.workspace.text.value, '')
    t.not(next.uploads, first.uploads)
    t.strictSame(address.route.value, { view: 'projects' }, 'an ended session cannot move the next one')
    t.equal(service.seen.at(-1)?.authorization, `Bearer ${BOB}`)
  }
)

t.test('a sign-in that is superseded by another leaves nothing behind', async (t) => {
  const { openTab, service } = await startBrowser(t)
  const { signIn, tab } = openTab()
  let release = (): void => {}
  service.hold = async ({ headers }) => {
    if (headers.authorization?.includes(ALICE) !== true) return
    await new Promise<void>((resolve) => {
      release = resolve
    })
  }

  const slow = signIn.signIn(ALICE, { keep: false })
  t.equal(signIn.state.value.kind, 'checking')
  await signIn.signIn(BOB, { keep: false })
  release()
  await slow

  t.match(signIn.state.value, { kind: 'signed-in', tokenName: 'bob' })
  t.notMatch(JSON.stringify([...tab.values]), ALICE)
})

t.test('an unreachable service does not remove the token', async (t) => {
  const { openTab, service } = await startBrowser(t)
  const { signIn, tab } = openTab()
  service.status = 503

  await signIn.signIn(ALICE, { keep: false })
  t.strictSame(signIn.state.value, { kind: 'away', sentence: 'Not now' })
  t.match([...tab.values], [['filewright-token', /token-of-alice/]])
  service.status = 200
  await signIn.resume()

  t.equal(signIn.state.value.kind, 'signed-in')
})

t.test('an unreachable service is reported as such', async (t) => {
  const store = createTokenStore({ tab: createStore(), device: createStore() })
  const signIn = createSignIn({
    baseUrl: 'http://127.0.0.1:1',
    store,
    address: createTestAddress(),
    ...createDraftParts()
  })

  await signIn.signIn(ALICE, { keep: false })

  t.strictSame(signIn.state.value, { kind: 'away', sentence: '' })
})

t.test('a sign-out ends every tab, whichever token it has, and tabs that are restored later', async (t) => {
  const { openTab } = await startBrowser(t)
  const [first, second, third] = [openTab(), openTab(), openTab()]
  await first.signIn.signIn(ALICE, { keep: false })
  await second.signIn.signIn(ALICE, { keep: true })
  await third.signIn.signIn(BOB, { keep: false })
  const closed = createStore()
  for (const [key, value] of third.tab.values) closed.setItem(key, value)
  const ended = [sessionOf(second.signIn), sessionOf(third.signIn)]

  first.signIn.signOut()
  for (const { signIn, tab } of [second, third]) {
    signIn.refresh()
    t.strictSame(signIn.state.value, { ...signedOut, reason: 'signed-out' })
    t.equal(tab.values.size, 0)
  }
  for (const { signal } of ended) t.ok(signal.aborted)
  const restored = openTab(closed)
  await restored.signIn.resume()

  t.strictSame(restored.signIn.state.value, signedOut)
  t.equal(closed.values.size, 0)
})

t.test('another token on the device ends the tabs that used the previous one, and no others', async (t) => {
  const { openTab } = await startBrowser(t)
  const [first, second, alone] = [openTab(), openTab(), openTab()]
  await first.signIn.signIn(ALICE, { keep: true })
  await alone.signIn.signIn(ALICE, { keep: false })

  await second.signIn.signIn(BOB, { keep: true })
  for (const { signIn } of [first, second, alone]) signIn.refresh()

  t.strictSame(first.signIn.state.value, { ...signedOut, reason: 'replaced' })
  t.match(second.signIn.state.value, { tokenName: 'bob' })
  t.match(alone.signIn.state.value, { tokenName: 'alice' })
})

async function startDraft(t: Test) {
  const browser = await startBrowser(t)
  const tab = browser.openTab()
  await tab.signIn.signIn(ALICE, { keep: false })
  const { workspace, api } = sessionOf(tab.signIn)
  workspace.restore({ fileId: '', name: 'mine.py', text: 'secret', chosenLanguage: 'python' })
  tab.page.dispatchEvent(new Event('pagehide'))
  t.match(JSON.stringify([...tab.tab.values]), 'secret')
  browser.service.tokens.delete(ALICE)
  await t.rejects(api.projects())
  t.strictSame(tab.signIn.state.value, { kind: 'signed-out', reason: 'expired', hasDraft: true })
  t.notMatch(JSON.stringify([...tab.tab.values, ...browser.device.values]), /secret|alice/)
  return { ...browser, ...tab }
}

t.test('a revoked token ends the session; a user who knows it gets the code back', async (t) => {
  const { signIn } = await startDraft(t)

  t.notOk(signIn.isTokenOfDraft(BOB))
  t.ok(signIn.isTokenOfDraft(ALICE))
  await signIn.signIn('wrong', { keep: false })
  t.match(signIn.state.value, { reason: 'refused', hasDraft: true }, 'a slip costs nothing')
  await signIn.signIn(BOB, { keep: false, previousToken: ALICE })

  const { text, name, chosenLanguage } = sessionOf(signIn).workspace
  t.strictSame([name.value, text.value, chosenLanguage.value], ['mine.py', 'secret', 'python'])
})

t.test('a token that is accepted again also restores the code', async (t) => {
  const { signIn, service } = await startDraft(t)
  service.tokens.set(ALICE, 'alice')

  await signIn.signIn(ALICE, { keep: false })

  t.equal(sessionOf(signIn).workspace.text.value, 'secret')
})

t.test('files that were not uploaded yet are uploaded when the user is back, by nobody else', async (t) => {
  for (const [who, isBack] of [
    [ALICE, true],
    [BOB, false]
  ] as const) {
    const { service, openTab } = await startBrowser(t)
    const { signIn } = openTab()
    await signIn.signIn(ALICE, { keep: false })
    const { uploads, api } = sessionOf(signIn)
    service.tokens.delete(ALICE)
    uploads.add([{ file: new File(['x'], 'dropped.txt'), folder: 'below' }], { projectId: 'p', folder: 'a' })
    await t.rejects(api.projects())
    t.match(signIn.state.value, { reason: 'expired', hasDraft: true })

    service.tokens.set(ALICE, 'alice')
    await signIn.signIn(who, { keep: false })

    const { uploads: again } = sessionOf(signIn)
    t.equal(again.counts.value.total, isBack ? 1 : 0, who)
    if (isBack) t.match(again.unfinished()[0]?.target, { projectId: 'p', folder: 'a/below' })
  }
})

t.test('another user does not get the code, and then it is deleted', async (t) => {
  const { signIn, service } = await startDraft(t)

  await signIn.signIn(BOB, { keep: false })
  t.equal(sessionOf(signIn).workspace.text.value, '')
  signIn.signOut()
  service.tokens.set(ALICE, 'alice')
  await signIn.signIn(ALICE, { keep: false, previousToken: ALICE })

  t.equal(sessionOf(signIn).workspace.text.value, '')
})

t.test('a sign-out in another tab deletes the code', async (t) => {
  const { signIn, openTab } = await startDraft(t)

  openTab().signIn.signOut()
  signIn.refresh()

  t.strictSame(signIn.state.value, { ...signedOut, reason: 'signed-out' })
  t.notOk(signIn.isTokenOfDraft(ALICE))
})

t.test('a reload of the tab brings unsaved code back; a sign-out in between does not', async (t) => {
  const { openTab } = await startBrowser(t)
  const first = openTab()
  await first.signIn.signIn(ALICE, { keep: false })
  sessionOf(first.signIn).workspace.text.value = 'unsaved'
  first.page.dispatchEvent(new Event('pagehide'))

  const reloaded = openTab(first.tab)
  await reloaded.signIn.resume()
  t.equal(sessionOf(reloaded.signIn).workspace.text.value, 'unsaved')
  t.equal(sessionOf(reloaded.signIn).workspace.isDirty.value, true)
  reloaded.page.dispatchEvent(new Event('pagehide'))
  openTab().signIn.signOut()
  const restored = openTab(first.tab)
  await restored.signIn.resume()
  await restored.signIn.signIn(BOB, { keep: false })

  t.equal(sessionOf(restored.signIn).workspace.text.value, '')
  t.notMatch(JSON.stringify([...first.tab.values]), 'unsaved')
})
