import { methods, type MethodName, type Reply, type Request } from './methods.js'

function reply(message: Reply): void {
  process.send?.(message)
}

const loaded = new Set<string>()

/** Runs a method once on minimal code, so that the language's parser is loaded. */
async function load(method: MethodName, [first, second]: unknown[]): Promise<void> {
  const input = typeof first === 'object' && first !== null ? (first as { language?: unknown }) : null
  const language = input === null ? second : input.language
  if (method === 'describeDiff' || loaded.has(`${method} ${String(language)}`)) return
  loaded.add(`${method} ${String(language)}`)
  await (methods[method] as (...args: unknown[]) => unknown)(
    ...(input === null
      ? ['a', language]
      : [{ code: 'a', before: 'a', after: 'b', take: [], findings: [], language }])
  )
}

process.on('message', ({ id, method, args }: Request) => {
  let tainted = false
  const onFailure = (_where: string, error: unknown): void => {
    tainted ||= error instanceof Error && error.constructor.name === 'RuntimeError'
  }
  const call = methods[method] as (...args: unknown[]) => unknown
  load(method, args)
    .then(() => reply({ id, isLoaded: true }))
    .then(() => call(...args, ...(method === 'analyze' ? [{ onFailure }] : [])))
    .then((result) => reply({ id, ok: true, result, tainted }))
    .catch((error: unknown) => reply({ id, ok: false, message: String(error) }))
})

// The parent has exited, so no caller waits for a result.
process.on('disconnect', () => process.exit())

reply({ ready: true })

// A small job in each of the heaviest languages makes the first real one fast; a waiting job goes first.
setImmediate(() => {
  void methods.analyze({ code: 'export const ready: boolean = true\n', language: 'typescript' })
})
