const statement = /^\s*(?:select\b[\s\S]*\bfrom\b|select\b[\s\S]{0,200}$|insert\s+(?:or\s+\w+\s+)?into\b|update\s+\S+[\s\S]*\bset\b|delete\s+from\b|drop\s+(?:table|database|view|index)\b|alter\s+table\b|truncate\s+(?:table\s+)?\S|create\s+(?:table|user|database)\b|exec(?:ute)?\s+\w|merge\s+into\b|replace\s+into\b|with\s+\w+\s+as\s*\()/i
const fragment = /\b(?:where|and|or|set|values|order\s+by|like)\b[^;]*(?:=|like|in|\()\s*['"]?\s*%?$/i

/** Text that starts an SQL statement, strictly enough that a sentence such as "Select a file" does not count. */
export function looksLikeSql (text: string): boolean {
  if (!statement.test(text)) return false
  return /^\s*select\b/i.test(text) ? /\bfrom\b/i.test(text) : true
}

/** Text that ends where an SQL value is expected: `WHERE name = '`. */
export function endsBeforeSqlValue (text: string): boolean {
  return fragment.test(text)
}
