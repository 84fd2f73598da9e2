import { AppError } from '@filewright/runtime'
import type { StoreNote } from '../blob-store.js'
import { MARKER } from '../store-notes.js'
import type { LocalFileSystem } from './local-file-system.js'
import { createLocalNote } from './local-note.js'

export interface LocalMarker {
  note: StoreNote
  /**
   * Rejects when the store has had a marker in this process's life and has none now. What is under the path
   * then is the folder that its disk was mounted on: bytes written there would be gone when the disk comes
   * back.
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
