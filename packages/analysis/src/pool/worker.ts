import { parentPort } from 'node:worker_threads'
import { methods, type Reply, type Request } from './methods.js'

if (parentPort === null) throw new Error('this file runs in a worker thread')
const port = parentPort
const reply = (message: Reply): void => port.postMessage(message)

port.on('message', ({ id, method, args }: Request) => {
  let tainted = false
  const onFailure = (_where: string, error: unknown): void => {
    tainted ||= error instanceof Error && error.constructor.name === 'RuntimeError'
  }
  const call = methods[method] as (...args: unknown[]) => unknown
  Promise.resolve()
    .then(() => call(...args, ...(method === 'analyze' ? [{ onFailure }] : [])))
    .then((result) => reply({ id, ok: true, result, tainted }))
    .catch((error: unknown) => reply({ id, ok: false, message: String(error) }))
})

// One small job of the heaviest language makes the first real one fast.
methods.analyze({ code: 'export const ready: boolean = true\n', language: 'typescript' }).then(() => reply({ ready: true })).catch((error: unknown) => { throw error })
