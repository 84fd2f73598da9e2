import type { MoveCounts } from '@filewright/db'

export interface Progress {
  copied: (sizeBytes: number) => void
}

const EVERY_MS = 5_000
/** A file costs several round trips, whatever its size: about as much as the transfer of so many bytes. */
const BYTES_PER_FILE = 256 * 1024

function timeOf(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 2) return `${Math.max(1, Math.round(ms / 1_000))} s`
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

export const megabytesOf = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`

/** Says every few seconds how much is copied and how long the rest may take. */
export function createProgress(
  say: (text: string) => void,
  { files, bytes, copiedFiles, copiedBytes }: MoveCounts,
  now: () => number = () => performance.now()
): Progress {
  const startedAt = now()
  let saidAt = startedAt
  let doneFiles = 0
  let doneBytes = 0
  return {
    copied: (sizeBytes) => {
      doneFiles++
      doneBytes += sizeBytes
      if (now() - saidAt < EVERY_MS) return
      saidAt = now()
      const work = doneBytes + doneFiles * BYTES_PER_FILE
      const leftFiles = Math.max(0, files - copiedFiles - doneFiles)
      const left = Math.max(0, bytes - copiedBytes - doneBytes) + leftFiles * BYTES_PER_FILE
      say(
        `${copiedFiles + doneFiles} of ${files} files copied, ${megabytesOf(copiedBytes + doneBytes)} of ` +
          `${megabytesOf(bytes)}, about ${timeOf(((saidAt - startedAt) * left) / work)} left`
      )
    }
  }
}
