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

/** `x != a || x != b` is always true, `x == a && x == b` always false. */
export function isSlip(condition: string, operator: keyof typeof always): boolean {
  return condition.length <= maxChars && always[operator].test(condition)
}
