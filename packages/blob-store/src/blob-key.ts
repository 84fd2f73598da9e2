import { InvalidFieldError, isId } from '@filewright/runtime'

/**
 * `<last digit>/<id>`. The last digit of an id is evenly distributed while the first hardly varies. 62
 * folders are few enough to create once and keep open, and hold ten million blobs at 160,000 each, which ext4
 * and XFS handle well.
 */
export function blobKeyOf(id: string): string {
  if (!isId(id)) throw new InvalidFieldError('id', 'must be 22 letters and digits')
  return `${id.at(-1)}/${id}`
}

export interface KeyParts {
  folder: string
  name: string
}

/** Only keys from `blobKeyOf` are valid, so no caller can name a path outside the store. */
export function parseKey(key: string): KeyParts {
  if (!isKey(key)) throw new InvalidFieldError('key', 'must be made by blobKeyOf')
  return { folder: key.slice(0, 1), name: key.slice(2) }
}

export function isKey(key: string): boolean {
  const name = key.slice(2)
  return isId(name) && blobKeyOf(name) === key
}
