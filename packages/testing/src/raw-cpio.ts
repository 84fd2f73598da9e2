export interface RawCpioEntry {
  name?: string
  data: Buffer
  mode?: number
  magic?: string
  /** False values of the header. */
  nameBytes?: number
  sizeBytes?: number
  /** Bytes between this member and the next. */
  after?: Buffer
}

export interface RawCpioOptions {
  form?: 'newc' | 'odc'
  trailer?: boolean
  after?: Buffer
}

/** Writes any cpio in the text formats, valid or not. */
export function rawCpio(
  entries: RawCpioEntry[],
  { form = 'newc', trailer = true, after = Buffer.alloc(0) }: RawCpioOptions = {}
): Buffer {
  const all = trailer ? [...entries, { name: 'TRAILER!!!', data: Buffer.alloc(0), mode: 0 }] : entries
  const write = form === 'newc' ? newcEntry : odcEntry
  return Buffer.concat([
    ...all.flatMap((entry, i) => [write(entry, i + 1), entry.after ?? Buffer.alloc(0)]),
    after
  ])
}

const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])

function newcEntry(
  { name = 'a.txt', data, mode = 0o100644, magic = '070701', nameBytes, sizeBytes }: RawCpioEntry,
  inode: number
): Buffer {
  const fields = [
    inode,
    mode,
    0,
    0,
    1,
    0,
    sizeBytes ?? data.length,
    0,
    0,
    0,
    0,
    nameBytes ?? name.length + 1,
    0
  ]
  const header = `${magic}${fields.map((field) => field.toString(16).toUpperCase().padStart(8, '0')).join('')}`
  return Buffer.concat([padded(Buffer.from(`${header}${name}\0`)), padded(data)])
}

function odcEntry(
  { name = 'a.txt', data, mode = 0o100644, magic = '070707', nameBytes, sizeBytes }: RawCpioEntry,
  inode: number
): Buffer {
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')
  const short = [1, inode, mode, 0, 0, 1, 0].map((field) => octal(field, 6)).join('')
  const header = `${magic}${short}${octal(0, 11)}${octal(nameBytes ?? name.length + 1, 6)}${octal(sizeBytes ?? data.length, 11)}`
  return Buffer.concat([Buffer.from(`${header}${name}\0`), data])
}
