import type { Database } from '@filewright/db'
import { isId } from '@filewright/runtime'
import { assertOwnStore } from './own-store.js'
import { UsageError, type AdminAdapters, type CommandResult } from './command.js'

async function fileOf(
  { database }: AdminAdapters,
  id: string | undefined,
  command: string
): ReturnType<Database['files']['findById']> {
  if (id === undefined) throw new UsageError(`${command} needs the id of a file`)
  return isId(id) ? await database().files.findById(id) : null
}

function notFound(id: string | undefined): CommandResult {
  return { json: null, text: `No file has the id ${id}`, failed: true }
}

export async function fileShow(adapters: AdminAdapters, id: string | undefined): Promise<CommandResult> {
  const file = await fileOf(adapters, id, 'file show')
  if (file === null) return notFound(id)
  const blob = file.blobKey === null ? null : await adapters.blobs().stat(file.blobKey)
  const json = {
    id: file.id,
    state: file.state,
    project_id: file.projectId,
    folder: file.folder,
    name: file.name,
    description: file.description,
    type: file.type,
    kind: file.kind,
    size: file.sizeBytes,
    sha256: file.sha256,
    created_at: file.createdAt.toISOString(),
    trashed_at: file.trashedAt?.toISOString() ?? null,
    lease_expires_at: file.leaseExpiresAt?.toISOString() ?? null,
    scanned_at: file.scannedAt?.toISOString() ?? null,
    engine: file.engine,
    signature: file.signature,
    token_id: file.tokenId,
    stored_bytes: blob?.sizeBytes ?? null
  }
  const width = Math.max(...Object.keys(json).map((key) => key.length))
  return {
    json,
    text: Object.entries(json)
      .map(([key, value]) => `${key.padEnd(width)}  ${value ?? ''}`.trimEnd())
      .join('\n')
  }
}

export async function fileRescan(adapters: AdminAdapters, id: string | undefined): Promise<CommandResult> {
  const found = await fileOf(adapters, id, 'file rescan')
  if (found === null) return notFound(id)
  const file = await adapters.database().files.findStored(found.id)
  if (file === null) {
    return {
      json: null,
      text: `The file is ${found.state}: only stored files are scanned again`,
      failed: true
    }
  }
  // An infected file is withdrawn and its bytes are removed.
  await assertOwnStore(adapters)
  const { verdict, signature = null, engine, withdrawn } = await adapters.rescanFile()(file)
  const said = signature === null ? verdict : `${verdict} (${signature})`
  return {
    json: { id: file.id, verdict, signature, engine, withdrawn },
    text: `${said}, says ${engine}${withdrawn ? '\nThe file is no longer served at any address' : ''}`
  }
}
