import type { Filewright } from '@filewright/client/browser'

/** The text of a stored file, decoded with the charset that the service detected. */
export async function storedText(api: Filewright, id: string, signal: AbortSignal): Promise<string> {
  const download = await api.files.download(id, { signal })
  const charset = /charset=([\w-]+)/.exec(download.type)?.[1] ?? 'utf-8'
  const bytes = await download.bytes()
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    // This browser does not know the charset.
    return new TextDecoder().decode(bytes)
  }
}
