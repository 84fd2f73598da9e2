// Every repetition is bounded or stops at its own delimiter: the text may be a megabyte of anything.
const MODIFIERS =
  '(?:(?:export|default|public|private|protected|internal|static|abstract|final|async|declare|pub|open|data|sealed)[ \\t]{1,4})*'
const patterns = [
  new RegExp(
    `^${MODIFIERS}(?:function\\*?|class|def|fn|fun|interface|type|struct|enum|trait|record|module|namespace|object)[ \\t]{1,4}\\*?[ \\t]{0,4}([A-Za-z_$][\\w$]*)`,
    'gm'
  ),
  /^func[ \t]{1,4}(?:\([^)\n]{0,200}\)[ \t]{0,4})?([A-Za-z_]\w*)/gm,
  new RegExp(
    `^${MODIFIERS}(?:const|let|var|val)[ \\t]{1,4}([A-Za-z_$][\\w$]*)(?:[ \\t]{0,4}:[^=\\n]{1,200})?[ \\t]{0,4}=[ \\t]{0,4}(?:async\\b|function\\b|class\\b|memo\\(|forwardRef\\(|\\(|[\\w$]+[ \\t]{0,4}=>)`,
    'gm'
  ),
  // Of C and similar languages.
  /^(?:[A-Za-z_][\w:<>*&[\],]*[ \t]{1,4}){1,6}\*?([A-Za-z_]\w*)[ \t]{0,4}\([^;{}()]{0,400}\)[^;{}()=\n]{0,80}\{/gm,
  /^([A-Za-z_][\w-]*)[ \t]{0,4}\(\)[ \t]{0,4}\{/gm,
  /^create[ \t]{1,4}(?:or[ \t]{1,4}replace[ \t]{1,4})?(?:unique[ \t]{1,4})?(?:table|view|index|function|procedure|trigger|type|sequence)[ \t]{1,4}(?:if[ \t]{1,4}not[ \t]{1,4}exists[ \t]{1,4})?([\w."]+)/gim
]

/** What a piece of code declares at its top level, as far as its first column shows. */
export function declaredNames(code: string): Set<string> {
  return new Set(
    patterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = '']) => name.toLowerCase()))
  )
}
