import type { Language } from '@filewright/contracts'
import { maskText } from '../../text/mask.js'
import type { Source } from '../../text/source.js'
import type { TextHit, TextRule } from '../../text/text-rule.js'
import { textRulesOf } from '../text-rules.js'

const maxLineChars = 160
/** Beyond this the few texts of several lines do not matter. */
const maxMaskedChars = 100_000

function* linesMatching({ lines }: Source, pattern: RegExp): Generator<number> {
  for (const [index, line] of lines.entries()) if (line.length <= 5_000 && pattern.test(line)) yield index + 1
}

/** Addresses and long fixed texts cannot be broken without harm. */
function* longLines({ lines }: Source): Generator<{ line: number; message: string }> {
  for (const [index, line] of lines.entries()) {
    const length = line.trimEnd().length
    if (
      length > maxLineChars &&
      !/https?:\/\/\S{60,}|["'`][^"'`]{100,}["'`]|[A-Za-z0-9+/=]{100,}/.test(line.slice(0, 5_000))
    ) {
      yield { line: index + 1, message: `The line has ${length} characters.` }
    }
  }
}

/** Lines indented with spaces in a file that is otherwise indented with tabs, or the other way round. */
function* mixedIndentation({ lines: all, text }: Source, language: Language): Generator<number> {
  if (!/^\t/m.test(text) || !/^ {2}/m.test(text)) return
  // How a text of several lines is indented is part of the text.
  const lines = text.length > maxMaskedChars ? all : maskText(text, language).split(/\r?\n/)
  const indents = lines.map((line) => /^\t+(?=[^\t\s])|^ {2,}(?=[^\s*])/.exec(line)?.[0][0])
  const tabs = indents.filter((indent) => indent === '\t').length
  const spaces = indents.filter((indent) => indent === ' ').length
  if (tabs === 0 || spaces === 0) return
  const odd = indents.findIndex((indent) => indent === (tabs < spaces ? '\t' : ' '))
  yield odd + 1
}

const turns = /[\u202A-\u202E\u2066-\u2069]/g
const starts = /[\u202A\u202B\u202D\u202E\u2066-\u2068]/
const rightToLeft = /[\u0590-\u08FF]/

/** Text that is turned and turned back, or that is written from right to left, reads as it is meant. */
function* findTurns({ lines }: Source): Generator<TextHit> {
  for (const [index, line] of lines.entries()) {
    const found = line.match(turns)
    if (found === null) continue
    const open = found.reduce((depth, each) => depth + (starts.test(each) ? 1 : -1), 0)
    yield { line: index + 1, isLikely: open <= 0 || rightToLeft.test(line) }
  }
}

const style = textRulesOf('style')
const bug = textRulesOf('bugs')
const security = textRulesOf('security')

export const textRules: readonly TextRule[] = [
  style.info('long-line', {
    sentence: `The line is longer than ${maxLineChars} characters.`,
    suggestion: 'Break the line, or move parts of it into variables.',
    find: longLines
  }),
  style.info('todo', {
    sentence: 'The comment marks unfinished work (TODO, FIXME, XXX or HACK).',
    suggestion: 'Finish the work, or move the note to the issue tracker.',
    find: (source) =>
      linesMatching(source, /(?:\/\/|#|\/\*|^\s*\*|<!--|--|;)\s*(?:@)?(?:TODO|FIXME|XXX|HACK)\b/)
  }),
  style.info('mixed-indentation', {
    sentence: 'The file mixes tabs and spaces for indentation.',
    suggestion: 'Indent with either tabs or spaces.',
    find: mixedIndentation
  }),
  bug.error('merge-conflict', {
    sentence: 'The code contains a merge conflict marker.',
    suggestion: 'Resolve the conflict and remove the markers.',
    find: (source) => linesMatching(source, /^<{7} \S|^>{7} \S/)
  }),
  security.error('bidi-characters', {
    sentence:
      'Invisible bidirectional control characters make this line look different from the code that runs.',
    suggestion: 'Remove the control characters (U+202A to U+202E, U+2066 to U+2069).',
    find: findTurns
  })
]
