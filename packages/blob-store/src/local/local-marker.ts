import { AppError } from '@filewright/runtime'
import type { StoreNote } from '../blob-store.js'
import { MARKER } from '../store-notes.js'
import type { LocalFileSystem } from './local-file-system.js'
import { createLocalNote } from './local-note.js'

export interface LocalMarker {
  note: StoreNote
  /**
   * Rejects when the store had a marker earlier in this process and has none now. The path is then the mount
   * point of an unmounted disk: bytes written there would be lost when the disk comes back.
   */
  assertKept: () => Promise<void>
}

export function createLocalMarker(fs: LocalFileSystem, root: string): LocalMarker {
  const note = createLocalNote(fs, root, MARKER)
  let isMarked = false

  return {
    note: {
      read: async (options) => {
        const text = await note.read(options)
        isMarked ||= text !== null
        return text
      },
      create: async (text, options) => {
        const isPlaced = await note.create(text, options)
        isMarked = true
        return isPlaced
      },
      replace: async (text, options) => {
        await note.replace(text, options)
        isMarked = true
      }
    },
    assertKept: async () => {
      if (!isMarked || (await note.read()) !== null) return
      const message = `${root} has lost its marker: is its disk still mounted?`
      throw new AppError('STORAGE_UNAVAILABLE', message, { retryable: true })
    }
  }
}
