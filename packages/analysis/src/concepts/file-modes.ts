/** The owner may read, the group has no right that the owner lacks, and others none that the group lacks. */
const isSensible = (digits: string): boolean => {
  const [owner = 0, group = 0, others = 0] = [...digits].map(Number)
  return owner >= 4 && (group & ~owner) === 0 && (others & ~group) === 0
}

const OCTAL = 8

/** `644` for `0o644`. The decimal `420` is not one: it is `0o644`. */
export function isDecimalMode(number: string): boolean {
  if (!/^[1-7][0-7]{2}$/.test(number)) return false
  const meant = Number(number).toString(OCTAL)
  return isSensible(number) && !(meant.length === number.length && isSensible(meant))
}
