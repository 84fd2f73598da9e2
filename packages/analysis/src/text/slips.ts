/** Longer conditions are no slips of this kind. */
const maxChars = 200
const value = '("[^"]*"|\'[^\']*\'|-?\\d+|[A-Z][A-Z0-9_]+)'

function slip(comparison: string, word: string): RegExp {
  return new RegExp(
    `^([\\w.]+)\\s*${comparison}\\s*${value}\\s*${word}\\s*\\1\\s*${comparison}\\s*(?!\\2)${value}$`
  )
}

const always = {
  '||': slip('!=', '\\|\\|'),
  or: slip('!=', 'or'),
  '&&': slip('==', '&&'),
  and: slip('==', 'and')
} as const

const number = '(-?\\d+(?:\\.\\d+)?)'
const range = new RegExp(
  `^([\\w.]+)\\s*([<>]=?)\\s*${number}\\s*(?:\\|\\||&&|or|and)\\s*\\1\\s*([<>]=?)\\s*${number}$`
)

/** `x < 0 && x > 10` holds for no number, `x > 0 || x < 10` for every one. */
function isRangeSlip(condition: string, isOr: boolean): boolean {
  const [, , one = '', first, two = '', second] = range.exec(condition) ?? []
  if (one === '' || one[0] === two[0]) return false
  const [low, high] = one.startsWith('>') ? [Number(first), Number(second)] : [Number(second), Number(first)]
  // `x <= 0 || x >= 0` asks whether x is a number at all.
  if (isOr) return high > low
  return low > high || (low === high && one.length + two.length < 4)
}

/** `x != a || x != b` is always true, `x == a && x == b` always false. */
export function isSlip(condition: string, operator: keyof typeof always): boolean {
  if (condition.length > maxChars) return false
  return always[operator].test(condition) || isRangeSlip(condition, operator === '||' || operator === 'or')
}
