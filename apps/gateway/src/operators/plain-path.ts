/**
 * Segments of letters, digits and `-._~`, the characters that mean the same encoded or not. The dashboard's
 * pages, files, queues and job ids have no others.
 */
const SEGMENTS = /^(?:\/[A-Za-z0-9._~-]+)+\/?$/

/**
 * Whether a path has one reading only. It has nothing to decode, so there are no encoded or doubly encoded
 * letters, no bad UTF-8, no hidden slashes; and no empty or dot segments, backslashes, parameters after `;`,
 * or fragments.
 */
export function isPlainPath(path: string): boolean {
  return SEGMENTS.test(path) && !path.split('/').some((segment) => segment === '.' || segment === '..')
}
