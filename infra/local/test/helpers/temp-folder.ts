import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'

/** A folder with a space in its name, which real folders often have. */
export function tempFolder(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'fw test-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }))
  return folder
}
