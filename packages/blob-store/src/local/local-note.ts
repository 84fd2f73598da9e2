import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { join } from 'node:path'
import { throwIfAborted } from '../abort.js'
import type { StoreNote } from '../blob-store.js'
import { errnoOf, onDisk } from './disk-errors.js'
import type { LocalFileSystem } from './local-file-system.js'
import { writeAll } from './open-file.js'

/** A larger file of that name is not ours. */
const MAX_BYTES = 4_096

/** @param name longer than a folder's one character, so that a listing passes it by */
export function createLocalNote(fs: LocalFileSystem, root: string, name: string): StoreNote {
  const path = join(root, name)

  async function readText(): Promise<string | null> {
    try {
      const handle = await fs.open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
      try {
        const buffer = Buffer.alloc(MAX_BYTES)
        const { bytesRead } = await handle.read(buffer, 0, MAX_BYTES, 0)
        return buffer.toString('utf8', 0, bytesRead)
      } finally {
        await handle.close()
      }
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return null
      throw error
    }
  }

  async function syncRoot(): Promise<void> {
    const handle = await fs.open(root, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  async function linkIfAbsent(draft: string): Promise<boolean> {
    try {
      await fs.link(draft, path)
      return true
    } catch (error) {
      if (errnoOf(error) === 'EEXIST') return false
      throw error
    }
  }

  /** Writes a complete, durable file under another name first, so that a crash leaves no partial note. */
  async function write(text: string, place: (draft: string) => Promise<boolean>): Promise<boolean> {
    await fs.mkdir(root, { recursive: true, mode: 0o700 })
    const draft = `${path}.${randomUUID()}`
    try {
      const handle = await fs.open(draft, 'wx', 0o600)
      try {
        await writeAll(handle, [Buffer.from(text)])
        await handle.sync()
      } finally {
        await handle.close()
      }
      const isPlaced = await place(draft)
      await syncRoot()
      return isPlaced
    } finally {
      await fs.unlink(draft).catch(() => {})
    }
  }

  return {
    read: async ({ signal } = {}) => {
      throwIfAborted(signal)
      return await onDisk(`read of ${name}`, readText())
    },
    create: async (text, { signal } = {}) => {
      throwIfAborted(signal)
      return await onDisk(`write of ${name}`, write(text, linkIfAbsent))
    },
    replace: async (text, { signal } = {}) => {
      throwIfAborted(signal)
      await onDisk(
        `write of ${name}`,
        write(text, async (draft) => {
          await fs.rename(draft, path)
          return true
        })
      )
    }
  }
}
