import { request as requestByHttp, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as requestByHttps } from 'node:https'

interface Post {
  url: string
  headers: Record<string, string>
  body: ReadableStream<Uint8Array>
  signal: AbortSignal
}

/** As fetch reports it, so that there is one kind of error for a lost connection. */
const lost = (cause: unknown): TypeError => new TypeError('connection lost', { cause })

function answerTo(outgoing: ClientRequest): Promise<IncomingMessage> {
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve)
    outgoing.on('error', (error) => reject(lost(error)))
  })
  // Awaited below; the file may fail before.
  answer.catch(() => {})
  return answer
}

async function responseOf(incoming: IncomingMessage): Promise<Response> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of incoming) chunks.push(chunk as Uint8Array)
  } catch (error) {
    throw lost(error)
  }
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [
    name,
    String(value)
  ])
  return new Response(new Blob(chunks as BlobPart[]), { status: incoming.statusCode ?? 500, headers })
}

/** Requests a chunk only when the previous one has been sent: the source may reuse one buffer. */
export async function postByHttp({ url, headers, body, signal }: Post): Promise<Response> {
  const request = url.startsWith('https:') ? requestByHttps : requestByHttp
  const outgoing = request(url, { method: 'POST', headers, signal })
  const answer = answerTo(outgoing)
  let isAnswered = false
  void answer.then(
    () => {
      isAnswered = true
    },
    () => {}
  )
  try {
    for await (const chunk of body) {
      const written = new Promise<void>((resolve) => outgoing.write(chunk, () => resolve()))
      // A refusal may come before the end of the body; the rest is then not read.
      await Promise.race([written, answer])
      if (isAnswered) break
    }
    if (!isAnswered) outgoing.end()
    return await responseOf(await answer)
  } finally {
    if (!outgoing.writableFinished) outgoing.destroy()
  }
}
