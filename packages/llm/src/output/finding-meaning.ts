/** Subjects of findings, in any wording. Two findings with the same subject and place count as the same. */
const subjects: Readonly<Record<string, RegExp>> = {
  'sql-injection':
    /\bsql\b.{0,40}\binject|\binject\w*.{0,40}\b(?:sql|quer(?:y|ies))|\b(?:quer(?:y|ies)|sql|statement)\b.{0,60}\b(?:concatenat|interpolat|template|string|parameteri[sz]|placeholder|prepared|built)|\bparameteri[sz]ed quer|\b(?:put|inserted|placed|pasted|goes|written)\b.{0,20}\binto\b.{0,10}\b(?:sql|quer(?:y|ies)|statement)/,
  'command-injection':
    /\bcommand\b.{0,30}\binject|\bshell\b.{0,40}\b(?:inject|input|execut)|\b(?:exec|spawn|system|popen|subprocess)\b.{0,60}\b(?:input|shell|untrusted|inject)|\bos command/,
  'code-injection':
    /\beval\b|\bexec\(\)|\bnew function\b|\brun(?:s)? as code\b|\bcode injection\b|\barbitrary code\b|\bdynamic code\b/,
  xss: /\bxss\b|\bcross-site scripting\b|\binnerhtml\b|\bdangerouslysetinnerhtml\b|\bunescaped (?:html|output)|\bhtml inject/,
  'path-traversal':
    /\bpath traversal\b|\bdirectory traversal\b|\bpath\b.{0,40}\b(?:user|input|untrusted|escape|outside|sanitiz|sanitis)/,
  secret:
    /\bhard-?coded\b|\b(?:secret|password|credential|api key|token)s?\b.{0,40}\b(?:in (?:the )?(?:code|source)|plain|literal|exposed|embedded)|\bsecrets? in\b/,
  'weak-hash': /\bmd5\b|\bsha-?1\b|\bweak (?:hash|crypto|cipher|algorithm)|\bbroken hash/,
  'weak-random':
    /\bmath\.random\b|\binsecure random|\bpredictable (?:random|token|value)|\bnot cryptographically/,
  'missing-await':
    /\bawait(?:ed|ing)?\b(?!.{0,30}\bloop)|\bunhandled promise\b|\bfloating promise\b|\bpromise\b.{0,40}\b(?:not|never|ignored|dropped|lost|returned)/,
  'await-in-loop':
    /\bawait\w*\b.{0,40}\bloop|\bloop\b.{0,60}\b(?:await|sequential|one (?:by one|after)|each (?:request|call))|\bsequential(?:ly)?\b|\bpromise\.all\b|\bone after (?:the )?other/,
  'n-plus-one':
    /\bn ?\+ ?1\b|\bquer(?:y|ies)\b.{0,30}\b(?:in|inside|within)\b.{0,10}\bloop|\bquery per\b|\bquer(?:y|ies)\b.{0,40}\b(?:sequential|one after|every round|each (?:round|pass|iteration)|per iteration)|\bloop\b.{0,40}\bquer(?:y|ies)/,
  equality:
    /\bloose equality\b|\bstrict equality\b|(?:^|\s|`)(?:===?|!==?)(?:\s|`|$).{0,60}\b(?:instead|coerc|compar|equality)|\btype coercion\b|\buse ===/,
  assignment: /\bassign(?:s|ment|ing)?\b.{0,40}\b(?:instead of|condition|compar)/,
  'off-by-one':
    /\boff[- ]by[- ]one\b|\bout of (?:bounds|range)\b|\bpast the (?:end|last)\b|\bbeyond the (?:end|last)\b|\bone (?:too many|element too)|\bmisses the last\b|\bskips the last\b/,
  'swallowed-error':
    /\bempty catch\b|\bswallow\w*\b|\b(?:error|exception)s?\b.{0,40}\b(?:ignored|discarded|silently|hidden|suppressed|lost)|\bbare except\b|\bignor(?:es|ed|ing) (?:the |an? )?(?:error|exception)|\bcatch(?:es)? (?:everything|all)/,
  'error-handling':
    /\berror handling\b|\bhandle(?:s|d)? (?:the |an? )?(?:errors?|failures?|exceptions?|rejections?)|\b(?:not|without) handl|\bunhandled (?:error|exception|rejection)|\bmay throw\b|\bcan throw\b|\btry\/?catch\b/,
  'null-access':
    /\b(?:null|undefined|none|nil)\b.{0,60}\b(?:access|deref|check|property|crash|throw|fail|read|before|handled)|\b(?:may|might|can|could) be (?:null|undefined|none|nil|missing)|\bnull ?pointer\b|\bpossibly (?:null|undefined)|\bmissing null check/,
  'division-by-zero':
    /\bdivi(?:sion|des?|ded|ding)\b.{0,30}\b(?:by )?zero\b|\bempty (?:list|array|slice)\b.{0,40}\b(?:nan|divi|zero)/,
  'missing-return': /\b(?:missing|no|never|not|without) return|\breturns? nothing\b/,
  'resource-leak':
    /\bleak\w*\b|\bnever closed\b|\bnot closed\b|\bwithout clos|\bclose[sd]? (?:the )?(?:file|connection|stream|handle|resource)|\bcontext manager\b|\bclear(?:ed|ing)?(?:interval|timeout)/,
  race: /\brace condition\b|\bdata race\b|\bnot thread[- ]safe\b|\bconcurren\w+\b.{0,40}\b(?:access|modif|write|unsafe)|\batomic\b/,
  'mutable-default': /\bmutable default\b|\bdefault argument\b/,
  'input-validation':
    /\b(?:valid|sanitiz|sanitis)(?:at|e|ing|ed)\w*\b.{0,40}\b(?:input|parameter|argument|user|body|request)|\b(?:input|parameter|argument|user|body|request)\b.{0,40}\b(?:not|without|never|un)\s?(?:valid|check|sanitiz|sanitis)|\bunvalidated\b|\bunchecked input\b|\bmissing (?:input )?validation\b/,
  authorization:
    /\bauthori[sz]ation\b|\bpermission check|\baccess control\b|\bauthenticat\w+\b.{0,30}\b(?:missing|check|without|no)/,
  'blocking-call':
    /\bblock(?:s|ing)?\b.{0,40}\b(?:event loop|call|thread|i\/?o|main)|\bsync(?:hronous)?\b.{0,30}\b(?:call|read|write|file|i\/?o|function)|\breadfilesync\b|\bwritefilesync\b/,
  'nested-loop': /\bnested loops?\b|\bquadratic\b|\bo\(n(?:\^2|²|\*n)\)|\bloop (?:in|inside|within) a loop/,
  'loop-invariant':
    /\b(?:computed|evaluated|created|compiled|called|recomputed)\b.{0,40}\b(?:each|every) (?:iteration|pass|time|round)|\bmove\b.{0,30}\b(?:out of|outside|before) the loop|\bhoist/,
  'string-building':
    /\bstring (?:concatenation|building)\b|\bconcatenat\w+\b.{0,30}\bloop|\bstringbuilder\b|\bstrings\.builder\b/,
  naming:
    /\bnames?\b.{0,40}\b(?:unclear|misleading|meaningless|short|descriptive|cryptic|meaningful)|\b(?:unclear|misleading|descriptive|meaningful|better|single-letter|poor(?:ly)?)\b.{0,20}\bnam(?:e|es|ed|ing)\b|\bnaming\b/,
  'magic-number': /\bmagic (?:number|value|constant)s?\b|\bnamed constant\b/,
  'long-line': /\bline is (?:too )?(?:very )?long\b|\bcharacters long\b|\blong lines?\b/,
  complexity:
    /\bcomplex(?:ity)?\b|\bdeeply nested\b|\btoo many (?:branches|levels|parameters)|\btoo long\b|\bsplit (?:it|the function|this)/,
  documentation:
    /\b(?:missing|no|lacks?|add|without) (?:a )?(?:comments?|docs?|documentation|docstrings?|jsdoc)/,
  'console-log': /\bconsole\.log\b|\bprint statements?\b|\bdebug(?:ging)? (?:output|statement|log)/,
  var: /\bvar\b.{0,40}\b(?:let|const|hoist|scope|keyword|declar)|\buse (?:let|const)\b/,
  'type-annotation':
    /\btype annotations?\b|\b(?:any|untyped)\b.{0,20}\btype|\btype `?any\b|\bmissing types?\b/,
  'global-state': /\bglobal (?:state|variable|mutable)|\bmodule-level (?:state|mutable)/,
  timing: /\btiming attack\b|\bconstant[- ]time\b|\btimingsafeequal\b/,
  ssrf: /\bssrf\b|\bserver-side request forgery\b/,
  deserialization: /\bdeseriali[sz]\w+\b|\bpickle\b|\byaml\.load\b/,
  tls: /\bcertificate\b|\btls\b|\brejectunauthorized\b|\bverify ?= ?false\b|\binsecureskipverify\b/,
  regex: /\bredos\b|\bcatastrophic backtracking\b|\bregular expression denial\b/,
  overflow: /\boverflow\w*\b|\bwraps? around\b/,
  'infinite-loop': /\binfinite (?:loop|recursion)\b|\bnever (?:ends|terminates)\b|\bendless loop\b/,
  timeout: /\b(?:no|without|missing|lacks? an?) (?:a )?time-?out\b|\bhang(?:s)? forever\b/,
  floating: /\bfloating[- ]point\b|\brounding\b|\bmoney\b.{0,30}\bfloat/,
  'select-all': /\bselect \*|\ball columns\b/,
  'missing-where': /\bwhere\b.{0,20}\b(?:clause|missing)|\bwithout (?:a )?where\b|\b(?:all|every) rows?\b/
}

const STOP_WORDS = new Set(
  'a an and are as at be been but by can could does for from has have if in into is it its may might must not of on or should so than that the then there this to use used uses using was when which will with without would your you code line function value variable here instead'.split(
    ' '
  )
)

function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ings?|edly|ed|es|s|ly)$/, '') : word
}

function contentWords(text: string): Set<string> {
  return new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}_$.]+/gu) ?? []).filter((word) => !STOP_WORDS.has(word)).map(stem)
  )
}

export function subjectsOf(text: string): Set<string> {
  const plain = text
    .toLowerCase()
    .replace(/[-_/]+/g, (signs) => (signs === '-' ? '-' : ' '))
    .replace(/\s+/g, ' ')
  return new Set(
    Object.entries(subjects)
      .filter(([, pattern]) => pattern.test(plain))
      .map(([name]) => name)
  )
}

/** From 0 to 1: how much of the shorter text is in the longer one. */
export function similarity(a: string, b: string): number {
  const [x, y] = [contentWords(a), contentWords(b)]
  const smaller = Math.min(x.size, y.size)
  if (smaller < 2) return x.size === y.size && [...x].every((word) => y.has(word)) ? 1 : 0
  return [...x].filter((word) => y.has(word)).length / smaller
}

const SAME_WORDS = 0.7

/** Whether two findings at one place say the same. */
export function isSameFinding(a: string, b: string): boolean {
  const [x, y] = [subjectsOf(a), subjectsOf(b)]
  return [...x].some((subject) => y.has(subject)) || similarity(a, b) >= SAME_WORDS
}
