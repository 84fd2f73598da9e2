import type { Readable } from 'node:stream'
import { parseDescription, parseFileName, parseFolder, parseProjectId } from '@filewright/domain'
import { AppError, InvalidFieldError } from '@filewright/runtime'
import { canAccess, type Principal } from '../tokens/principal.js'
import { missingFile } from './rejected-upload.js'
import type { FormPart, UploadField } from './upload-form.js'

export interface UploadDetails {
  projectId: string
  folder: string
  description: string | null
}

type Fields = Map<UploadField, string>

function projectOf(principal: Principal, fields: Fields): string {
  const projectId = parseProjectId(fields.get('project_id'))
  if (!canAccess(principal, projectId)) {
    throw new AppError('FORBIDDEN', `token ${principal.tokenId} may not write to the project`)
  }
  return projectId
}

/**
 * The form's validated fields and its one file, as returned by `receive`. Fields may come before or after the
 * file. What is known early is checked early, before 50 MB are transferred for nothing.
 */
export async function readParts<R>(
  principal: Principal,
  form: AsyncIterable<FormPart>,
  receive: (name: string, body: Readable, projectId: string | undefined) => Promise<R>
): Promise<{ details: UploadDetails; received: R }> {
  const fields: Fields = new Map()
  let received: R | undefined
  for await (const part of form) {
    if (part.kind === 'field') {
      if (fields.has(part.name)) throw new InvalidFieldError(part.name, 'must be given once')
      fields.set(part.name, part.value)
      continue
    }
    if (part.name !== 'file' || received !== undefined || part.fileName === '') {
      throw missingFile('a form holds exactly one file, in the field named file')
    }
    const name = parseFileName(part.fileName)
    const knownProject = fields.has('project_id') ? projectOf(principal, fields) : undefined
    received = await receive(name, part.body, knownProject)
  }
  if (received === undefined) throw missingFile('the form has no file')
  const projectId = projectOf(principal, fields)
  return {
    details: {
      projectId,
      folder: parseFolder(fields.get('folder')),
      description: parseDescription(fields.get('description'))
    },
    received
  }
}
