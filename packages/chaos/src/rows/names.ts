import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { uniqueText, sha256 } from '@filewright/acceptance'
import { multipartBody, type MultipartPart } from '@filewright/testing'
import type { Rig } from '../harness/rig.js'
import type { Row, Tally } from '../harness/row.js'
import { hostileText, MARK } from '../hostile/names.js'
import { exchange, type RawAnswer } from '../hostile/raw.js'

const project = 'hostile-names'
const DISPOSITION =
  /^(?:attachment|inline); filename="(?:[^"\\]|\\["\\])*"; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]+)$/

/** Every order of a list. */
function permutations<T>(list: readonly T[]): T[][] {
  return list.length < 2
    ? [[...list]]
    : list.flatMap((first, i) => permutations(list.toSpliced(i, 1)).map((rest) => [first, ...rest]))
}

async function post(rig: Rig, parts: MultipartPart[]): Promise<{ status: number; body: any }> {
  const { body, contentType } = multipartBody(parts)
  const response = await fetch(`${rig.stack.baseUrl}/api/files/upload`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${rig.stack.token}`, 'content-type': contentType }
  })
  return { status: response.status, body: await response.json() }
}

async function allOrders(rig: Rig, tally: Tally): Promise<void> {
  const content = uniqueText(5_000)
  const parts: MultipartPart[] = [
    { name: 'project_id', value: project },
    { name: 'folder', value: 'a/b' },
    { name: 'description', value: 'some words' },
    { name: 'file', filename: 'order.txt', content }
  ]
  const seen = new Set<string>()
  for (const order of permutations(parts)) {
    tally.operations++
    tally.injected++
    const { status, body } = await post(rig, order)
    if (status !== 201) {
      tally.violate(`${order.map(({ name }) => name).join()}: ${status}`)
      continue
    }
    tally.hit++
    const [row] = await rig.sql(
      'SELECT project_id, folder, description, name, size_bytes::int, type, sha256, state FROM files WHERE id = $1',
      [body.file.id]
    )
    seen.add(JSON.stringify([row, body.file.name, body.file.size, body.file.type]))
  }
  tally.expect(
    seen.size === 1 && [...seen][0]?.includes(sha256(content)) === true,
    `24 orders gave ${seen.size} results`
  )
}

/**
 * Checks that the response has the same headers as for any other file, each once, and that the name is
 * returned unchanged.
 */
function checkDownload(
  tally: Tally,
  what: string,
  { status, headers, body }: RawAnswer,
  plain: RawAnswer,
  name: string,
  content: Buffer
): void {
  tally.expect(
    status === 200 && body.equals(content),
    `${what}: came back as ${status} of ${body.length} bytes`
  )
  const [own, expected] = [headers, plain.headers].map((all) => [...all.keys()].sort().join())
  tally.expect(own === expected, `${what}: headers ${own ?? ''}`)
  const value = headers.get('content-disposition') ?? ''
  const encoded = DISPOSITION.exec(value)?.[1]
  tally.expect(encoded !== undefined && decodeURIComponent(encoded) === name, `${what}: ${value}`)
}

export const names: Row = {
  name: 'field orders; hostile names and folders',
  promises: ['P2', 'P7'],
  target: '24 of 24 orders; 500 names',
  counts: { quick: 60, full: 500 },
  run: async ({ rig, tally, count, random, say }) => {
    const filesBefore = await filesIn(rig)
    const download = async (id: string, path: string): Promise<RawAnswer> => {
      const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${rig.stack.token}\r\nConnection: close\r\n\r\n`
      const { answers, rest } = await exchange(rig.stack.baseUrl, request)
      tally.expect(
        answers.length === 1 && rest.length === 0,
        `${id}: ${answers.length} answers and ${rest.length} more bytes`
      )
      return answers[0] ?? { status: 0, headers: new Map(), body: Buffer.alloc(0) }
    }
    const pathsOf = (id: string): string[] => [
      `/api/files/${id}/download`,
      `/files/${id}/download`,
      `/cdn/files/${id}`
    ]

    await allOrders(rig, tally)
    const plainId = (
      await post(rig, [
        { name: 'project_id', value: project },
        { name: 'file', filename: 'plain.txt', content: 'plain' }
      ])
    ).body.file.id as string
    const plain = new Map(
      await Promise.all(pathsOf(plainId).map(async (path, i) => [i, await download(plainId, path)] as const))
    )

    let taken = 0
    for (let index = 0; index < count; index++) {
      const draw = random.fork(index)
      const [filename, folder] = [hostileText(draw), hostileText(draw)]
      const content = uniqueText(200)
      tally.operations++
      tally.injected++
      const { status, body } = await post(rig, [
        { name: 'project_id', value: project },
        ...(draw.below(2) === 0 ? [{ name: 'folder', value: folder }] : []),
        { name: 'file', filename, content }
      ])
      const what = JSON.stringify(filename)
      if (status === 201 || status === 400) tally.hit++
      tally.expect(
        status === 201 || (status === 400 && typeof body.error === 'string'),
        `${what}: ${status} ${JSON.stringify(body)}`
      )
      tally.expect(
        !JSON.stringify(body).includes('\\u0000') && !/[\r\n]/.test(String(body.error)),
        `${what}: ${JSON.stringify(body)}`
      )
      if (status !== 201) continue
      taken++
      const { id, name } = body.file as { id: string; name: string }
      tally.expect(
        !/[/\\]/.test(name) && name === name.normalize('NFC') && name !== '..',
        `${what} became ${JSON.stringify(name)}`
      )
      for (const [i, path] of pathsOf(id).entries()) {
        checkDownload(
          tally,
          `${what} at ${path}`,
          await download(id, path),
          plain.get(i) as RawAnswer,
          name,
          content
        )
      }
    }

    say(`${taken} of ${count} names were accepted`)
    tally.expect(taken > 0, 'no name was taken')
    const strays = (await filesIn(rig)).filter(
      (path) =>
        !filesBefore.includes(path) &&
        !/^(blobs\/[0-9A-Za-z]\/[0-9A-Za-z]{22}|(logs|run|redis|postgres)\/.+)$/.test(path)
    )
    tally.expect(strays.length === 0, `new outside the store: ${strays.join()}`)
    for (const folder of [tmpdir(), process.cwd()]) {
      tally.expect(
        !(await readdir(folder)).some((name) => name.includes(MARK)),
        `a test file was written to ${folder}`
      )
    }
  }
}

async function filesIn(rig: Rig): Promise<string[]> {
  return await readdir(rig.stack.dataDir, { recursive: true }).then((all) =>
    all.filter((path) => !/^(blobs|logs|run|blobs\/[0-9A-Za-z]|blobs\/tmp)$/.test(path))
  )
}
