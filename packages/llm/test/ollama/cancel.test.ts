import t from 'tap'
import { poll } from '@filewright/testing'
import { chunk, clientFor, rawServer, request, setup } from './setup.js'

t.test('a signal shared by many calls keeps no listener of ended ones', async (t) => {
  const { client } = await setup(t)
  const shared = new AbortController()
  let listeners = 0
  const { signal } = shared
  const add = signal.addEventListener.bind(signal)
  const remove = signal.removeEventListener.bind(signal)
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners++
    add(...args)
  }
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners--
    remove(...args)
  }

  for (let round = 0; round < 5; round++) await client.chat(request, { signal })

  t.equal(listeners, 0)
})

t.test('data after the last line does not keep the call or the connection open', async (t) => {
  let closed = false
  const url = await rawServer(t, (response) => {
    response.once('close', () => {
      closed = true
    })
    response.write(chunk('a') + chunk('', { done: true, done_reason: 'stop' }) + chunk('never'))
  })

  t.equal((await clientFor(url).chat(request, { signal: new AbortController().signal })).text, 'a')

  await poll(() => closed)
})
