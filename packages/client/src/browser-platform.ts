import type { Platform } from './platform.js'

/** With XMLHttpRequest, because `fetch` does not report upload progress. */
export const browserPlatform: Platform = {
  openPath: async () => {
    throw new TypeError('A browser uploads a File or a Blob, not a path')
  },

  sendForm: async ({ url, headers, fields, file, signal, onProgress }) => {
    const blob = await file.source.blob?.()
    if (blob === undefined) throw new TypeError('A browser uploads a File, a Blob or a stream')
    const form = new FormData()
    for (const [name, value] of fields) form.set(name, value)
    form.set('file', blob, file.name)
    return await new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      const abort = (): void => {
        request.abort()
      }
      signal.throwIfAborted()
      signal.addEventListener('abort', abort)
      request.open('POST', url)
      request.responseType = 'arraybuffer'
      for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
      // The sent bytes include the form around the file.
      request.upload.onprogress = ({ loaded }) => onProgress(Math.min(loaded, blob.size))
      request.onload = () => {
        const lines = request.getAllResponseHeaders().trim().split(/\r?\n/)
        resolve(
          new Response(request.response as ArrayBuffer, {
            status: request.status,
            headers: lines.map((line): [string, string] => {
              const colon = line.indexOf(':')
              return [line.slice(0, colon), line.slice(colon + 1).trim()]
            })
          })
        )
      }
      request.onerror = () => reject(new TypeError('connection lost'))
      request.onabort = () => reject(signal.reason)
      request.onloadend = () => signal.removeEventListener('abort', abort)
      request.send(form)
    })
  },

  createHasher: () => null
}
