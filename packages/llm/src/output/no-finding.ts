const PLACEHOLDER =
  /^\W*(?:what is wrong|what to do|the problem|problem description|description(?: of the (?:problem|issue))?|message|string|text|n\/?a|none|null|undefined|todo|tbd|example|issue|finding|lorem ipsum.*|\.{3}|…)\W*$/i
const NOTHING_FOUND =
  /^\W*(?:no|none|nothing|zero)\b.{0,40}\b(?:issues?|problems?|findings?|errors?|vulnerabilit\w+|bugs?|concerns?|wrong|improve|report|found|detected|needed|necessary)\b(?!.{0,20}\b(?:handl|check|log))/i
const IS_FINE =
  /\b(?:looks|seems|appears|is|are) (?:good|fine|ok(?:ay)?|correct(?:ly)?|valid|clean|safe|well[- ](?:written|structured|formatted|named|handled|organi[sz]ed)|properly \w+|correctly \w+|appropriate(?:ly)?(?: \w+)?)\b(?!.{0,40}\b(?:but|however|unless|except|only if|when|until|although)\b)/i
const PRAISE =
  /^\W*(?:good|great|nice|excellent|well done|proper(?:ly)?|correct(?:ly)?) (?:use|usage|practice|job|work|handling|implement\w+|naming|nam\w+|use[sd]?|handle[sd]?|structure[d]?|idea)\b/i
const NEGATED = /\b(?:not|never|n't|no longer|neither|hardly)\b/i

/** Whether a message says that there is no problem. */
export function isEmptyFinding(message: string): boolean {
  if (PLACEHOLDER.test(message) || NOTHING_FOUND.test(message) || PRAISE.test(message)) return true
  const fine = IS_FINE.exec(message)
  // "is not safe" and "it is not checked whether the key is valid" are findings.
  return (
    fine !== null &&
    !NEGATED.test(message) &&
    !/\b(?:whether|if|assum\w+|ensure|must|should|before)\b/i.test(message.slice(0, fine.index))
  )
}

const FOR_TOOLS = [
  /\bunused\b|\b(?:never|not|isn't|is never) (?:being )?(?:used|referenced|read|called)\b(?! (?:as|in a|with|after|for))/i,
  /\b(?:is|are|was) (?:not|never|n't) (?:defined|declared|imported)\b|\b(?:isn't|not) (?:defined|declared|imported)\b|\bundefined (?:variable|function|name|reference|identifier|symbol|method)\b|\bundeclared\b|\bmissing imports?\b|\bunresolved (?:reference|name|import)\b/i,
  /\bunreachable\b|\bdead code\b|\bnever (?:be )?(?:reached|executed)\b/i,
  /\bsyntax error\b|\bunbalanced\b|\bunterminated\b|\bunclosed (?:bracket|brace|paren\w*|string|tag|quote)\b|\bmissing (?:a )?(?:closing|opening|semi-?colon|colon|bracket|brace|paren\w*|comma)\b|\bdoes not (?:compile|parse)\b|\bextra (?:bracket|brace|paren\w*)\b|\bindentation (?:error|is (?:wrong|incorrect|inconsistent))\b/i,
  /\bduplicated? (?:imports?|declarations?|keys?|definitions?|variables?|functions?|names?|case)\b|\b(?:already|twice) (?:declared|defined|imported)\b|\b(?:declared|defined|imported) twice\b|\bredeclar\w+\b/i
]

/**
 * Whether a message claims what a parser or a linter decides: a model that contradicts them is wrong, one
 * that agrees adds nothing.
 */
export function isForTools(message: string): boolean {
  return FOR_TOOLS.some((pattern) => pattern.test(message))
}
