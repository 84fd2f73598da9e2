import type { Budget } from './budget.js'
import type { Guards } from './guard-result.js'
import { Refusal } from './refusals.js'
import { hasOnlyZerosLeft, memberOf, type SequentialReader } from './sequential-reader.js'

/** The longest path that operating systems allow. */
const MAX_NAME_BYTES = 4096
const MAGIC_BYTES = 6
const FILE_TYPE_MASK = 0o170000
const REGULAR_FILE = 0o100000
const SYMBOLIC_LINK = 0o120000

interface Variant {
  headerBytes: number
  digits: RegExp
  base: number
  /** The offset of each field in the header, and its number of digits. */
  mode: [number, number]
  nameBytes: [number, number]
  sizeBytes: [number, number]
  /** The header with the name, and the data, are padded to a multiple of this. */
  alignment: number
}

const newc: Variant = {
  headerBytes: 110,
  digits: /^[0-9a-fA-F]+$/,
  base: 16,
  mode: [14, 8],
  nameBytes: [94, 8],
  sizeBytes: [54, 8],
  alignment: 4
}
const odc: Variant = {
  headerBytes: 76,
  digits: /^[0-7]+$/,
  base: 8,
  mode: [18, 6],
  nameBytes: [59, 6],
  sizeBytes: [65, 11],
  alignment: 1
}
const variants = new Map([
  ['070701', newc],
  ['070702', newc],
  ['070707', odc]
])

const MAGICS = [...variants.keys()].map((magic) => Buffer.from(magic))

export function isCpio(head: Buffer): boolean {
  return MAGICS.some((magic) => head.subarray(0, magic.length).equals(magic))
}

/**
 * Unpackers skip bytes that are not a header and search for the next one; clamd stops there. So each member
 * must follow the previous one directly.
 */
export async function guardCpio(
  reader: SequentialReader,
  { budget, guards }: { budget: Budget; guards: Pick<Guards, 'member'> }
): Promise<void> {
  let magic: string | null = null
  for (;;) {
    budget.countEntry()
    const start = (await reader.read(MAGIC_BYTES)).toString('latin1')
    const variant = variants.get(magic ?? start)
    if (variant === undefined || start !== (magic ?? start)) throw new Refusal('CpioBroken')
    magic = start
    const { mode, sizeBytes, name } = await readHeader(reader, variant)
    if (name === 'TRAILER!!!') {
      if (sizeBytes !== 0) throw new Refusal('CpioBroken')
      break
    }
    const type = mode & FILE_TYPE_MASK
    if (sizeBytes > 0 && type !== REGULAR_FILE && type !== SYMBOLIC_LINK) throw new Refusal('CpioHiddenData')
    const member = memberOf(reader, sizeBytes)
    await guards.member(member, { unseen: false })
    await member.finish()
    await reader.skip(paddingOf(sizeBytes, variant))
  }
  if (!(await hasOnlyZerosLeft(reader))) throw new Refusal('CpioTrailingData')
}

/** Reads the header after the magic number, up to the data. */
async function readHeader(
  reader: SequentialReader,
  variant: Variant
): Promise<{ mode: number; sizeBytes: number; name: string }> {
  const length = variant.headerBytes - MAGIC_BYTES
  const fields = (await reader.read(length)).toString('latin1')
  if (fields.length < length || !variant.digits.test(fields)) throw new Refusal('CpioBroken')
  const field = ([at, digits]: [number, number]): number =>
    Number.parseInt(fields.slice(at - MAGIC_BYTES, at - MAGIC_BYTES + digits), variant.base)
  const nameBytes = field(variant.nameBytes)
  if (nameBytes < 2 || nameBytes > MAX_NAME_BYTES) throw new Refusal('CpioBroken')
  const name = (await reader.read(nameBytes)).toString('latin1')
  // Exactly one NUL, at the end: otherwise two programs could read different names.
  if (name.length < nameBytes || name.indexOf('\0') !== nameBytes - 1) throw new Refusal('CpioBroken')
  await reader.skip(paddingOf(variant.headerBytes + nameBytes, variant))
  return { mode: field(variant.mode), sizeBytes: field(variant.sizeBytes), name: name.slice(0, -1) }
}

function paddingOf(bytes: number, { alignment }: Variant): number {
  return (alignment - (bytes % alignment)) % alignment
}
