import t, { type Test } from 'tap'
import { createSignIn } from '../../src/session/sign-in.js'
import { createTokenLink } from '../../src/session/token-link.js'
import { createTokenStore } from '../../src/session/token-store.js'
import { createDraftParts, createStore, createTestAddress, startService } from '../helpers/fakes.js'

const ALICE = 'token-of-alice'
const BOB = 'token-of-bob'
const LOCAL = 'token-of-the-stack'

async function start(t: Test) {
  const service = await startService(t)
  const { baseUrl } = service
  const store = createTokenStore({ tab: createStore(), device: createStore() })
  const signIn = createSignIn({ baseUrl, store, address: createTestAddress(), ...createDraftParts() })
  return { service, signIn, link: createTokenLink({ baseUrl, signIn }) }
}

t.test('a link asks first, and signs in only when accepted', async (t) => {
  const { link, signIn } = await start(t)

  await link.open(BOB)
  t.strictSame(link.question.value, { tokenStart: 'token-o', tokenName: 'bob', isRefused: false })
  t.equal(signIn.state.value.kind, 'signed-out')
  link.dismiss()
  link.accept()
  t.equal(signIn.token(), null, 'what was refused cannot be accepted later')
  await link.open(BOB)
  link.accept()

  t.equal(signIn.token(), BOB)
  t.equal(link.question.value, null)
})

t.test('the previous session ends only when the link is accepted', async (t) => {
  const { link, signIn } = await start(t)
  await signIn.signIn(ALICE, { keep: false })
  const { value: before } = signIn.state

  await link.open(BOB)
  link.dismiss()
  t.equal(signIn.state.value, before)
  await link.open(BOB)
  link.accept()

  t.equal(signIn.token(), BOB)
  t.ok(before.kind === 'signed-in' && before.session.signal.aborted)
})

t.test("the local stack's own link signs in at once, unless another user is signed in", async (t) => {
  const { link, signIn } = await start(t)

  await link.open(LOCAL)
  t.match(signIn.state.value, { kind: 'signed-in', tokenName: 'local' })
  await signIn.signIn(ALICE, { keep: false })
  await link.open(LOCAL)

  t.match(link.question.value, { tokenName: 'local' })
  t.equal(signIn.token(), ALICE)
})

t.test('a link with the current token, or without one, changes nothing', async (t) => {
  const { link, signIn, service } = await start(t)
  await signIn.signIn(ALICE, { keep: false })
  const asked = service.seen.length

  await link.open(ALICE)
  await link.open('')

  t.equal(link.question.value, null)
  t.equal(service.seen.length, asked)
})

t.test('a token that the service refuses is reported, and the current session continues', async (t) => {
  const { link, signIn } = await start(t)
  await signIn.signIn(ALICE, { keep: false })

  for (const token of ['no-such-token', 'späße und mehr']) {
    await link.open(token)
    t.match(link.question.value, { isRefused: true }, token)
  }

  t.equal(signIn.token(), ALICE)
})

t.test('a service that does not answer does not cause a sign-in without asking', async (t) => {
  const { link, service } = await start(t)
  service.status = 503

  await link.open(BOB)

  t.match(link.question.value, { tokenName: '', isRefused: false })
})

t.test('the later of two links counts', async (t) => {
  const { link, service } = await start(t)
  let release = (): void => {}
  service.hold = async ({ headers }) => {
    if (headers.authorization?.includes(ALICE) !== true) return
    await new Promise<void>((resolve) => {
      release = resolve
    })
  }

  const slow = link.open(ALICE)
  await link.open(BOB)
  release()
  await slow

  t.match(link.question.value, { tokenName: 'bob' })
})
