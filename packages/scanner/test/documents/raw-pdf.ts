import { deflateSync } from 'node:zlib'

export interface RawStream {
  dict: string
  data: Buffer | string
}

/** Writes a PDF by hand, so that it can be invalid: objects by number, without a cross-reference table. */
export function rawPdf(objects: Record<number, string | RawStream>, trailer = '/Root 1 0 R'): Buffer {
  const body = Object.entries(objects).flatMap(([number, object]) => {
    return [Buffer.from(`${number} 0 obj\n`), written(object), Buffer.from('\nendobj\n')]
  })
  const end = Buffer.from(`trailer\n<<${trailer}>>\nstartxref\n0\n%%EOF\n`)
  return Buffer.concat([Buffer.from('%PDF-1.7\n'), ...body, end])
}

function written(object: string | RawStream): Buffer {
  if (typeof object === 'string') return Buffer.from(object)
  const data = Buffer.from(object.data)
  const length = object.dict.includes('/Length') ? '' : `/Length ${data.length}`
  const head = Buffer.from(`<<${object.dict}${length}>>\nstream\n`)
  return Buffer.concat([head, data, Buffer.from('\nendstream')])
}

export function objectStream(objects: Record<number, string>, dict = '/Type/ObjStm'): RawStream {
  const entries = Object.entries(objects)
  let offset = 0
  const pairs = entries.map(([number, object]) => {
    const pair = `${number} ${offset}`
    offset += object.length + 1
    return pair
  })
  const head = `${pairs.join(' ')} `
  const text = head + entries.map(([, object]) => `${object} `).join('')
  const sizes = `/N ${entries.length}/First ${head.length}`
  return { dict: `${dict}/Filter/FlateDecode${sizes}`, data: deflateSync(text) }
}
