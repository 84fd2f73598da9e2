/** Mistakes in a regular expression that do not depend on the language it is written in. */

/** The contents of the character classes of a pattern. Escaped brackets neither open nor close one. */
function* classesOf(pattern: string): Generator<string> {
  for (const [, content] of pattern.matchAll(/\\.|\[\^?((?:\\.|[^\]\\])*)\]/gs)) {
    if (content !== undefined) yield content
  }
}

/** `[A-z]` also holds the six signs between Z and a. */
export function hasWideRange(pattern: string): boolean {
  for (const content of classesOf(pattern)) if (/(?:^|[^\\])[A-Z]-[a-z]/.test(content)) return true
  return false
}

/** `[yes|no]` is one of the letters, not one of the words. */
export function hasWordsInClass(pattern: string): boolean {
  for (const content of classesOf(pattern)) {
    if (/^[a-z]{2,}(?:\|[a-z]{2,})+$/i.test(content) && /([a-z|]).*\1/i.test(content)) return true
  }
  return false
}

/** The dot of a host name without a backslash, in a pattern that starts where the address starts. */
export function hasOpenHostDot(pattern: string): boolean {
  return (
    /^\^?\(?(?:\?:)?https?/.test(pattern.replace(/^\^\(\?:/, '^')) &&
    /[\w)]\.(?:com|org|net|edu|gov|io|dev)(?![\w-])/.test(pattern.replace(/\\./g, '\\'))
  )
}

/** A filter of script elements. Browsers read far more as a script than such a pattern does. */
export function filtersScripts(pattern: string): boolean {
  return /^\(?<\W{0,12}script/i.test(pattern)
}

export const regexWords = {
  wideRange: {
    sentence: 'The range A-z also matches [, \\, ], ^, _ and `.',
    suggestion: 'Use A-Za-z instead.'
  },
  wordsInClass: {
    sentence: 'Square brackets match one character, so this matches one letter of these words.',
    suggestion: 'Use parentheses for alternatives, such as (yes|no).'
  },
  hostDot: {
    sentence: 'An unescaped dot in the host name matches any character, so other hosts match, too.',
    suggestion: 'Escape the dot with a backslash.'
  },
  scriptFilter: {
    sentence: 'A regular expression cannot filter every script that a browser would run.',
    suggestion: 'Use an HTML sanitizer that parses the markup.'
  }
} as const
