export interface RawTarEntry {
  name?: string
  data: Buffer
  type?: string
  /** False values of the header. */
  sizeField?: Buffer
  checksum?: number
}

/** Writes any tar, valid or not. */
export function rawTar(entries: RawTarEntry[], { after = Buffer.alloc(0) }: { after?: Buffer } = {}): Buffer {
  const parts = entries.flatMap(({ name = 'a.txt', data, type = '0', sizeField, checksum }) => {
    const header = Buffer.alloc(512)
    header.write(name, 0, 100)
    header.write('0000644\0', 100)
    header.write('0000000\0', 108)
    header.write('0000000\0', 116)
    if (sizeField === undefined) header.write(`${data.length.toString(8).padStart(11, '0')}\0`, 124)
    else sizeField.copy(header, 124)
    header.write('00000000000\0', 136)
    header.write('        ', 148)
    header.write(type, 156, 'latin1')
    header.write('ustar\0' + '00', 257)
    const sum = checksum ?? header.reduce((total, byte) => total + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, data, Buffer.alloc((512 - (data.length % 512)) % 512)]
  })
  return Buffer.concat([...parts, Buffer.alloc(1024), after])
}

/** One record of a pax header: its length counts itself. */
export function paxRecord(key: string, value: string): Buffer {
  const rest = ` ${key}=${value}\n`
  let length = rest.length + 1
  while (String(length).length + rest.length !== length) length++
  return Buffer.from(`${length}${rest}`)
}
