const MAX_RUN = 255

/** Writes a bzip2 file of one block in a simple way: all codes have the same length. For some kilobytes. */
export function rawBzip2(data: Buffer): Buffer {
  const bits: string[] = []
  const put = (value: number, count: number): void => {
    bits.push(value.toString(2).padStart(count, '0'))
  }
  const putHex = (hex: string): void => {
    for (const digit of hex) put(Number.parseInt(digit, 16), 4)
  }
  const crc = bzip2Crc(data)

  putHex(Buffer.from('BZh1').toString('hex'))
  if (data.length > 0) {
    const { column, origin } = sortRotations(shortenRuns(data))
    const used = [...new Set(column)].sort((a, b) => a - b)
    const symbols = toSymbols(column, used)
    const codeBits = Math.ceil(Math.log2(used.length + 2))
    putHex('314159265359')
    put(crc, 32)
    put(0, 1)
    put(origin, 24)
    const rows = [...Array(16).keys()].map((row) =>
      [...Array(16).keys()].map((i) => (used.includes(row * 16 + i) ? '1' : '0')).join('')
    )
    bits.push(
      rows.map((row) => (row.includes('1') ? '1' : '0')).join(''),
      ...rows.filter((row) => row.includes('1'))
    )
    const groups = Math.ceil(symbols.length / 50)
    put(2, 3)
    put(groups, 15)
    bits.push('0'.repeat(groups))
    for (let table = 0; table < 2; table++) {
      put(codeBits, 5)
      bits.push('0'.repeat(used.length + 2))
    }
    for (const symbol of symbols) put(symbol, codeBits)
  }
  putHex('177245385090')
  put(data.length > 0 ? crc : 0, 32)
  return Buffer.from(
    (bits.join('').match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2))
  )
}

function bzip2Crc(data: Buffer): number {
  let crc = 0xffffffff
  for (const byte of data) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc < 0 ? 0x04c11db7 : 0)
  }
  return ~crc >>> 0
}

/** Encodes a run as four equal bytes and the number of further ones. */
function shortenRuns(data: Buffer): Buffer {
  const out: number[] = []
  for (let at = 0; at < data.length; ) {
    const byte = data[at] ?? 0
    let run = 1
    while (run < MAX_RUN + 4 && data[at + run] === byte) run++
    out.push(...Array<number>(Math.min(run, 4)).fill(byte), ...(run >= 4 ? [run - 4] : []))
    at += run
  }
  return Buffer.from(out)
}

function sortRotations(block: Buffer): { column: number[]; origin: number } {
  const twice = Buffer.concat([block, block])
  const rotation = (start: number): Buffer => twice.subarray(start, start + block.length)
  const starts = [...block.keys()].sort((a, b) => rotation(a).compare(rotation(b)))
  return { column: starts.map((start) => twice[start + block.length - 1] ?? 0), origin: starts.indexOf(0) }
}

/** Move-to-front encoding, with runs of zeros as numbers in digits 1 and 2, and the end symbol. */
function toSymbols(column: number[], used: number[]): number[] {
  const recent = [...used]
  const symbols: number[] = []
  let run = 0
  const endRun = (): void => {
    for (; run > 0; run = Math.floor((run - 1) / 2)) symbols.push((run - 1) % 2)
  }
  for (const byte of column) {
    const place = recent.indexOf(byte)
    if (place === 0) {
      run++
      continue
    }
    endRun()
    symbols.push(place + 1)
    recent.unshift(...recent.splice(place, 1))
  }
  endRun()
  return [...symbols, used.length + 1]
}
