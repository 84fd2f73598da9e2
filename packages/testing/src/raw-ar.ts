export interface RawArEntry {
  name: string
  data: Buffer
}

/**
 * Writes an ar archive in the common form of `ar rc`: names of up to 15 characters, data filled up to an even
 * length.
 */
export function rawAr(entries: RawArEntry[]): Buffer {
  const members = entries.flatMap(({ name, data }) => {
    const fields: Array<[string, number]> = [
      [`${name}/`, 16],
      ['0', 12],
      ['0', 6],
      ['0', 6],
      ['100644', 8],
      [String(data.length), 10]
    ]
    const header = fields.map(([text, length]) => text.padEnd(length)).join('')
    return [Buffer.from(`${header}\`\n`), data, Buffer.from('\n'.repeat(data.length % 2))]
  })
  return Buffer.concat([Buffer.from('!<arch>\n'), ...members])
}
