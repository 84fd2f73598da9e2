import { createHash, randomBytes } from 'node:crypto'

export interface UploadOptions {
  content: string | Buffer
  name?: string
  project?: string
  folder?: string
  description?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

export interface Reply {
  status: number
  headers: Headers
  body: any
}

/** The API as used by a client written from the specification alone. */
export interface Client {
  upload: (options: UploadOptions) => Promise<Reply>
  call: (method: string, path: string, init?: RequestInit) => Promise<Reply>
  download: (
    address: string,
    headers?: Record<string, string>
  ) => Promise<{ status: number; headers: Headers; bytes: Buffer }>
}

export function createClient(baseUrl: string, token: string): Client {
  const authorization = `Bearer ${token}`
  const call: Client['call'] = async (method, path, init = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      ...init,
      headers: { authorization, ...init.headers }
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text)
    }
  }
  return {
    call,
    upload: async ({
      content,
      name = 'notes.txt',
      project = 'acme',
      folder,
      description,
      headers = {},
      signal
    }) => {
      const form = new FormData()
      form.set('project_id', project)
      if (folder !== undefined) form.set('folder', folder)
      if (description !== undefined) form.set('description', description)
      form.set('file', new Blob([content]), name)
      return await call('POST', '/api/files/upload', {
        body: form,
        headers,
        ...(signal === undefined ? {} : { signal })
      })
    },
    download: async (address, headers = { authorization }) => {
      const response = await fetch(address, { headers })
      return {
        status: response.status,
        headers: response.headers,
        bytes: Buffer.from(await response.arrayBuffer())
      }
    }
  }
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Unique text: clamd caches the hashes of clean files. */
export function uniqueText(sizeBytes: number): Buffer {
  return Buffer.from(
    randomBytes(Math.ceil(sizeBytes / 2))
      .toString('hex')
      .slice(0, sizeBytes)
  )
}
