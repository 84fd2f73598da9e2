const COMMENT_LINE = /^(?:\/\/|#(?!!|include|define|\[)|--|\/\*|\*|<!--|"""|''')/
const DOCSTRING = /("""|''')[\s\S]*?\1/g
/** Phrases with which models announce a missing part. */
const TO_WRITE =
  /\b(?:todo|fixme)\b[\s:()\-–—]{0,6}(?:implement|add|write|complete|fill|finish|your|create|handle|insert)|\b(?:your|actual|real|main) (?:code|logic|implementation|solution)\b.{0,20}\bhere\b|\b(?:implement|add|write|insert|put|place)\b.{0,60}\b(?:here|below)\b|\b(?:implementation|code|logic) (?:goes )?here\b|\bto be implemented\b|\bnot (?:yet )?implemented\b|\bimplement (?:the |this |your |me\b)|^\W{0,4}todo\W{0,4}$/i
/** Phrases with which models mark an omission. */
const LEFT_OUT =
  /^\W{0,4}(?:(?:\.{3}|…)\s{0,4}\(?(?:the )?(?:rest|remaining|other|existing|more|similar|same|and so on|continue|omitted|previous)\b|(?:the )?(?:rest|remainder) of (?:the|your|this) (?:code|implementation|function|file|class|methods?|component|program|logic|routes?)\b|(?:existing|remaining|previous|other) (?:code|implementation|methods?|functions?|endpoints?|routes?) (?:here|goes|remains?|stays?|unchanged|omitted|similar)|same as (?:above|before)\W*$)|\b(?:omitted|left out|skipped) for brevity\b/i
const STUB_LINE =
  /^(?:pass|\.{3}|…|return(?: (?:null|none|undefined|nil|false|true|-?[01]|''|""|\[\]|\{\})(?:, (?:nil|none|null|""|0|false))?)?;?|raise NotImplementedError.*|throw new \w*(?:Error|Exception)\(\W?(?:not (?:yet )?implemented|todo|method not implemented|unimplemented).*|(?:todo|unimplemented)!\(.*\);?|panic\("(?:not implemented|todo|implement me).*|end;?|[{}()[\];,:\s]*)$/i
const HEAD_LINE =
  /^(?:(?:export|default|public|private|protected|static|async|abstract|final|pub|override|virtual|inline|unsafe)\s+)*(?:function|class|def|func|fn|interface|struct|impl|import|from|package|using|use|namespace|module|const \w+ = (?:async )?\([^)]*\) =>|const \w+ = require|@\w+|#include|int main|void \w+\(|[\w<>[\]]+ \w+\([^)]*\)\s*\{?$)/i
const STUBS_WANTED =
  /\b(?:skeleton|stubs?|template|placeholder|scaffold\w*|boilerplate|todos?|exercise|outline|interface|signature|abstract|comments?|licen[cs]e|header|worksheet|fill in)\b/i

export const wantsStubs = (prompt: string): boolean => STUBS_WANTED.test(prompt)

/** The text of a comment at the end of a line or on its own line. */
function commentIn(line: string): string {
  const at = /(?:^|\s)(?:\/\/|#|--|\/\*|<!--)\s*(.*)$/.exec(line)
  return at?.[1] ?? ''
}

const withoutComment = (line: string): string => line.replace(/\s(?:\/\/|#).*$/, '').trimEnd()

/** Whether code only says what it would do: only signatures, stubs and comments, or omitted parts. */
export function isPlaceholder(code: string, prompt: string): boolean {
  if (wantsStubs(prompt)) return false
  const lines = code
    .replace(DOCSTRING, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  if (lines.length === 0) return false
  const comments = lines.map(commentIn).filter((comment) => comment !== '')
  if (comments.some((comment) => LEFT_OUT.test(comment))) return true

  const marks = lines.filter((line) => TO_WRITE.test(line) || /^(?:\.{3}|…)$/.test(line))
  const working = lines.filter(
    (line) => !COMMENT_LINE.test(line) && !STUB_LINE.test(withoutComment(line)) && !HEAD_LINE.test(line)
  )
  if (marks.length > 0 && working.length === 0) return true
  return hasEmptyBody(lines)
}

/** A function whose whole body is a comment that it is not implemented. */
function hasEmptyBody(lines: readonly string[]): boolean {
  return lines.some((line, index) => {
    if (!COMMENT_LINE.test(line) || !TO_WRITE.test(commentIn(line))) return false
    const before = lines.slice(0, index).findLast((each) => !COMMENT_LINE.test(each)) ?? ''
    const after = lines.slice(index + 1).find((each) => !COMMENT_LINE.test(each)) ?? ''
    const opens =
      /[{:]$/.test(before) &&
      /^(?:(?:export|default|public|private|protected|static|async|pub)\s+)*(?:function|def|func|fn|const \w+ =|[\w$]+\s*\(|[\w<>[\]]+ \w+\()/.test(
        before
      )
    return (
      opens &&
      (after === '' || STUB_LINE.test(withoutComment(after))) &&
      !/\b(?:if|for|while|switch|catch|else|try)\b/.test(before)
    )
  })
}

export function isCommentOnly(code: string): boolean {
  const lines = code
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return (
    lines.length > 0 &&
    !code.startsWith('#!') &&
    lines.every((line) => COMMENT_LINE.test(line) || /^\*\/|-->$/.test(line))
  )
}
