import { builtinRules } from 'eslint/use-at-your-own-risk'

/** Rules of ESLint that oxlint does not have. */
const FROM_ESLINT = ['camelcase', 'no-octal', 'no-octal-escape', 'no-undef-init', 'no-restricted-syntax']

export default {
  meta: { name: 'filewright' },
  rules: Object.fromEntries(FROM_ESLINT.map((name) => [name, builtinRules.get(name)]))
}
