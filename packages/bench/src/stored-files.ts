import { request } from 'undici'
import type { RunningStack } from '@filewright/testing'
import { createForms, FORM_TYPE } from './load/forms.js'

/** Uploads files and gives their ids. */
export async function storeFiles(
  { baseUrl, token }: RunningStack,
  { count, sizeBytes }: { count: number; sizeBytes: number }
): Promise<string[]> {
  const form = createForms(sizeBytes)
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const { body, length } = form()
    const answer = await request(`${baseUrl}/api/files/upload`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': FORM_TYPE,
        'content-length': String(length)
      },
      body: body as Buffer
    })
    const { file } = (await answer.body.json()) as { file: { id: string } }
    ids.push(file.id)
  }
  return ids
}
