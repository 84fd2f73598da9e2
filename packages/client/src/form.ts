import type { SendOptions } from './platform.js'

/** The service unescapes a backslash before a quote, so names survive unchanged. */
const quoted = (text: string): string => text.replace(/\r\n|\r|\n/g, '%0D%0A').replaceAll('"', '\\"')

export interface StreamedForm {
  contentType: string
  /** Undefined when the source's size is unknown. */
  length: number | undefined
  body: ReadableStream<Uint8Array>
}

/** A form whose file is read while it is sent. `onProgress` counts only the bytes of the file. */
export function streamForm(
  { fields, file, onProgress }: Pick<SendOptions, 'fields' | 'file' | 'onProgress'>,
  options: { reuse?: boolean } = {}
): StreamedForm {
  const boundary = `filewright-${crypto.randomUUID()}`
  const encode = (text: string): Uint8Array => new TextEncoder().encode(text)
  const head = encode(
    [
      ...fields.map(
        ([name, value]) =>
          `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
      ),
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(file.name)}"\r\n`,
      'Content-Type: application/octet-stream\r\n\r\n'
    ].join('')
  )
  const tail = encode(`\r\n--${boundary}--\r\n`)
  const reader = file.source.open(options).getReader()
  let sent = 0
  let isBegun = false
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (!isBegun) {
          isBegun = true
          controller.enqueue(head)
          return
        }
        const { done, value } = await reader.read()
        if (done) {
          controller.enqueue(tail)
          controller.close()
          return
        }
        controller.enqueue(value)
        sent += value.byteLength
        onProgress(sent)
      },
      cancel: async (reason) => await reader.cancel(reason)
    },
    { highWaterMark: 0 }
  )
  const { size } = file.source
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    length: size === undefined ? undefined : head.byteLength + size + tail.byteLength,
    body
  }
}
