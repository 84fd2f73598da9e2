import { stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { DetailedFileSummary, Filewright } from '@filewright/client'
import { exitCodes, Failure } from '../failure.js'
import { jsonText, type Io } from '../io.js'
import { shownPath } from '../local-files.js'
import { findFile, isFileId, nameOf, parseRemote } from '../remote.js'

export interface ReceiptFlags {
  output?: string
  json?: boolean
}

async function findEach(
  client: Filewright,
  what: string[]
): Promise<Array<Pick<DetailedFileSummary, 'id' | 'name'>>> {
  const files = []
  for (const one of what) {
    const file = isFileId(one) ? await client.files.get(one) : await findFile(client, parseRemote(one))
    if (file === null) {
      throw new Failure(
        `There is no file ${one}; list existing files with: filewright ls ${parseRemote(one).projectId}`
      )
    }
    files.push(file)
  }
  return files
}

/** An older receipt stays: it is true for its time, and cannot be fetched again. */
async function writeNew(path: string, text: string, shown: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new Failure(`${shown} exists and is not replaced; name another file with --output`)
  }
}

export async function receipt(
  io: Io,
  client: Filewright,
  what: string[],
  { output, json = false }: ReceiptFlags
): Promise<void> {
  const files = await findEach(client, what)
  if (output === '-') {
    if (files.length > 1) {
      throw new Failure('Standard output has room for one receipt; name one file', exitCodes.usage)
    }
    for (const { id } of files) io.outData(jsonText(await client.files.receipt(id)))
    return
  }
  const given = resolve(io.cwd, output ?? '.')
  const isFolder = (await stat(given).catch(() => null))?.isDirectory() ?? output?.endsWith('/') === true
  if (files.length > 1 && !isFolder) {
    throw new Failure(`${output ?? '.'} is not a folder; name one for several receipts`, exitCodes.usage)
  }
  const written: Array<{ id: string; path: string }> = []
  for (const { id, name } of files) {
    const path = isFolder ? join(given, `${nameOf(name)}.receipt.json`) : given
    const shown = shownPath(io.cwd, path)
    await writeNew(path, jsonText(await client.files.receipt(id)), shown)
    written.push({ id, path })
    if (!json) io.out(`Receipt saved as ${shown}\n`)
  }
  if (json) io.out(jsonText({ receipts: written }))
}
