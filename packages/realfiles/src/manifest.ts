import { readFile } from 'node:fs/promises'
import { Type, Value, type Static } from '@filewright/schema'
import type { Sample } from './sample.js'

const Line = Type.Object({
  /** Patterns of file names; `*` stands for anything. Case does not matter. */
  files: Type.Array(Type.String()),
  /** Patterns of their source, such as the name of a recipe; by default any source. */
  sources: Type.Optional(Type.Array(Type.String())),
  kind: Type.Union([
    Type.Literal('code'),
    Type.Literal('image'),
    Type.Literal('document'),
    Type.Literal('archive'),
    Type.Literal('other')
  ]),
  expect: Type.Union([Type.Literal('accepted'), Type.Literal('refused'), Type.Literal('either')]),
  /** Media types that an accepted file may have; `text/*` stands for all of a family. */
  types: Type.Optional(Type.Array(Type.String())),
  /** Codes that a refusal may have. */
  codes: Type.Optional(Type.Array(Type.String())),
  /** Why the file differs from what its name suggests. */
  reason: Type.Optional(Type.String())
})
type Line = Static<typeof Line>

const Manifest = Type.Object({
  /** Tolerated shares of the files that should be accepted. */
  tolerances: Type.Record(Type.String(), Type.Object({ refused: Type.Number(), wrongType: Type.Number() })),
  clamdPeakMb: Type.Number(),
  /** The first line that fits a name counts. */
  formats: Type.Array(Line),
  /** Containers that are accepted although they contain the test file, with the reason. */
  outOfReach: Type.Array(Type.Object({ containers: Type.Array(Type.String()), reason: Type.String() }))
})
export type Manifest = Static<typeof Manifest>
export type Expectation = Omit<Line, 'files' | 'sources'>

export async function readManifest(): Promise<Manifest> {
  const text = await readFile(new URL('../../manifest.json', import.meta.url), 'utf8')
  return parseManifest(JSON.parse(text))
}

export const parseManifest = (value: unknown): Manifest => Value.Parse(Manifest, value)

export function matchesPattern(name: string, pattern: string): boolean {
  const parts = pattern
    .toLowerCase()
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`, 's').test(name.toLowerCase())
}

type NamedFile = Pick<Sample, 'name' | 'source'>

/**
 * The manifest's expectation for a file name. A file with an unknown name is expected to be code if its bytes
 * are text.
 */
export function expectationOf(
  { formats }: Manifest,
  { name, source }: NamedFile,
  bytes: Buffer
): Expectation {
  const line = formats.find(
    ({ files, sources = ['*'] }) =>
      files.some((pattern) => matchesPattern(name, pattern)) &&
      sources.some((pattern) => matchesPattern(source, pattern))
  )
  if (line !== undefined) return line
  return isText(bytes) ? { kind: 'code', expect: 'accepted' } : { kind: 'other', expect: 'either' }
}

const LOOKED_AT_BYTES = 64 * 1024

function isText(bytes: Buffer): boolean {
  const start = bytes.subarray(0, LOOKED_AT_BYTES)
  if (start.includes(0)) return false
  try {
    // In stream mode, because a character may be truncated at the end.
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true })
    return true
  } catch {
    return false
  }
}

export function outOfReachReason({ outOfReach }: Manifest, container: string): string | undefined {
  return outOfReach.find(({ containers }) => containers.some((pattern) => matchesPattern(container, pattern)))
    ?.reason
}
