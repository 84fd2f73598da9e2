// Phrases by which models abbreviate code.
const ELLIPSIS =
  /(?:\/\/|\/\*|#|--|<!--)\s*(?:\.{3}|…|(?:the\s+)?(?:rest|remainder)\s+of\b|(?:existing|remaining|previous|original|other)\s+(?:code|implementation|logic|methods?|functions?|lines)\b|(?:code|implementation|logic)\s+(?:goes\s+)?here\b|(?:unchanged|same as before|omitted)\b)/gi

/** False if the rewrite abbreviates parts of the code. */
export function isWrittenOut(before: string, after: string): boolean {
  return (after.match(ELLIPSIS)?.length ?? 0) <= (before.match(ELLIPSIS)?.length ?? 0)
}
