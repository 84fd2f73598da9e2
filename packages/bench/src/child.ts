import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Child<Request, Reply> {
  pid: number
  /** One at a time. */
  ask: (request: Request) => Promise<Reply>
  stop: () => Promise<void>
}

/** One of our modules in its own process, which answers each message with one. */
export async function startChild<Request extends object, Reply>(
  module: string,
  env: NodeJS.ProcessEnv = {}
): Promise<Child<Request, Reply>> {
  const path = fileURLToPath(new URL(module, import.meta.url))
  const child: ChildProcess = fork(path, {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NODE_V8_COVERAGE: '', ...env },
    serialization: 'advanced'
  })
  const exited = once(child, 'exit')
  async function answer(): Promise<Reply> {
    const [reply] = (await Promise.race([
      once(child, 'message'),
      exited.then(() => {
        throw new Error(`${module} ended`)
      })
    ])) as [Reply]
    return reply
  }
  return {
    pid: child.pid ?? 0,
    ask: async (request) => {
      const reply = answer()
      child.send(request)
      return await reply
    },
    stop: async () => {
      child.kill('SIGKILL')
      await exited
    }
  }
}

/** The other end, in the child. It exits when its parent does. */
export function serve<Request, Reply>(handle: (request: Request) => Promise<Reply>): void {
  process.on('disconnect', () => process.exit())
  process.on('message', (request: Request) => {
    handle(request).then(
      (reply) => {
        process.send?.(reply)
      },
      (error: unknown) => {
        console.error(error)
        process.exit(1)
      }
    )
  })
}
