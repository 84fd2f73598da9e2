import { Readable } from 'node:stream'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import t from 'tap'
import { limits } from '@filewright/contracts'
import { AppError, InvalidFieldError } from '@filewright/runtime'
import { fuzzParameters } from '@filewright/testing'
import { parseListQuery } from '../../../src/modules/files/list-query.js'
import type { FormPart, UploadField } from '../../../src/modules/files/upload-form.js'
import { readParts } from '../../../src/modules/files/upload-parts.js'
import { startTestGateway } from '../../helpers/test-gateway.js'

// The gateway checks these fields itself, for messages that name the violated rule. It must accept exactly
// what the published schema allows, as another validator reads it.

const gateway = await startTestGateway(t)
const document = (await gateway.get('/openapi.json')).json()
const ajv = new Ajv2020({ strict: false })
ajv.addFormat('binary', true)

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: object
}
const parameters: Parameter[] = document.paths['/api/files'].get.parameters
const inQuery = parameters.filter((parameter) => parameter.in === 'query')
const allowsQuery = ajv.compile({
  type: 'object',
  properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])),
  required: inQuery.filter(({ required }) => required).map(({ name }) => name)
})
const allowsForm = ajv.compile(document.components.schemas.UploadForm)

/** The one rule that JSON Schema cannot express: bytes are counted without the slashes at both ends. */
const BYTES_RULE = `must be at most ${limits.folderBytes} bytes long`

type Outcome = 'taken' | 'refused' | 'too many bytes'

function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof AppError)) throw error
  const isOfBytes =
    error instanceof InvalidFieldError && error.field === 'folder' && error.rule === BYTES_RULE
  return isOfBytes ? 'too many bytes' : 'refused'
}

function createTally() {
  const seen: Record<Outcome, number> = { taken: 0, refused: 0, 'too many bytes': 0 }
  return {
    seen,
    compare(outcome: Outcome, isAllowed: boolean, input: unknown): void {
      seen[outcome]++
      if (outcome === 'too many bytes' || isAllowed === (outcome === 'taken')) return
      throw new Error(`gateway and schema do not agree on ${JSON.stringify(input)}`)
    }
  }
}

/** The query as a client has it before encoding: integers are sent as digits. */
function decoded(query: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const isNumber =
        (name === 'page' || name === 'limit') && typeof value === 'string' && /^\d{1,10}$/.test(value)
      return [name, isNumber ? Number(value) : value]
    })
  )
}

const joined = (parts: readonly string[], maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...parts), { maxLength }).map((some) => some.join(''))

const pieces = [
  'a',
  'Z',
  '7',
  '0',
  ' ',
  '.',
  '..',
  '/',
  '//',
  '\\',
  '*',
  '+',
  '-',
  '_',
  '#',
  'é',
  'e\u0301',
  '日',
  '😀',
  'image',
  'Image',
  'CODE',
  'png',
  'image/*',
  '\u0000',
  '\n',
  '\u007f',
  '\u0085',
  '\u00a0',
  '\u00ad',
  '\u200b',
  '\u2028',
  '\u2029',
  '\u202e',
  '\u2066',
  '\ufeff',
  '\ufffd',
  '\ud800',
  '\udc00',
  '\u{e0001}'
]
const lengths = [127, 128, 129, 255, 256, 257, 512, 513, 1_999, 2_000, 2_001]
/** Includes lone surrogates. The Kelvin sign is left out: the type filter treats it as a k. */
const codeUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 8 })
  .map((units) => String.fromCharCode(...units).replaceAll('\u212a', 'k'))
const text = fc.oneof(
  { weight: 4, arbitrary: joined(pieces, 6) },
  { weight: 2, arbitrary: joined(['a', 'b', '.', '/', 'x1'], 8) },
  { weight: 2, arbitrary: codeUnits },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('a', 'é', '😀', 'a/'), fc.constantFrom(...lengths))
      .map(([unit, times]) => unit.repeat(times))
  }
)
const mediaType = fc
  .tuple(
    fc.constantFrom('image', 'TEXT', 'a.b+c', 'x'.repeat(127), 'x'.repeat(128), '-x', ''),
    fc.constantFrom('/', '', '//'),
    fc.constantFrom('png', '*', 'PNG', '**', 'v'.repeat(128), 'd.e')
  )
  .map((parts) => parts.join(''))
const number = fc.oneof(
  fc.integer({ min: -2, max: 200 }).map(String),
  fc.constantFrom('', '007', '1e2', '0x10', ' 1', '1 ', '1.0', '+1', '١', 'NaN', '00000000001'),
  fc.constantFrom('999999999', '1000000000', '1000000001', '9999999999'),
  text
)

/** Mostly valid values: otherwise a query of seven fields would hardly ever be accepted. */
const mostly = (good: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: value })
/** A repeated parameter arrives as an array. */
const orTwice = (value: fc.Arbitrary<string>): fc.Arbitrary<string | string[]> =>
  fc.oneof(
    { weight: 19, arbitrary: value },
    { weight: 1, arbitrary: fc.array(value, { minLength: 2, maxLength: 2 }) }
  )

const RUNS = 20_000

t.test('the list accepts exactly the queries that its published parameters allow', async (t) => {
  const { seen, compare } = createTally()
  const query = fc.record(
    {
      project_id: orTwice(mostly('acme', text)),
      folder: orTwice(mostly('a/b', text)),
      type: orTwice(mostly('image/*', fc.oneof(mediaType, text))),
      search: orTwice(mostly('notes', text)),
      sort: orTwice(
        mostly('-name', fc.oneof(fc.constantFrom('created_at', 'size', '-size', '--size', 'Name', ''), text))
      ),
      page: orTwice(mostly('1', number)),
      limit: orTwice(mostly('20', number))
    },
    { requiredKeys: [] }
  )
  const outcome = (input: Record<string, unknown>): Outcome => {
    try {
      parseListQuery(input)
      return 'taken'
    } catch (error) {
      return outcomeOf(error)
    }
  }

  fc.assert(
    fc.property(query, (input) => compare(outcome(input), allowsQuery(decoded(input)), input)),
    fuzzParameters(t, RUNS)
  )

  t.ok(seen.taken > 100 && seen.refused > 100, JSON.stringify(seen))
})

t.test('the upload accepts exactly the fields that its published form allows', async (t) => {
  const { seen, compare } = createTally()
  const anybody = {
    tokenId: 'a',
    tokenName: 'ci',
    isOperator: false,
    expiresAt: null,
    projects: '*' as const,
    quota: { maxFiles: null, maxBytes: null }
  }
  const fields = fc.record(
    {
      project_id: mostly('acme', text),
      folder: mostly('a/b', text),
      description: mostly('two\nlines', text)
    },
    { requiredKeys: [] }
  )
  async function* formOf(input: Partial<Record<UploadField, string>>): AsyncGenerator<FormPart> {
    for (const [name, value] of Object.entries(input)) {
      yield { kind: 'field', name: name as UploadField, value }
    }
    yield { kind: 'file', name: 'file', fileName: 'a.txt', body: Readable.from([]) }
  }

  await fc.assert(
    fc.asyncProperty(fields, async (input) => {
      const reading = readParts(anybody, formOf(input), async () => 'received')
      compare(await reading.then(() => 'taken', outcomeOf), allowsForm({ file: 'bytes', ...input }), input)
    }),
    fuzzParameters(t, RUNS)
  )

  t.ok(seen.taken > 100 && seen.refused > 100, JSON.stringify(seen))
})
