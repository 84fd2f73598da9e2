/**
 * `Buffer` for the sandbox, which has none. The text runs in the sandbox, so it must not refer to anything outside
 * itself.
 */
export function createBuffer(): any {
  const lettersOf = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const bytesOf = (text: string, encoding = 'utf8'): number[] => {
    if (encoding === 'hex') {
      return (text.match(/[0-9a-f]{2}/gi) ?? []).map((pair) => Number.parseInt(pair, 16))
    }
    if (/^(?:latin1|binary|ascii)$/.test(encoding)) return [...text].map((each) => each.charCodeAt(0) & 255)
    if (encoding.startsWith('base64')) {
      const plain = text
        .replaceAll('-', '+')
        .replaceAll('_', '/')
        .replace(/[^A-Za-z0-9+/]/g, '')
      const bits = [...plain].map((letter) => lettersOf.indexOf(letter).toString(2).padStart(6, '0')).join('')
      return (bits.match(/.{8}/g) ?? []).map((each) => Number.parseInt(each, 2))
    }
    return [...unescape(encodeURIComponent(text))].map((letter) => letter.charCodeAt(0))
  }

  class Bytes extends Uint8Array {
    static override from(given: any, encoding?: any): any {
      return new Bytes(typeof given === 'string' ? bytesOf(given, encoding) : [...given])
    }
    static alloc(size: number): Bytes {
      return new Bytes(size)
    }
    static allocUnsafe(size: number): Bytes {
      return new Bytes(size)
    }
    static isBuffer(value: unknown): boolean {
      return value instanceof Bytes
    }
    static byteLength(text: any): number {
      return typeof text === 'string' ? bytesOf(text).length : text.length
    }
    static concat(list: Uint8Array[]): Bytes {
      return new Bytes(list.flatMap((each) => [...each]))
    }
    copy(target: Uint8Array, to = 0, from = 0, end = this.length): number {
      const part = this.subarray(from, end).subarray(0, Math.max(0, target.length - to))
      target.set(part, to)
      return part.length
    }
    write(text: string, at: any = 0, length?: any, encoding = 'utf8'): number {
      const start = typeof at === 'number' ? at : 0
      const part = bytesOf(
        text,
        [at, length, encoding].find((each) => typeof each === 'string')
      )
      const fits = part.slice(
        0,
        Math.min(typeof length === 'number' ? length : Infinity, this.length - start)
      )
      this.set(fits, start)
      return fits.length
    }
    compare(other: Uint8Array): number {
      const at = [...this].findIndex((byte, index) => byte !== other[index])
      if (at === -1) return Math.sign(this.length - other.length)
      return at < other.length && this[at]! < other[at]! ? -1 : 1
    }
    toJSON(): { type: string; data: number[] } {
      return { type: 'Buffer', data: [...this] }
    }
    equals(other: Uint8Array): boolean {
      return [...this].join() === [...other].join()
    }
    override toString(encoding = 'utf8'): string {
      const letters = [...this].map((byte) => String.fromCharCode(byte)).join('')
      if (encoding === 'hex') return [...this].map((byte) => byte.toString(16).padStart(2, '0')).join('')
      if (/^(?:latin1|binary|ascii)$/.test(encoding)) return letters
      if (encoding.startsWith('base64')) {
        const bits = [...this].map((byte) => byte.toString(2).padStart(8, '0')).join('')
        const text = (bits.match(/.{1,6}/g) ?? [])
          .map((each) => lettersOf[Number.parseInt(each.padEnd(6, '0'), 2)])
          .join('')
        return encoding === 'base64'
          ? text.padEnd(Math.ceil(text.length / 4) * 4, '=')
          : text.replaceAll('+', '-').replaceAll('/', '_')
      }
      try {
        return decodeURIComponent(escape(letters))
      } catch {
        return letters
      }
    }
  }
  const numbers: Array<[string, string, number]> = [
    ['UInt8', 'Uint8', 1],
    ['Int8', 'Int8', 1],
    ['UInt16', 'Uint16', 2],
    ['Int16', 'Int16', 2],
    ['UInt32', 'Uint32', 4],
    ['Int32', 'Int32', 4],
    ['Float', 'Float32', 4],
    ['Double', 'Float64', 8],
    ['BigInt64', 'BigInt64', 8],
    ['BigUInt64', 'BigUint64', 8]
  ]
  const methods: any = Bytes.prototype
  for (const [name, type, size] of numbers) {
    for (const order of size === 1 ? [''] : ['LE', 'BE']) {
      const viewOf = (bytes: Uint8Array): any =>
        new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      const read = function (this: Uint8Array, at = 0): any {
        return viewOf(this)[`get${type}`](at, order === 'LE')
      }
      const write = function (this: Uint8Array, value: any, at = 0): number {
        viewOf(this)[`set${type}`](at, value, order === 'LE')
        return at + size
      }
      for (const each of [name, name.replace('UInt', 'Uint')]) {
        methods[`read${each}${order}`] = read
        methods[`write${each}${order}`] = write
      }
    }
  }
  return Bytes
}
