/**
 * Segments of letters, digits and `-._~`, which mean the same encoded or not. The dashboard's pages, files,
 * queues and job ids use no others.
 */
const SEGMENTS = /^(?:\/[A-Za-z0-9._~-]+)+\/?$/

/**
 * Whether a path can be read in only one way. It contains nothing to decode (no percent-encoding, invalid
 * UTF-8 or hidden slashes) and no empty or dot segments, backslashes, `;` parameters or fragments.
 */
export function isPlainPath(path: string): boolean {
  return SEGMENTS.test(path) && !path.split('/').some((segment) => segment === '.' || segment === '..')
}
