export interface PredictorOptions {
  predictor: number
  colors: number
  bitsPerComponent: number
  columns: number
}

/** Reverses a predictor of Flate or LZW (ISO 32000-2, 7.4.4.4). An incomplete last row is kept. */
export function undoPredictor(bytes: Buffer, options: PredictorOptions): Buffer {
  const { predictor, colors, bitsPerComponent, columns } = options
  const pixelBytes = Math.max(1, Math.ceil((colors * bitsPerComponent) / 8))
  const rowBytes = Math.ceil((columns * colors * bitsPerComponent) / 8)
  if (!(rowBytes > 0)) return bytes
  if (predictor >= 10) return undoPng(bytes, rowBytes, pixelBytes)
  return predictor === 2 && bitsPerComponent === 8 ? undoTiff(bytes, rowBytes, pixelBytes) : bytes
}

function undoTiff(bytes: Buffer, rowBytes: number, pixelBytes: number): Buffer {
  const out = Buffer.from(bytes)
  for (let at = 0; at < out.length; at++) {
    if (at % rowBytes >= pixelBytes) out[at] = (out[at] ?? 0) + (out[at - pixelBytes] ?? 0)
  }
  return out
}

/** Each row begins with the number of one of five predictors. */
function undoPng(bytes: Buffer, rowBytes: number, pixelBytes: number): Buffer {
  const rows = Math.ceil(bytes.length / (rowBytes + 1))
  const out = Buffer.alloc(Math.max(0, bytes.length - rows))
  for (let row = 0; row < rows; row++) {
    const from = row * (rowBytes + 1) + 1
    const to = row * rowBytes
    const way = bytes[from - 1]
    for (let i = 0; i < rowBytes && from + i < bytes.length; i++) {
      const left = i >= pixelBytes ? (out[to + i - pixelBytes] ?? 0) : 0
      const above = row > 0 ? (out[to + i - rowBytes] ?? 0) : 0
      const aboveLeft = row > 0 && i >= pixelBytes ? (out[to + i - rowBytes - pixelBytes] ?? 0) : 0
      out[to + i] = (bytes[from + i] ?? 0) + predicted(way, left, above, aboveLeft)
    }
  }
  return out
}

function predicted(way: number | undefined, left: number, above: number, aboveLeft: number): number {
  switch (way) {
    case 1:
      return left
    case 2:
      return above
    case 3:
      return (left + above) >> 1
    case 4:
      return paeth(left, above, aboveLeft)
    default:
      return 0
  }
}

function paeth(left: number, above: number, aboveLeft: number): number {
  const estimate = left + above - aboveLeft
  const toLeft = Math.abs(estimate - left)
  const toAbove = Math.abs(estimate - above)
  const toAboveLeft = Math.abs(estimate - aboveLeft)
  if (toLeft <= toAbove && toLeft <= toAboveLeft) return left
  return toAbove <= toAboveLeft ? above : aboveLeft
}
