/**
 * What a value can do harm as. One bit each, because most values carry several and are joined all the time.
 */
export const kinds = {
  sql: 1 << 0,
  nosql: 1 << 1,
  shell: 1 << 2,
  code: 1 << 3,
  path: 1 << 4,
  address: 1 << 5,
  redirect: 1 << 6,
  markup: 1 << 7,
  template: 1 << 8,
  header: 1 << 9,
  regex: 1 << 10,
  deserialize: 1 << 11,
  log: 1 << 12,
  property: 1 << 13,
  cors: 1 << 14,
  lookup: 1 << 15,
  session: 1 << 16,
  /** Of what a generator made that is not for secrets; nothing that a client sends. */
  random: 1 << 17
} as const

export type Kind = keyof typeof kinds
/** As what a client's value can do harm. */
export const everyKind = kinds.random - 1

export function bitsOf(list: readonly Kind[] | 'all'): number {
  return list === 'all' ? everyKind : list.reduce((bits, kind) => bits | kinds[kind], 0)
}
