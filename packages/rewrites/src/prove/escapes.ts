/** The word that every payload tries to get executed. */
export const WORD = 'injected'

/** Whether a shell would run the word as a command. */
export function runsInShell(command: string): boolean {
  // What a here-document holds is text, and a loop of cmd.exe is a syntax error elsewhere.
  if (/<<|\bfor\s+%/.test(command)) return false
  let quote = ''
  let isAtCommand = true
  for (let at = 0; at < command.length; at++) {
    const letter = command[at]!
    if (quote === "'") {
      if (letter === "'") quote = ''
      continue
    }
    if (letter === '\\') {
      at++
      isAtCommand = false
      continue
    }
    if (letter === '`' || (letter === '$' && command[at + 1] === '(')) {
      const inside = command.slice(at + (letter === '`' ? 1 : 2)).trimStart()
      if (inside.startsWith(WORD)) return true
      continue
    }
    if (letter === '"') quote = quote === '' ? '"' : ''
    else if (quote === '') {
      if (letter === "'") quote = "'"
      else if (letter === '#' && /\s/.test(command[at - 1] ?? ' ')) {
        at = command.indexOf('\n', at)
        if (at === -1) return false
        isAtCommand = true
        continue
      } else if (/[;&|\n(]/.test(letter)) {
        isAtCommand = true
        continue
      } else if (/\s/.test(letter)) continue
      else if (isAtCommand && command.startsWith(WORD, at)) return true
    }
    isAtCommand = false
  }
  return false
}

/**
 * Whether the word stands in a statement outside of strings, quoted names and comments. One that nobody closes
 * goes to the end: to look for its end again from each character behind it would take the square of the length.
 */
export function isSqlToken(statement: string): boolean {
  const plain = statement.replace(
    /(?<![\w\])])\[(?:[^\]]|\]\])*(?:\]|$)|\$(\w*)\$[^]*?(?:\$\1\$|$)|'(?:[^'\\]|''|\\[^])*(?:'|\\?$)|"(?:[^"\\]|""|\\[^])*(?:"|\\?$)|`[^`]*(?:`|$)|--.*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)/g,
    ' '
  )
  return new RegExp(`\\b${WORD}\\b`).test(plain)
}

/** The path that the process would open, relative to its working directory. */
export function resolvedPath(path: string): string {
  const parts: string[] = []
  for (const part of (path.startsWith('/') ? path : `/app/${path}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** The host to which a browser or client would send the request. */
export function hostOf(address: string): string {
  try {
    return new URL(address, 'https://app.example').hostname
  } catch {
    return ''
  }
}
