import { open } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Recall } from '@filewright/client'

export const NOTE_SUFFIX = '.withdrawn.txt'
const FIRST_LINE = 'Filewright: the file beside this note was withdrawn.'
const MAX_SIGNATURE_CHARS = 200

/** Whether the file is one of our notes. Checks the content, because a user's file may have such a name. */
export async function isWithdrawnNote(path: string): Promise<boolean> {
  if (!basename(path).endsWith(NOTE_SUFFIX)) return false
  try {
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(FIRST_LINE.length), 0, FIRST_LINE.length, 0)
      return buffer.toString('utf8', 0, bytesRead) === FIRST_LINE
    } finally {
      await file.close()
    }
  } catch {
    return false
  }
}

export function noteOf({ signature, withdrawn_at: at, id, sha256 }: Recall): string {
  return `${FIRST_LINE}

It was clean when it was stored. Newer signatures found malware in it: ${(signature ?? 'unnamed').slice(0, MAX_SIGNATURE_CHARS)}
Withdrawn: ${at}
File id:   ${id}
SHA-256:   ${sha256}

Nothing was deleted here. Delete the file and this note, and look where the file was used.
`
}
