import { InvalidFieldError } from '@filewright/runtime'
import type { ByteRange } from './blob-store.js'

export function checkRange(range: ByteRange | undefined): void {
  if (range === undefined) return
  const whole = Number.isSafeInteger(range.start) && Number.isSafeInteger(range.end)
  if (!whole || range.start < 0 || range.end < range.start) {
    throw new InvalidFieldError('range', 'must be whole numbers with 0 <= start <= end')
  }
}

export function rangeBeyondEnd(): InvalidFieldError {
  return new InvalidFieldError('range', 'must start before the end of the blob')
}
