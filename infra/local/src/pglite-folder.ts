import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { closeTree } from './data-folder.js'

export interface PgliteFolderOptions {
  dataDir: string
  /**
   * An empty cluster kept between starts: creating one takes seconds of CPU time, copying it a tenth of a
   * second.
   */
  template: string
  /** Creates a new cluster in this folder, which does not exist yet. */
  initialize: (folder: string) => Promise<void>
}

/**
 * Ensures that the data folder contains a complete cluster. A start that is killed while creating one leaves
 * none, not half of one.
 */
export async function ensurePgliteFolder({
  dataDir,
  template,
  initialize
}: PgliteFolderOptions): Promise<void> {
  if (existsSync(dataDir)) return
  const draft = `${dataDir}.new`
  rmSync(draft, { recursive: true, force: true })
  if (!copiedFrom(template, draft)) {
    await initialize(draft)
    keepTemplate(draft, template)
  }
  // A copy has the modes of its template, which contains no data and may be open.
  closeTree(draft)
  renameSync(draft, dataDir)
}

/**
 * The template may be another user's, and closed to us. From Node.js 22 on, copying silently skips entries
 * that cannot be copied, so the result is checked as well.
 */
function copiedFrom(template: string, draft: string): boolean {
  if (!existsSync(template)) return false
  try {
    copyFolder(template, draft)
    if (existsSync(join(draft, 'PG_VERSION'))) return true
  } catch {
    // Removed below, like a copy that is not a cluster.
  }
  rmSync(draft, { recursive: true, force: true })
  return false
}

/** Only a cache: a process that cannot write it continues without it. */
function keepTemplate(folder: string, template: string): void {
  const draft = `${template}.${process.pid}`
  try {
    mkdirSync(dirname(template), { recursive: true })
  } catch {
    return
  }
  try {
    copyFolder(folder, draft)
    renameSync(draft, template)
  } catch {
    rmSync(draft, { recursive: true, force: true })
  }
}

function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true })
}
