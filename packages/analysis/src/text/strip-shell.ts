/** Where a command may begin: only there is `case` more than a word. */
const beforeCommand = /(?:^|[\n;&|(){}`!])[ \t]*$/
const tokens =
  /\\[\s\S]|(?<![^\s;&|()])#|\$?'|"|`|\$?\(|\)|\$?\{|\}|\n|(?<!<)<<-?[ \t]*(["']?)(\w+)\1|(?<![\w$.-])(?:case|esac|if|fi|do|done|then|else|elif|while|until|time)(?![\w.-])/g
const tokensInQuotes = /\\[\s\S]|"|`|\$\(|\$\{/g

const openings: Readonly<Record<string, string>> = { case: 'esac', if: 'fi', do: 'done' }
const closings = new Set(Object.values(openings))

/** Called with the start and end of each comment. */
export type CommentHook = (start: number, end: number) => void

/** Shell code as brackets: those of strings and comments are gone, and those of compound commands added. */
export function stripShell(text: string, onComment: CommentHook = () => {}): string {
  const parts: string[] = []
  /** What ends each level that is open. */
  const open: string[] = []
  const documents: { word: string; isQuoted: boolean }[] = []
  /** Words and marks that do not come any more: looking for them each time would take the square of the text. */
  const missing = new Set<string>()
  let done = 0
  let at = 0

  /** The end of the last word that another command follows. */
  let commandEnd = 0
  const isCommand = (index: number): boolean => {
    const before = text.slice(Math.max(commandEnd, index - 40), index)
    return beforeCommand.test(before)
  }

  function keep(start: number, end: number, instead: string): void {
    parts.push(text.slice(done, start), instead)
    done = at = end
  }

  function begin(start: number, end: number, closer: string): void {
    open.push(closer)
    keep(start, end, ' ( ')
  }

  /** A bracket that closes nothing ends a pattern of `case`. */
  function close(start: number, end: number, closer: string): void {
    const isOpen = open.at(-1) === closer
    if (isOpen) open.pop()
    keep(start, end, isOpen ? ' ) ' : ' ')
  }

  function skipDocuments(from: number): void {
    let start = from
    for (const { word, isQuoted } of documents.splice(0)) {
      const found = missing.has(word) ? null : new RegExp(`^\\t*${word}$`, 'm').exec(text.slice(start))
      if (found === null) {
        missing.add(word)
        return
      }
      const end = start + found.index + found[0].length
      keep(start, end, isQuoted ? '' : text.slice(start, end).replace(/[^\n(){}]/g, ''))
      start = end
    }
  }

  while (at < text.length) {
    const isString = open.at(-1) === '"'
    const pattern = isString ? tokensInQuotes : tokens
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found === null) break
    const [token] = found
    const { index } = found
    const end = index + token.length
    at = end
    // What a string holds besides its commands is no code.
    if (isString && !token.startsWith('\\')) done = index
    if (token === '"') {
      if (isString) open.pop()
      else open.push('"')
      keep(index, end, isString ? ' ' : ' a')
    } else if (token === '`') {
      if (open.at(-1) === '`') close(index, end, '`')
      else begin(index, end, '`')
    } else if (/^\$?\($/.test(token)) begin(index, end, ')')
    else if (/^\$?\{$/.test(token)) begin(index, end, '}')
    else if (token === ')' || token === '}') close(index, end, token)
    else if (token === '#') {
      const newline = text.indexOf('\n', end)
      const lineEnd = newline === -1 ? text.length : newline
      onComment(index, lineEnd)
      keep(index, lineEnd, ' ')
    } else if (token === "'" || token === "$'") {
      const last = missing.has(token) ? -1 : token === "'" ? text.indexOf("'", end) : endOfAnsi(text, end)
      if (last === -1) missing.add(token)
      keep(index, last === -1 ? end : last + 1, 'a')
    } else if (token.startsWith('<<')) {
      documents.push({ word: found[2]!, isQuoted: found[1] !== '' })
    } else if (token === '\n') skipDocuments(end)
    else if (isCommand(index)) {
      commandEnd = end
      if (token in openings) begin(index, end, openings[token]!)
      else if (closings.has(token)) close(index, end, token)
    }
  }
  parts.push(text.slice(done))
  return parts.join('')
}

function endOfAnsi(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === "'") return at
  }
  return -1
}
