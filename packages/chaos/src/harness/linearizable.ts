/** One read of a file, which found it or did not. */
export interface Sighting {
  there: boolean
  startMs: number
  endMs: number
}

/**
 * A file must exist until one moment during its delete, and never afterwards. Such a moment exists if no read
 * that found the file began after the delete, or after a read that missed it, had ended.
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
