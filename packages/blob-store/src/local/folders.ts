import { dirname, join, resolve } from 'node:path'
import type { LocalFileSystem } from './local-file-system.js'
import type { OpenFile } from './open-file.js'

export interface Folders {
  /** Creates the folder and makes its directory entry durable, on the first call. */
  ensure: (name: string) => Promise<string>
  /** Resolves when every entry created in the folder before this call is durable. */
  sync: (name: string) => Promise<void>
  /** Resets: a folder was removed while we run. */
  forget: () => Promise<void>
}

/**
 * The store's few folders, remembered and kept open, so that a small upload pays one fsync for its folder
 * and nothing else.
 * @param mayMake asked before a folder is made; rejects when this is not the place to make one
 */
export function createFolders(
  fs: LocalFileSystem,
  root: string,
  mayMake: () => Promise<void> = async () => {}
): Folders {
  const known = new Map<string, Promise<string>>()
  const syncs = new Map<string, GroupedSync>()

  async function syncOnce(path: string): Promise<void> {
    const handle = await fs.open(path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  function syncOf(path: string): GroupedSync {
    let sync = syncs.get(path)
    if (sync === undefined) {
      sync = createGroupedSync(() => fs.open(path, 'r'))
      syncs.set(path, sync)
    }
    return sync
  }

  async function makeRoot(): Promise<string> {
    const firstMade = await fs.mkdir(root, { recursive: true, mode: 0o700 })
    if (firstMade !== undefined) {
      for (let made = resolve(root); made.length >= resolve(firstMade).length; made = dirname(made)) {
        await syncOnce(dirname(made))
      }
    }
    // Also when the root existed: a process killed between creating a folder and syncing the root may have
    // left the entry volatile.
    await syncOf(root).run()
    return root
  }

  async function make(name: string): Promise<string> {
    await mayMake()
    await remembered('', makeRoot)
    const path = join(root, name)
    if ((await fs.mkdir(path, { recursive: true, mode: 0o700 })) !== undefined) await syncOf(root).run()
    return path
  }

  async function remembered(name: string, maker: () => Promise<string>): Promise<string> {
    let making = known.get(name)
    if (making === undefined) {
      making = maker()
      known.set(name, making)
      making.catch(() => {
        known.delete(name)
      })
    }
    return await making
  }

  return {
    ensure: async (name) => await remembered(name, async () => await make(name)),
    sync: async (name) => await syncOf(join(root, name)).run(),
    forget: async () => {
      const open = [...syncs.values()]
      known.clear()
      syncs.clear()
      await Promise.all(open.map(async (sync) => await sync.close()))
    }
  }
}

interface GroupedSync {
  run: () => Promise<void>
  close: () => Promise<void>
}

/**
 * One fsync at a time per folder. A caller that arrives during one cannot rely on it, because it may have
 * started before the caller's entry was created: such callers share the next one.
 */
function createGroupedSync(open: () => Promise<OpenFile>): GroupedSync {
  let handle: Promise<OpenFile> | undefined
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  async function sync(): Promise<void> {
    handle ??= open()
    try {
      await (await handle).sync()
    } catch (error) {
      const broken = handle
      handle = undefined
      await broken.then(async (opened) => await opened.close()).catch(() => {})
      throw error
    }
  }

  function start(): Promise<void> {
    const current = sync().finally(() => {
      if (running === current) running = undefined
    })
    running = current
    return current
  }

  return {
    run: () => {
      if (running === undefined) return start()
      next ??= running
        .catch(() => {})
        .then(() => {
          next = undefined
          return start()
        })
      return next
    },
    close: async () => {
      await next?.catch(() => {})
      await running?.catch(() => {})
      await handle?.then(async (opened) => await opened.close()).catch(() => {})
      handle = undefined
    }
  }
}
