import type { Language } from '@filewright/contracts'
import { eachComment } from './strip-literals.js'

export interface Comment {
  start: number
  end: number
  text: string
}

const beginsInPage = /<!--|<(script|style)\b[^>]{0,1000}>/gi
const endsInPage = { comment: /-->/g, script: /<\/script/gi, style: /<\/style/gi }

/** Comments of the page, and those in its scripts and style sheets. */
function commentsOfPage(text: string): Comment[] {
  const comments: Comment[] = []
  const begins = new RegExp(beginsInPage)
  for (let found = begins.exec(text); found !== null; found = begins.exec(text)) {
    const element = found[1]?.toLowerCase() as 'script' | 'style' | undefined
    const from = found.index + found[0].length
    const ends = new RegExp(endsInPage[element ?? 'comment'])
    ends.lastIndex = from
    const end = ends.exec(text)
    // A page ends with what is never closed.
    if (end === null) break
    begins.lastIndex = end.index + end[0].length
    if (element === undefined) {
      const { index: start } = found
      comments.push({ start, end: begins.lastIndex, text: text.slice(start, begins.lastIndex) })
      continue
    }
    for (const comment of commentsIn(
      text.slice(from, end.index),
      element === 'style' ? 'css' : 'javascript'
    )) {
      comments.push({ ...comment, start: comment.start + from, end: comment.end + from })
    }
  }
  return comments
}

/** The comments of code, in order. What looks like one in a string is none. */
export function commentsIn(text: string, language: Language): Comment[] {
  if (language === 'html') return commentsOfPage(text)
  const comments: Comment[] = []
  eachComment(text, language, (start, end) => {
    comments.push({ start, end, text: text.slice(start, end) })
  })
  return comments
}
