import { once } from 'node:events'
import { banner } from './banner.js'
import { StackError, messageOf } from './errors.js'
import { HELP, parseOptions, type StackOptions } from './options.js'
import { createStack } from './stack.js'

const out = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
const complain = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

async function main(): Promise<number> {
  // Files of this process and its children are accessible only to their user.
  process.umask(0o077)
  const asked = new AbortController()
  // Under npm, Ctrl-C reaches this process twice, from the terminal and from npm: the first is enough.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => asked.abort())
  }
  // A test that started the stack over a channel and died without stopping it.
  process.on('disconnect', () => asked.abort())
  try {
    const options = parseOptions(process.argv.slice(2), process.env, process.cwd())
    if (options === null) {
      process.stdout.write(HELP)
      return 0
    }
    return await runUntilAsked(options, asked.signal)
  } catch (error) {
    return report(error)
  }
}

async function runUntilAsked(options: StackOptions, asked: AbortSignal): Promise<number> {
  const stack = createStack(options, {
    env: process.env,
    say: out,
    notice: (line) => out(`${new Date().toISOString()} ${line}`)
  })
  const crashed = new AbortController()
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error: unknown) => crashed.abort(error))
  }
  const end = AbortSignal.any([asked, crashed.signal])
  try {
    out(banner(await stack.start(end)))
    if (!end.aborted) await once(end, 'abort')
    if (!crashed.signal.aborted) out('Stopping…')
  } catch (error) {
    if (!asked.aborted && !crashed.signal.aborted) return report(error)
  } finally {
    await stack.stop()
  }
  return crashed.signal.aborted ? report(crashed.signal.reason) : 0
}

function report(error: unknown): number {
  if (error instanceof StackError) {
    complain(error.message)
    return error.exitCode
  }
  if ((error as NodeJS.ErrnoException | null)?.code === 'ENOSPC') {
    complain('The disk of the data folder is full: free some space, and start again.')
    return 1
  }
  complain(
    `Filewright failed unexpectedly: ${messageOf(error)}${process.env.DEBUG === undefined ? ' (set DEBUG=1 for details).' : ''}`
  )
  if (process.env.DEBUG !== undefined && error instanceof Error) complain(error.stack ?? '')
  return 1
}

process.exit(await main())
