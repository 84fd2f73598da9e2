import { createHash, createHmac } from 'node:crypto'
import type { S3TestServer } from './s3-test-server.js'

/** Signs a request anew, so that the proxy may change it. Signature version 4 with an unsigned payload. */
export function signed(
  { region, credentials, endpoint }: S3TestServer,
  { method, url, headers }: { method: string; url: URL; headers: Record<string, string> }
): Record<string, string> {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const day = time.slice(0, 8)
  const own: Record<string, string> = {
    ...headers,
    host: new URL(endpoint).host,
    'x-amz-date': time,
    'x-amz-content-sha256': 'UNSIGNED-PAYLOAD'
  }
  const names = Object.keys(own)
    .filter((name) => name === 'host' || name.startsWith('x-amz-'))
    .sort()
  const query = [...url.searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&')
  const request = [
    method,
    url.pathname,
    query,
    ...names.map((name) => `${name}:${own[name]!.trim()}`),
    '',
    names.join(';'),
    'UNSIGNED-PAYLOAD'
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(request).digest('hex')].join(
    '\n'
  )
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${credentials.secretAccessKey}`
  )
  const signature = createHmac('sha256', key).update(text).digest('hex')
  own['authorization'] =
    `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/${scope}, ` +
    `SignedHeaders=${names.join(';')}, Signature=${signature}`
  return own
}
