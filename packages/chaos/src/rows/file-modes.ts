import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '@filewright/testing'
import { openEntries, entriesOpenToOtherUsers } from '../harness/open-entries.js'
import type { Row, Tally } from '../harness/row.js'
import { createSubject } from '../harness/subject.js'

/** Modes of folders created by other programs and users. */
const LEFT_MODES = [0o755, 0o775, 0o777, 0o750]

async function startOn(mode: number, tally: Tally, say: (line: string) => void): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'filewright-modes-'))
  for (const name of ['postgres', 'blobs', 'logs']) mkdirSync(join(dataDir, name))
  for (const path of ['postgres', 'blobs', 'logs', '.']) chmodSync(join(dataDir, path), mode)
  tally.injected++
  try {
    // With its own database and Redis, whose files are also in this folder.
    const stack = await startStack(undefined, { dataDir, database: 'embedded' })
    try {
      const { upload, ai } = createSubject(stack)
      const { status } = await upload({ project: 'modes' })
      await ai('generate', { prompt: 'Write a sum.', type: 'code', language: 'javascript' })
      tally.operations += 2
      tally.hit++
      tally.expect(status === 201, `an upload on a folder of mode ${mode.toString(8)} answered ${status}`)
      const open = await openEntries(dataDir)
      const seen = await entriesOpenToOtherUsers(dataDir)
      say(`mode ${mode.toString(8)}: ${open.length} open entries, ${seen?.length ?? 'not asked'} for nobody`)
      for (const entry of open.slice(0, 8)) tally.violate(`${mode.toString(8)}: ${entry}`)
      for (const path of seen?.slice(0, 8) ?? []) {
        tally.violate(`${mode.toString(8)}: nobody can read or write ${path}`)
      }
    } finally {
      await stack.stop()
    }
  } catch (error) {
    // Refusing such a folder with a message that names it is also correct.
    const { message } = error as Error
    if (message.includes(dataDir)) tally.hit++
    else tally.violate(`mode ${mode.toString(8)}: ${message}`)
  } finally {
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

export const fileModes: Row = {
  name: 'modes: nothing in the data folder is open to others',
  promises: ['P16'],
  target: 'an existing DATA_DIR of any mode: closed or refused',
  counts: { quick: 1, full: 4 },
  run: async ({ tally, count, say }) => {
    for (const mode of LEFT_MODES.slice(0, count)) await startOn(mode, tally, say)
  }
}
