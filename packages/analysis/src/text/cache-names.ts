/**
 * Names of what tells contents apart without protecting anything: a hash that can be forged does no harm
 * there.
 */
const cacheNames =
  /e_?tag|check_?sum|cache_?(?:key|id|name|path|file)|finger_?print|content_?hash|file_?hash/i
const secretNames = /pass|secret|token|sign|auth|session|user|cert|key_?pair/i

/** Whether what is hashed is kept under such a name and is no secret itself. */
export function isCacheKey(name: string, hashed: string): boolean {
  return cacheNames.test(name) && !secretNames.test(name) && !secretNames.test(hashed)
}
