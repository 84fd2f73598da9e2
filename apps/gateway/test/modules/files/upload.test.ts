import t from 'tap'
import { limits } from '@filewright/contracts'
import { AppError, createId } from '@filewright/runtime'
import { multipartBody, type MultipartPart } from '@filewright/testing'
import { clean, startTestGateway } from '../../helpers/test-gateway.js'

const project: MultipartPart = { name: 'project_id', value: 'acme' }
const textFile: MultipartPart = { name: 'file', filename: 'notes.txt', content: 'hello\n' }
const invalid = { error: 'File too large or invalid type' }

t.test('an upload', async (t) => {
  const gateway = await startTestGateway(t)

  t.test('answers 201 with exactly the specified properties', async (t) => {
    const response = await gateway.upload([project, textFile])

    t.equal(response.statusCode, 201)
    const { file, ...rest } = response.json()
    t.strictSame(rest, {})
    t.strictSame(Object.keys(file).sort(), ['created_at', 'id', 'name', 'size', 'type', 'url'])
    t.match(file, { name: 'notes.txt', size: 6, type: 'text/plain', url: `http://cdn.test/files/${file.id}` })
    t.match(file.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  t.test('sends the scanner ids, size and hash, never bytes', async (t) => {
    const response = await gateway.upload([project, textFile])

    const { id } = response.json().file
    t.strictSame(gateway.scanned.at(-1), {
      v: 1,
      fileId: id,
      blobKey: gateway.scanned.at(-1)?.blobKey,
      sizeBytes: 6,
      sha256: '5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03',
      requestId: response.headers['x-request-id'],
      tokenId: gateway.scanned.at(-1)?.tokenId
    })
  })

  t.test('returns the same result for every order of the fields', async (t) => {
    const fields: MultipartPart[] = [
      project,
      { name: 'folder', value: '/a/b/' },
      { name: 'description', value: 'words' },
      textFile
    ]
    const orders = fields.flatMap((first, i) =>
      fields.toSpliced(i, 1).flatMap((second, j) => {
        const [third, fourth] = fields.toSpliced(i, 1).toSpliced(j, 1) as [MultipartPart, MultipartPart]
        return [
          [first, second, third, fourth],
          [first, second, fourth, third]
        ]
      })
    )
    t.equal(orders.length, 24)

    for (const order of orders) {
      const response = await gateway.upload(order)
      t.equal(response.statusCode, 201)
      const record = await gateway.database.files.findReady(response.json().file.id)
      t.match(record, { projectId: 'acme', folder: 'a/b', description: 'words', name: 'notes.txt' })
    }
  })

  t.test('keeps the file name as uploaded: NFC, last path component, with quotes', async (t) => {
    for (const [sent, kept] of [
      ['re\u0301sume\u0301.txt', 'r\u00e9sum\u00e9.txt'],
      ['C:\\Users\\me\\a.txt', 'a.txt'],
      ['/etc/passwd', 'passwd'],
      ["it's; a=b.txt", "it's; a=b.txt"],
      ['日本語.txt', '日本語.txt'],
      ['.gitignore', '.gitignore']
    ] as const) {
      const response = await gateway.upload([project, { name: 'file', filename: sent, content: 'x' }])
      t.equal(response.json().file?.name, kept, sent)
    }
  })

  t.test('accepts an empty file', async (t) => {
    const response = await gateway.upload([project, { name: 'file', filename: '__init__.py', content: '' }])

    t.equal(response.statusCode, 201)
    t.match(response.json().file, { size: 0, type: 'text/x-python' })
  })

  t.test('stores the same bytes twice as two files', async (t) => {
    t.not(await gateway.store({ content: 'same' }), await gateway.store({ content: 'same' }))
  })

  t.test('ignores fields it does not know', async (t) => {
    const response = await gateway.upload([project, { name: 'utf8', value: '✓'.repeat(5_000) }, textFile])

    t.equal(response.statusCode, 201)
  })

  t.test('is refused, and leaves nothing on disk, when the form is wrong', async (t) => {
    const before = await gateway.filesOnDisk()
    const elf = Buffer.concat([Buffer.from('7f454c4602010100', 'hex'), Buffer.alloc(64)])
    const cases: Array<[string, MultipartPart[], string]> = [
      ['no file part', [project], invalid.error],
      ['the file sent as a plain field', [project, { name: 'file', value: 'hello' }], invalid.error],
      ['an empty file name', [project, { name: 'file', filename: '', content: 'x' }], invalid.error],
      ['two file parts', [project, textFile, textFile], invalid.error],
      [
        'a file under another name',
        [project, { name: 'upload', filename: 'a.txt', content: 'x' }],
        invalid.error
      ],
      [
        'an executable under an image name',
        [project, { name: 'file', filename: 'photo.png', content: elf }],
        invalid.error
      ],
      [
        'one byte too many',
        [project, { name: 'file', filename: 'a.txt', content: Buffer.alloc(limits.fileSizeBytes + 1, 'a') }],
        invalid.error
      ],
      ['a field named like a built-in', [project, { name: 'toString', value: 'x' }, textFile], invalid.error],
      ['no project', [textFile], 'project_id is required'],
      ['an empty project', [{ name: 'project_id', value: '' }, textFile], 'project_id is required'],
      [
        'a slash in the project',
        [{ name: 'project_id', value: 'a/b' }, textFile],
        'project_id must not contain slashes'
      ],
      ['two projects', [project, project, textFile], 'project_id must be given once'],
      [
        'a project as JSON',
        [{ name: 'project_id', value: '{"a":1}', contentType: 'application/json' }, textFile],
        'project_id must be plain text'
      ],
      [
        'a folder that climbs',
        [project, { name: 'folder', value: 'a/../b' }, textFile],
        "folder must not contain '.' or '..'"
      ],
      [
        'a folder after the file that climbs',
        [project, textFile, { name: 'folder', value: '..' }],
        "folder must not contain '.' or '..'"
      ],
      [
        'a description too long',
        [project, { name: 'description', value: 'd'.repeat(2_001) }, textFile],
        'description must be at most 2000 characters long'
      ],
      [
        'a description far too long',
        [project, { name: 'description', value: 'd'.repeat(20_000) }, textFile],
        'description is too long'
      ],
      [
        'a right-to-left override in the name',
        [project, { name: 'file', filename: 'a\u202etxt.exe', content: 'x' }],
        'file name must not contain text direction overrides'
      ],
      [
        'a name of 256 bytes',
        [project, { name: 'file', filename: 'n'.repeat(256), content: 'x' }],
        'file name must be at most 255 bytes long'
      ]
    ]

    for (const [what, parts, error] of cases) {
      const response = await gateway.upload(parts)
      t.equal(response.statusCode, 400, what)
      t.strictSame(response.json(), { error }, what)
    }
    t.strictSame(await gateway.filesOnDisk(), before)
  })

  t.test('is refused when the body is not a form, or is malformed', async (t) => {
    const authorization = `Bearer ${await gateway.token('*')}`
    const { body, contentType } = multipartBody([project, textFile])
    const cases: Array<[string, string | undefined, Buffer]> = [
      ['JSON', 'application/json', Buffer.from('{}')],
      ['plain text', 'text/plain', Buffer.from('hello')],
      ['no content type', undefined, Buffer.from('hello')],
      ['no boundary', 'multipart/form-data', body],
      ['another boundary', 'multipart/form-data; boundary=other', body],
      ['an empty body', contentType, Buffer.alloc(0)],
      ['cut in the middle of the file', contentType, body.subarray(0, body.indexOf('hello') + 2)],
      ['cut before the closing boundary', contentType, body.subarray(0, -10)],
      [
        'ended inside the header of its last part',
        contentType,
        Buffer.concat([
          body.subarray(0, body.lastIndexOf('------filewright')),
          Buffer.from(
            '------filewright-test-boundary\r\nContent-Disposition: form-data; name="a"\r\n------filewright-test-boundary--\r\n'
          )
        ])
      ],
      ['noise', contentType, Buffer.from('\u0000\r\n--\r\n\r\n--noise')]
    ]
    const before = await gateway.filesOnDisk()
    for (const [what, type, payload] of cases) {
      const response = await gateway.app.inject({
        method: 'POST',
        url: '/api/files/upload',
        headers: { authorization, ...(type === undefined ? {} : { 'content-type': type }) },
        payload
      })
      t.equal(response.statusCode, 400, what)
      t.strictSame(response.json(), invalid, what)
    }
    t.strictSame(await gateway.filesOnDisk(), before)
  })

  t.test(
    'returns the reason for a refusal in a header, and names a wrong field only in the message',
    async (t) => {
      const elf = Buffer.concat([Buffer.from('7f454c4602010100', 'hex'), Buffer.alloc(64)])
      const mp3 = Buffer.concat([Buffer.from('fffb9064', 'hex'), Buffer.alloc(400)])
      const file = (content: Buffer): MultipartPart => ({ name: 'file', filename: 'a.png', content })
      const tooLarge = Buffer.alloc(limits.fileSizeBytes + 1, 'a')
      const twoFiles = 'missing-file; a form holds exactly one file, in the field named file'
      const cases: Array<[string, MultipartPart[], string | undefined]> = [
        ['no file part', [project], 'missing-file; the form has no file'],
        ['two file parts', [project, textFile, textFile], twoFiles],
        ['an executable', [project, file(elf)], 'unsupported-type; executable files are not accepted'],
        ['audio', [project, file(mp3)], 'unsupported-type; audio is not accepted'],
        [
          'unknown',
          [project, file(Buffer.alloc(9))],
          "unsupported-type; the file's kind could not be identified"
        ],
        ['one byte too many', [project, file(tooLarge)], 'too-large; a file has at most 52428800 bytes'],
        ['no project', [textFile], undefined]
      ]

      for (const [what, parts, rejection] of cases) {
        const response = await gateway.upload(parts)
        t.equal(response.statusCode, 400, what)
        t.equal(response.headers['x-rejection'], rejection, what)
      }
      const noForm = await gateway.app.inject({
        method: 'POST',
        url: '/api/files/upload',
        headers: { authorization: `Bearer ${await gateway.token('*')}`, 'content-type': 'application/json' },
        payload: '{}'
      })
      t.equal(noForm.headers['x-rejection'], 'malformed-form; the body is not a multipart form')
    }
  )

  t.test('reports malware without its name, and in one line why content could not be scanned', async (t) => {
    const long = `the archive \r\nX-Evil: 1 ${'é'.repeat(300)}`
    for (const [result, rejection] of [
      [{ verdict: 'infected', signature: 'Eicar-Test' }, 'malware; malware was found'],
      [{ verdict: 'unscannable' }, 'unscannable; the content cannot be scanned'],
      [{ verdict: 'unscannable', reason: 'it is encrypted' }, 'unscannable; it is encrypted'],
      [{ verdict: 'unscannable', reason: long }, `unscannable; the archive ??X-Evil: 1 ${'?'.repeat(176)}`]
    ] as const) {
      gateway.onScan(async () => ({ engine: 'test/1', ...result }))
      t.equal((await gateway.upload([project, textFile])).headers['x-rejection'], rejection)
    }
    gateway.onScan(async () => clean)
  })

  t.test(
    'of an infected file gets 400, is visible nowhere, and keeps the verdict for the operator',
    async (t) => {
      gateway.onScan(async () => ({ verdict: 'infected', signature: 'Eicar-Test', engine: 'test/1' }))

      const response = await gateway.upload([project, textFile])

      t.equal(response.statusCode, 400)
      t.strictSame(response.json(), { error: 'File rejected by security scan' })
      const { fileId, blobKey } = gateway.scanned.at(-1)!
      for (const url of [
        `/api/files/${fileId}`,
        `/api/files/${fileId}/download`,
        `/files/${fileId}/download`,
        `/cdn/files/${fileId}`
      ]) {
        t.equal((await gateway.get(url)).statusCode, 404, url)
      }
      t.equal(await gateway.blobs.stat(blobKey), null)
      t.strictSame(await gateway.database.files.findStates([fileId]), new Map([[fileId, 'quarantined']]))
    }
  )

  t.test('of a file that cannot be scanned also gets 400', async (t) => {
    gateway.onScan(async () => ({ verdict: 'unscannable', engine: 'test/1' }))

    t.equal((await gateway.upload([project, textFile])).statusCode, 400)
  })

  t.test('without a verdict gets 503 with Retry-After and leaves neither row nor blob', async (t) => {
    for (const code of [
      'QUEUE_UNAVAILABLE',
      'SCAN_UNAVAILABLE',
      'DEADLINE_EXCEEDED',
      'OVERLOADED',
      'JOB_FAILED',
      'WORKER_LOST'
    ] as const) {
      gateway.onScan(async () => {
        throw new AppError(code, 'scripted')
      })
      const response = await gateway.upload([project, textFile])
      t.equal(response.statusCode, 503, code)
      t.strictSame(response.json(), { error: 'Security scan unavailable, try again later' })
      t.ok(response.headers['retry-after'])
      const { fileId, blobKey } = gateway.scanned.at(-1)!
      t.equal(await gateway.blobs.stat(blobKey), null)
      t.equal((await gateway.database.files.findStates([fileId])).size, 0)
    }
  })

  t.test('with a verdict for another file is not published, whichever part differs', async (t) => {
    const other = { fileId: createId(), sizeBytes: 4_711, sha256: 'a'.repeat(64) }
    const { fileId, sizeBytes, sha256 } = other
    for (const wrong of [{ fileId }, { sizeBytes }, { sha256 }, other]) {
      gateway.onScan(async () => ({ ...clean, ...wrong }))

      const response = await gateway.upload([project, textFile])

      t.equal(response.statusCode, 503, Object.keys(wrong).join())
      const { fileId: refused, blobKey } = gateway.scanned.at(-1)!
      t.equal((await gateway.get(`/cdn/files/${refused}`)).statusCode, 404)
      t.equal(await gateway.blobs.stat(blobKey), null)
    }
  })

  t.test('whose verdict has a wrong signature is neither published nor quarantined', async (t) => {
    const forged = { seal: undefined, short: 'ab', other: 'a'.repeat(64) }
    for (const [what, seal] of Object.entries(forged)) {
      for (const verdict of ['clean', 'infected', 'unscannable'] as const) {
        gateway.onScan(async () => ({ verdict, engine: 'test/1', ...({ seal } as { seal: string }) }))

        const response = await gateway.upload([project, textFile])

        t.equal(response.statusCode, 503, `${verdict}, ${what}`)
        const { fileId, blobKey } = gateway.scanned.at(-1)!
        t.equal((await gateway.get(`/cdn/files/${fileId}`)).statusCode, 404)
        t.equal((await gateway.database.files.findStates([fileId])).size, 0)
        t.equal(await gateway.blobs.stat(blobKey), null)
      }
    }
  })

  t.test('whose lease expired before the verdict is not published', async (t) => {
    gateway.onScan(async ({ fileId }) => {
      await gateway.database.files.markAbandoned(fileId)
      return clean
    })

    const response = await gateway.upload([project, textFile])

    t.equal(response.statusCode, 503)
    t.equal((await gateway.get(`/api/files/${gateway.scanned.at(-1)!.fileId}`)).statusCode, 404)
  })
})

t.test('a row that became ready although its reply was lost is withdrawn', async (t) => {
  let lose = true
  const gateway = await startTestGateway(t, {
    wrapFiles: (files) => ({
      ...files,
      publish: async (...args) => {
        const outcome = await files.publish(...args)
        if (lose) throw new AppError('DATABASE_UNAVAILABLE', 'connection lost after commit')
        return outcome
      }
    })
  })

  const response = await gateway.upload([project, textFile])
  lose = false

  t.equal(response.statusCode, 503)
  t.equal((await gateway.get(`/api/files/${gateway.scanned[0]!.fileId}`)).statusCode, 404)
  t.strictSame(await gateway.filesOnDisk(), [])
})

t.test(
  'an upload to the store of another installation is refused before its body, and leaves nothing',
  async (t) => {
    const assertOpen = (): never => {
      throw new AppError('STORE_MISMATCH', 'not our store')
    }
    const gateway = await startTestGateway(t, { assertOpen })

    const response = await gateway.upload([project, textFile])

    t.equal(response.statusCode, 503)
    t.equal(response.headers['retry-after'], '5')
    t.strictSame(gateway.scanned, [])
    t.strictSame(await gateway.filesOnDisk(), [])
  }
)
