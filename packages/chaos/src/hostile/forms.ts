import { uniqueText } from '@filewright/acceptance'
import { multipartBody, type MultipartPart } from '@filewright/testing'
import type { Random } from '../harness/random.js'

export interface HostileForm {
  body: Buffer
  contentType: string
}

const BOUNDARY = 'fuzz'
const PIECES = [
  `\r\n--${BOUNDARY}\r\n`,
  `--${BOUNDARY}--`,
  '\r\n\r\n',
  '\r',
  '\n',
  '"',
  '\0',
  ';',
  '=',
  'Content-Disposition: form-data; name="file"; filename="b.txt"\r\n',
  'Content-Disposition: form-data; name="project_id"\r\n',
  'Content-Type: application/json\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  "filename*=utf-8''%",
  'name="__proto__"',
  '\ud83d\ude00',
  '%0d%0a'
]
const CONTENT_TYPES = [
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary="${BOUNDARY}`,
  `multipart/form-data; boundary=${'x'.repeat(300)}`,
  `multipart/form-data; boundary=${BOUNDARY}; boundary=other`,
  `multipart/mixed; boundary=${BOUNDARY}`,
  `MULTIPART/FORM-DATA;BOUNDARY=${BOUNDARY}`,
  'application/x-www-form-urlencoded',
  'application/json',
  'text/plain',
  `multipart/form-data; charset=utf-7; boundary=${BOUNDARY}`
]
const VALUES = [
  '',
  ' ',
  '\0',
  '..',
  '../..',
  '/',
  '\\',
  'a/b',
  'x'.repeat(9_000),
  '\u202e',
  '\ud800',
  '{"a":1}',
  'null',
  '%2e%2e',
  'CON',
  '\r\nX-Injected: 1'
]

/** A valid or nearly valid form, before its bytes are changed. */
function partsOf(random: Random, project: string): MultipartPart[] {
  const oddOr = (usual: string): string => (random.below(6) === 0 ? random.pick(VALUES) : usual)
  const parts: MultipartPart[] = [
    { name: 'project_id', value: oddOr(project) },
    {
      name: 'file',
      filename: oddOr(`${random.below(1e9)}.txt`),
      content:
        random.below(8) === 0
          ? Buffer.alloc(random.below(200_000), random.below(256))
          : uniqueText(random.between(0, 300))
    }
  ]
  if (random.below(3) === 0) parts.push({ name: 'folder', value: oddOr('a/b') })
  if (random.below(3) === 0) parts.push({ name: 'description', value: oddOr('words') })
  if (random.below(12) === 0) parts.push(random.pick(parts))
  if (random.below(12) === 0) {
    parts.push(...Array.from({ length: random.below(80) }, (_, i) => ({ name: `own${i}`, value: 'x' })))
  }
  if (random.below(20) === 0) parts.splice(random.below(parts.length), 1)
  return random.shuffled(parts)
}

function mutate(random: Random, body: Buffer): Buffer {
  const at = random.below(body.length + 1)
  switch (random.below(5)) {
    case 0:
      return Buffer.concat([body.subarray(0, at), Buffer.from(random.pick(PIECES)), body.subarray(at)])
    case 1:
      return Buffer.concat([body.subarray(0, at), body.subarray(at + random.below(80))])
    case 2:
      return body.subarray(0, at)
    case 3:
      return Buffer.concat([body.subarray(0, at), body.subarray(random.below(body.length + 1))])
    default: {
      const copy = Buffer.from(body)
      for (let i = random.below(6); i >= 0 && copy.length > 0; i--) {
        copy[random.below(copy.length)] = random.below(256)
      }
      return copy
    }
  }
}

export function hostileForm(random: Random, project: string): HostileForm {
  let { body, contentType } = multipartBody(partsOf(random, project), BOUNDARY)
  for (let edits = random.below(4); edits > 0; edits--) body = mutate(random, body)
  return { body, contentType: random.below(15) === 0 ? random.pick(CONTENT_TYPES) : contentType }
}
