/** One look at a file: it was there, or it was not. */
export interface Sighting {
  there: boolean
  startMs: number
  endMs: number
}

/**
 * A file is there until one moment within its delete, and never after. Such a moment exists exactly if no
 * sighting began after another, or the delete itself, had to be over.
 */
export function whyNotLinearizable(
  deletion: { startMs: number; endMs: number },
  sightings: readonly Sighting[]
): string | undefined {
  const earliest = Math.max(
    deletion.startMs,
    ...sightings.filter(({ there }) => there).map(({ startMs }) => startMs)
  )
  const latest = Math.min(
    deletion.endMs,
    ...sightings.filter(({ there }) => !there).map(({ endMs }) => endMs)
  )
  if (earliest <= latest) return undefined
  return `seen by a look that began at ${earliest}, though gone for one that ended at ${latest} (deleted from ${deletion.startMs} to ${deletion.endMs})`
}
