import { InvalidFieldError, isId } from '@filewright/runtime'

/**
 * `<last digit>/<id>`. The last digit of an id is evenly spread while the first hardly varies, and 62 folders
 * are few enough to be made once and kept open, yet hold ten million blobs at 160,000 each, which ext4 and
 * XFS take without slowing down.
 */
export function blobKeyOf(id: string): string {
  if (!isId(id)) throw new InvalidFieldError('id', 'must be 22 letters and digits')
  return `${id.at(-1)}/${id}`
}

export interface KeyParts {
  folder: string
  name: string
}

/** Only what `blobKeyOf` makes is a key, so nothing a caller passes can name a place outside the store. */
export function parseKey(key: string): KeyParts {
  if (!isKey(key)) throw new InvalidFieldError('key', 'must be made by blobKeyOf')
  return { folder: key.slice(0, 1), name: key.slice(2) }
}

export function isKey(key: string): boolean {
  const name = key.slice(2)
  return isId(name) && blobKeyOf(name) === key
}
