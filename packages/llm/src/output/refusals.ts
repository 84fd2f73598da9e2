const plain = (text: string): string =>
  text
    .trim()
    .replace(/[’‘`]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/^["'*_>#\s]+/, '')

const CANNOT =
  "(?:can(?:'t|not| not)|could(?:n't| not)|won't|will not|am unable|'m unable|am not able|'m not able|must decline|have to decline|do not|don't)"
const REGRET =
  "(?:i(?:'m| am) (?:really |very |so |truly )?(?:sorry|afraid)|sorry|my apologies|apologies|i apologi[sz]e|unfortunately|regrettably)"
const regrets = new RegExp(
  `^${REGRET}\\b.{0,60}?\\bi(?: ${CANNOT}|'m (?:unable|not able)| am (?:unable|not able))\\b`,
  'i'
)
const declines = new RegExp(
  `^i(?: ${CANNOT}|'m (?:unable|not able|not comfortable|not programmed)| am (?:unable|not able|not comfortable|not programmed))\\b`,
  'i'
)
const isMachine =
  /^(?:as an? (?:ai|artificial intelligence|(?:large )?language model|(?:virtual |ai )?assistant|chatbot)\b|i(?:'m| am) (?:just |only )?an? (?:ai|(?:large )?language model)\b)/i
/** The request itself is declined, not an invitation in a requested letter. */
const ofTheRequest =
  /\b(?:assist(?: you)?(?: with (?:that|this|your|the|it|creating|writing|any)|[.!,]|$)|help(?: you)?(?: with (?:that|this|your request|the request|it|creating|writing)|[.!,]|$)|(?:fulfil|fulfill|complete|process|honou?r|comply with|accommodate) (?:that|this|your|the|such)|comply\b|(?:provide|generate|create|write|produce|share|offer|give) (?:that|this|such|content|any|it\b|information|instructions|assistance|you with)|engage in|do that\b|discuss|language model|guidelines|polic(?:y|ies)\b|(?:that|this|your) request)/i
const inOtherTongues =
  /^(?:lo siento,? (?:pero )?no puedo|es tut mir leid,? (?:aber )?ich kann|tut mir leid,? (?:aber )?ich kann|je suis d[ée]sol[ée]e?,? (?:mais )?je ne peux|d[ée]sol[ée]e?,? (?:mais )?je ne peux|desculpe,? (?:mas )?n[ãa]o posso|mi dispiace,? (?:ma )?non posso|(?:很|非常)?(?:抱歉|对不起)[，,]?\s*(?:但是?)?\s*我(?:无法|不能)|作为一个?(?:AI|人工智能)|申し訳(?:ありません|ございません))/i
const asksBack =
  /^(?:(?:sure|of course|certainly|great)[,.!]? )?(?:(?:could|can|would) you (?:please )?(?:provide|clarify|specify|share|give|tell)|please (?:provide|clarify|specify|share|give)|(?:i(?:'ll| will)? need|to help you,? i need|what (?:language|framework|kind of)))\b/i

/** Longer texts may begin with regret. */
const REFUSAL_CHARS = 1_200

/** Whether a text that should be code is a refusal, or a question back. */
export function isRefusal(text: string): boolean {
  const said = plain(text.slice(0, REFUSAL_CHARS))
  return (
    regrets.test(said) ||
    declines.test(said) ||
    isMachine.test(said) ||
    inOtherTongues.test(said) ||
    (asksBack.test(said) && text.length < REFUSAL_CHARS)
  )
}

const wantsRegret =
  /\b(?:apolog|sorry|declin|refus|reject|regret|turn(?:ing)? down|unable|cancel|ask(?:s|ing)? for|monologue|robot|chatbot|assistant)/i

/** Whether a text that should be content is a refusal. A letter of apology begins in a similar way. */
export function isRefusedContent(text: string, prompt: string): boolean {
  if (text.length > REFUSAL_CHARS || wantsRegret.test(prompt)) return false
  const said = plain(text)
  return (
    inOtherTongues.test(said) ||
    ((regrets.test(said) || declines.test(said) || isMachine.test(said)) && ofTheRequest.test(said))
  )
}

const openings = [
  "i'm sorry",
  "i'm really sorry",
  'i am sorry',
  'sorry',
  'my apologies',
  'i apologi',
  'unfortunately',
  "i'm afraid",
  'i am afraid',
  'i cannot',
  "i can't",
  'i can not',
  "i won't",
  'i must decline',
  "i'm unable",
  'i am unable',
  "i'm not able",
  'i am not able',
  'as an ai',
  'as a language model',
  "i'm just an ai",
  "i'm an ai"
]

/** Whether a model's text so far may become a refusal. */
export function mayBecomeRefusal(text: string): boolean {
  const said = plain(text.slice(0, REFUSAL_CHARS)).toLowerCase()
  if (text.length >= REFUSAL_CHARS || text.includes('```')) return false
  return openings.some((opening) => opening.startsWith(said) || said.startsWith(opening))
}

const talk = new Set([
  'sure',
  'sure thing',
  'certainly',
  'of course',
  'absolutely',
  'okay',
  'ok',
  'yes',
  'no problem',
  'got it',
  'understood',
  'great',
  'alright',
  'done',
  'here you go',
  'here it is',
  'here is the code',
  "here's the code",
  'here is your code',
  "here's your code",
  'here is the function',
  "here's the function",
  'here is the solution',
  "here's the solution",
  'here is the content',
  "here's the content",
  'i can help with that',
  'i can help you with that',
  "i'd be happy to help",
  'i would be happy to help',
  'let me help you with that',
  'happy to help',
  "i'll do that",
  'one moment',
  'let me know if you need anything else'
])

/** Whether a response is only an acknowledgement. */
export function isAcknowledgement(text: string, prompt: string): boolean {
  const said = plain(text).toLowerCase()
  if (said.length > 200) return false
  const parts = said
    .split(/[.!:,;\n]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return (
    parts.length > 0 &&
    parts.every((part) => talk.has(part)) &&
    !new RegExp(`\\b${parts[0]}\\b`, 'i').test(prompt)
  )
}
