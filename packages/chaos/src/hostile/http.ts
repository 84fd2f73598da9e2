import type { Random } from '../harness/random.js'

export interface HostileRequest {
  what: string
  bytes: Buffer
}

const MARKER = 'GET /cdn/files/smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
const lines = (...all: string[]): string => `${all.join('\r\n')}\r\n\r\n`
const hex = (text: string): Buffer => Buffer.from(text, 'hex')

/**
 * Two contradictory ways to determine the end of a body: a server that uses the wrong one treats the rest as
 * another request.
 */
function smuggling(random: Random, authorization: string): string {
  const post = (...headers: string[]): string =>
    lines(
      `POST ${random.pick(['/api/ai/generate', '/api/files/upload', '/nowhere', '/cdn/files/x'])} HTTP/1.1`,
      'Host: x',
      authorization,
      ...headers
    )
  const chunked = `${(5).toString(16)}\r\nhello\r\n0\r\n\r\n`
  return random.pick<() => string>([
    () => `${post('Content-Length: 6', 'Transfer-Encoding: chunked')}0\r\n\r\n${MARKER}`,
    () => `${post('Transfer-Encoding: chunked', 'Content-Length: 6')}0\r\n\r\n${MARKER}`,
    () => `${post('Content-Length: 4', `Content-Length: ${MARKER.length}`)}${MARKER}`,
    () => `${post('Content-Length: 4, 4')}abcd${MARKER}`,
    () =>
      `${post(random.pick(['Content-Length: -1', 'Content-Length: +4', 'Content-Length: 0x4', 'Content-Length: 4 4', 'Content-Length: 99999999999999999999', 'Content-Length: ']))}abcd${MARKER}`,
    () =>
      `${post(random.pick(['Transfer-Encoding: xchunked', 'Transfer-Encoding: identity', 'Transfer-Encoding: chunked, identity', 'Transfer-Encoding : chunked', 'Transfer-Encoding:\x0bchunked', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: x', ' Transfer-Encoding: chunked', 'X: y\nTransfer-Encoding: chunked']))}${chunked}${MARKER}`,
    () =>
      `${post('Transfer-Encoding: chunked')}${random.pick(['-1', 'ffffffffffffffffff', '5;\n', '0x5', ' 5', '5 ', ''])}\r\nhello\r\n0\r\n\r\n${MARKER}`,
    () =>
      `${post('Transfer-Encoding: chunked')}5;a="${'x'.repeat(random.pick([1, 20_000]))}"\r\nhelloX\r\n0\r\n\r\n${MARKER}`,
    () => `${post('Transfer-Encoding: chunked')}0\r\nContent-Length: 5\r\n: bad\r\n\r\n${MARKER}`,
    () => `${lines('GET /cdn/files/x HTTP/1.1', 'Host: x', `Content-Length: ${MARKER.length}`)}${MARKER}`,
    () => `${lines('GET /cdn/files/x HTTP/1.1', 'Host: x', 'Connection: close')}${MARKER}`,
    () =>
      `${lines('POST /api/files/upload HTTP/1.1', 'Host: x', 'Authorization: Bearer no', 'Expect: 100-continue', `Content-Length: ${MARKER.length}`)}${MARKER}`
  ])()
}

function oddRequest(random: Random, authorization: string): string {
  const path = random.pick([
    '/',
    '//',
    '/../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/api/files/..%2f..%2fetc',
    '/api/files/%00',
    '/api/files/%ff%fe',
    '/api/files/%u0041',
    '/cdn/files/%',
    '/docs/../api/files',
    '/docs/%2e%2e%2fpackage.json',
    '/docs/swagger-ui.css/../../package.json',
    'http://other.example/api/files',
    'api/files',
    '*',
    `/${'a'.repeat(random.pick([1_000, 9_000, 17_000]))}`,
    `/api/files?${'a=b&'.repeat(2_000)}`,
    '/api/files?project_id[]=a',
    '/api/files?project_id=%ff',
    '/api/files?__proto__=1&constructor=2',
    '/api/files;x=y',
    '/api/files#x',
    '/api/files\\upload',
    '/\u0000'
  ])
  const method = random.pick([
    'GET',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'HEAD',
    'TRACE',
    'CONNECT',
    'PROPFIND',
    'get',
    'G\tT',
    'A'.repeat(300),
    'QUERY',
    ''
  ])
  const version = random.pick([
    'HTTP/1.1',
    'HTTP/1.1',
    'HTTP/1.1',
    'HTTP/1.0',
    'HTTP/0.9',
    'HTTP/2.0',
    'HTTP/1.',
    'HTTP/9999.1',
    'http/1.1',
    ''
  ])
  const header = (): string =>
    random.pick([
      'Host: x',
      'Host: x\r\nHost: y',
      'Host: a b',
      'X',
      ': x',
      'X : y',
      'X\0: y',
      'X: \0',
      'X: y\r z',
      ' folded',
      'Connection: upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x',
      'Connection: upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
      'Range: bytes=0-,0-,0-',
      `Range: bytes=${'0-0,'.repeat(1_500)}`,
      'If-None-Match: W/"',
      'If-Modified-Since: never',
      'Content-Type: multipart/form-data',
      'Content-Type: ;;;',
      'Content-Encoding: gzip',
      'Expect: 200-ok',
      'X-Request-Id: \u0080\u00ff',
      `X-Request-Id: ${'x'.repeat(2_000)}`,
      'Idempotency-Key: a b',
      `Cookie: ${'c=d; '.repeat(1_000)}`,
      'X-Forwarded-For: 127.0.0.1',
      'Accept: text/event-stream',
      authorization,
      `X: ${'y'.repeat(random.pick([100, 15_000, 17_000]))}`,
      'Transfer-Encoding: gzip',
      'TE: trailers',
      'Content-Length: 5'
    ])
  return `${method} ${path} ${version}${random.pick(['\r\n', '\r\n', '\r\n', '\n', '\r', '  \r\n'])}${Array.from({ length: random.below(6) }, () => `${header()}\r\n`).join('')}\r\n${random.pick(['', '', 'hello', MARKER])}`
}

function jsonBomb(random: Random, authorization: string): Buffer {
  const depth = random.pick([50, 5_000, 200_000])
  // Deliberately invalid apart from the bomb, so that no model is called.
  const around = (value: string): string => `{"prompt":"p","type":"poem","code":1,"more":${value}}`
  const body = random.pick<() => Buffer>([
    () => Buffer.from(around('['.repeat(depth) + ']'.repeat(depth))),
    () => Buffer.from('{"a":'.repeat(depth)),
    () => Buffer.from(around('{"a":'.repeat(depth) + '1' + '}'.repeat(depth))),
    () => Buffer.from(around('9'.repeat(depth))),
    () => Buffer.from(around(`1e${'9'.repeat(depth)}`)),
    () => Buffer.from(around(`"${'\\u0000'.repeat(depth)}"`)),
    () =>
      Buffer.from(`{${Array.from({ length: Math.min(depth, 20_000) }, (_, i) => `"k${i}":0`).join(',')}}`),
    () => Buffer.from(`{${'"prompt":"p",'.repeat(depth)}"type":"poem"}`),
    () => Buffer.from('{"__proto__":{"type":"code"},"prompt":"p"}'),
    () => Buffer.from('{"constructor":{"prototype":{"type":"code"}},"prompt":"p"}'),
    () => Buffer.concat([Buffer.from('{"prompt":"'), hex('c0aff880ffed'), Buffer.from('","type":"poem"}')]),
    () => Buffer.from('\ufeff{"prompt":"p","type":"poem"}', 'utf16le'),
    () => Buffer.from(`"${'x'.repeat(5_000_000)}"`),
    () =>
      Buffer.from(
        random.pick(['', ' ', 'null', '0', '"', '[', '[]', '{', '{"a"}', "{'a':1}", 'NaN', '[1,]', '\0'])
      )
  ])()
  const head = lines(
    `POST /api/ai/${random.pick(['generate', 'analyze', 'optimize'])} HTTP/1.1`,
    'Host: x',
    authorization,
    `Content-Type: ${random.pick(['application/json', 'application/json', 'application/json; charset=utf-7', 'text/plain', 'application/x-ndjson'])}`,
    ...(random.below(4) === 0 ? [`Idempotency-Key: ${random.below(1e9)}`] : []),
    `Content-Length: ${body.length}`
  )
  return Buffer.concat([Buffer.from(head, 'latin1'), body])
}

function noise(random: Random): Buffer {
  return random.pick<() => Buffer>([
    () => Buffer.from(Array.from({ length: random.between(1, 2_000) }, () => random.below(256))),
    () => hex('16030100c8010000c40303'),
    () => Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), hex('000000040000000000')]),
    () => Buffer.from('*1\r\n$4\r\nPING\r\n'),
    () => hex('0000000804d2162f'),
    () => Buffer.alloc(random.between(1, 40_000), random.pick(['\r\n', '\n', '\0', 'A', ' ', 'GET '])),
    () => Buffer.from('PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n'),
    () =>
      Buffer.from(
        lines(
          'GET /openapi.json HTTP/1.1',
          ...Array.from({ length: random.pick([50, 2_500]) }, (_, i) => `X${i}: y`)
        )
      )
  ])()
}

function flipped(random: Random, request: string): Buffer {
  const bytes = Buffer.from(request, 'latin1')
  for (let i = random.below(5); i >= 0; i--) bytes[random.below(bytes.length)] = random.below(256)
  return bytes
}

/** At most one of its parts is a request that may be answered. */
export function hostileRequest(random: Random, token: string): HostileRequest {
  const authorization = `Authorization: Bearer ${token}`
  return random.pick<() => HostileRequest>([
    () => ({ what: 'noise', bytes: noise(random) }),
    () => ({ what: 'an odd request', bytes: Buffer.from(oddRequest(random, authorization), 'latin1') }),
    () => ({ what: 'smuggling', bytes: Buffer.from(smuggling(random, authorization), 'latin1') }),
    () => ({ what: 'a JSON bomb', bytes: jsonBomb(random, authorization) }),
    () => ({
      what: 'flipped bytes',
      bytes: flipped(
        random,
        lines('GET /api/files?project_id=acme HTTP/1.1', 'Host: x', authorization, 'Accept: */*')
      )
    })
  ])()
}
