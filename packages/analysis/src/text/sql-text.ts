/** What stands where a value is put in: our own mark, and the marks of the languages' formats. */
const gap = '(?:\\$\\{[^}]*\\}|…|%[sdvq]|\\{[^}]*\\}|\\?)'
const name = `["\`[]?(?:${gap}|[a-z_][\\w$]*)["\`\\]]?`
const table = `${name}(?:\\.${name})*`

/** Words that follow `from` in a sentence and name no table. */
const article =
  /\b(?:from|into|update|table)\s+(?:an?\s+(?!(?:where|set|values|join|inner|left|order|group|limit|as|using)\b)[a-z]|(?:the|your|my|our|his|her|their|its|this|that|these|those|here|there|one|each|every|any|all|some|now|disk|home|work)\b)/i

const statements = [
  new RegExp(
    `^\\s*insert\\s+(?:or\\s+\\w+\\s+|ignore\\s+)?into\\s+${table}\\s*(?:\\(|values\\b|select\\b|set\\b|default\\b|$)`,
    'i'
  ),
  new RegExp(`^\\s*replace\\s+into\\s+${table}\\s*(?:\\(|values\\b|select\\b|$)`, 'i'),
  new RegExp(`^\\s*merge\\s+into\\s+${table}\\b`, 'i'),
  new RegExp(`^\\s*update\\s+${table}(?:\\s+(?:as\\s+)?\\w+)?\\s+set\\s+(?:${table}\\s*=|${gap}|$)`, 'i'),
  new RegExp(
    `^\\s*delete\\s+from\\s+${table}(?:\\s+(?:as\\s+)?\\w+)?\\s*(?:$|;|\\b(?:where|using|returning|limit|order)\\b|${gap})`,
    'i'
  ),
  new RegExp(
    `^\\s*drop\\s+(?:table|database|view|schema|index)\\s+(?:if\\s+exists\\s+)?(?:${table}\\s*(?:$|;|cascade\\b|restrict\\b)|$)`,
    'i'
  ),
  new RegExp(`^\\s*alter\\s+table\\s+(?:${table}\\s+(?:add|drop|rename|alter|modify|set)\\b|$)`, 'i'),
  new RegExp(
    `^\\s*create\\s+(?:temp(?:orary)?\\s+)?table\\s+(?:if\\s+not\\s+exists\\s+)?(?:${table}\\s*(?:\\(|as\\b)|$)`,
    'i'
  ),
  new RegExp(`^\\s*truncate\\s+table\\s+(?:${table}|$)`, 'i'),
  /^\s*with\s+(?:recursive\s+)?\w+\s*(?:\([^)]*\)\s*)?as\s*\(\s*(?:select|insert|update|delete)\b/i,
  // Written as nobody writes a sentence.
  /^\s*(?:CREATE (?:USER|DATABASE|ROLE)|GRANT [A-Z, ]+ ON|EXEC(?:UTE)? (?:sp_|xp_|dbo\.)|EXEC(?:UTE)? [[\]\w.]+ @)/
]

/**
 * One column: a name, an expression in brackets, or a value put in; at most one word beside it, and then as
 * its alias.
 */
const column = new RegExp(
  `^(?:distinct\\s+|all\\s+|top\\s+\\(?\\d+\\)?\\s+)?(?:[\\w.]*\\*|${table}|'[^']*'|[\\w.]*\\([\\s\\S]*\\)|case\\b[\\s\\S]*\\bend|[\\w.'"()${'$'}{}+*/ -]*[+*/-][\\w.'"()${'$'}{}+*/ -]*)(?:\\s+as\\s+${name})?$`,
  'i'
)

function isSelect(text: string): boolean {
  const match = /^\s*select\b([\s\S]*?)\bfrom\b\s*([\s\S]*)$/i.exec(text)
  if (match === null) return isSelectWithoutTable(text)
  const [, columns = '', rest = ''] = match
  // In capitals it is no sentence, whatever the columns look like.
  if (/^\s*SELECT\b[\s\S]*\bFROM\b/.test(text)) return true
  const isTable =
    rest.trim() === '' ||
    new RegExp(
      `^(?:\\(|${table}(?:\\s+(?:as\\s+)?\\w+)?\\s*(?:$|[;,)]|${gap}|(?:inner|left|right|full|cross|natural|join|where|group|order|having|limit|offset|union|for|fetch)\\b))`,
      'i'
    ).test(rest)
  return isTable && columns.trim() !== '' && topLevelParts(columns).every((part) => column.test(part.trim()))
}

function isSelectWithoutTable(text: string): boolean {
  const columns = new RegExp(
    `^\\s*select\\s+([\\s\\S]*?)\\s+where\\s+${table}\\s*(?:[=<>]|!=|(?:not\\s+)?(?:like|in|between)\\b|is\\b)`,
    'i'
  ).exec(text)?.[1]
  return (
    columns !== undefined &&
    topLevelParts(columns).every((part) => /^\d+$/.test(part.trim()) || column.test(part.trim()))
  )
}

function topLevelParts(list: string): string[] {
  let depth = 0
  const parts = ['']
  for (const letter of list) {
    if (letter === '(') depth++
    else if (letter === ')') depth--
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts
}

/**
 * Text that is an SQL statement or the beginning of one, strictly enough that "Select 3 items from the list"
 * is not.
 */
export function looksLikeSql(text: string): boolean {
  const start = text.slice(0, 2_000)
  return (
    !article.test(start.slice(0, 300)) &&
    (isSelect(start) || statements.some((statement) => statement.test(start)))
  )
}

const beforeValue = /(?:[=<>]|\b(?:between|in|values|limit|offset|top))\s*\(?\s*$/i

/** Whether a value could stand behind this part of a statement: in quotes, or behind a comparison. */
export function expectsValue(text: string): boolean {
  const quotes = text.split("'").length - 1
  // `= "…"`, `like "%…"`: some databases take double quotes for a text.
  const end = text.slice(-40).replace(/["`]%*$/, '')
  return (
    quotes % 2 === 1 ||
    beforeValue.test(end) ||
    // `create table … like …` names a table.
    (/\blike\s*$/i.test(end) && /\bwhere\b/i.test(text))
  )
}
