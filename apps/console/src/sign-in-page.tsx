import type { ComponentChildren, JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { useConsole } from './console-context.js'
import { texts } from './texts.js'
import { useTitle } from './ui/use-title.js'

function Card({
  title,
  lead,
  children
}: {
  title: string
  lead: string
  children: ComponentChildren
}): JSX.Element {
  useTitle([title])
  return (
    <main id="main" class="card-page">
      <div class="card">
        <div class="brand">
          <span class="brand-mark" aria-hidden="true" />
          <span class="brand-name">{texts.product}</span>
        </div>
        <h1>{title}</h1>
        <p class="lead">{lead}</p>
        {children}
      </div>
    </main>
  )
}

const NOBODY = { reason: 'none', hasDraft: false } as const

export function SignInPage(): JSX.Element {
  const { signIn } = useConsole()
  const state = signIn.state.value
  const [token, setToken] = useState('')
  const [previous, setPrevious] = useState('')
  const [keep, setKeep] = useState(false)
  const [mistake, setMistake] = useState<'missing' | 'otherToken' | null>(null)
  const id = useId()
  const isChecking = state.kind === 'checking'
  const { reason, hasDraft } = state.kind === 'signed-out' ? state : NOBODY
  const problem = mistake === 'missing' ? texts.signIn.missing : texts.signIn.reasons[reason]

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const given = token.trim()
    const previousToken = previous.trim()
    const isOther = hasDraft && previousToken !== '' && !signIn.isTokenOfDraft(previousToken)
    const found = given === '' ? 'missing' : isOther ? 'otherToken' : null
    setMistake(found)
    if (found === null && !isChecking) void signIn.signIn(given, { keep, previousToken })
  }

  return (
    <Card title={texts.signIn.title} lead={texts.signIn.lead}>
      <form onSubmit={submit} class="form">
        <div class="field">
          <label for={id}>{texts.signIn.token}</label>
          <input
            id={id}
            type="password"
            autocomplete="current-password"
            spellcheck={false}
            value={token}
            aria-invalid={problem !== ''}
            aria-describedby={`${id}-help ${id}-problem`}
            onInput={(event) => {
              setToken(event.currentTarget.value)
              setMistake(null)
            }}
          />
          <p id={`${id}-problem`} class="problem" role="alert">
            {problem}
          </p>
          <p id={`${id}-help`} class="help">
            {texts.signIn.tokenHelp}
          </p>
        </div>
        {hasDraft && (
          <div class="field">
            <label for={`${id}-previous`}>{texts.signIn.previous}</label>
            <input
              id={`${id}-previous`}
              type="password"
              autocomplete="off"
              spellcheck={false}
              value={previous}
              aria-invalid={mistake === 'otherToken'}
              aria-describedby={`${id}-previous-help ${id}-previous-problem`}
              onInput={(event) => {
                setPrevious(event.currentTarget.value)
                setMistake(null)
              }}
            />
            <p id={`${id}-previous-problem`} class="problem" role="alert">
              {mistake === 'otherToken' ? texts.signIn.notPrevious : ''}
            </p>
            <p id={`${id}-previous-help`} class="help">
              {texts.signIn.previousHelp}
            </p>
          </div>
        )}
        <label class="check">
          <input
            type="checkbox"
            checked={keep}
            onChange={(event) => {
              setKeep(event.currentTarget.checked)
            }}
          />
          {texts.signIn.keep}
        </label>
        <button type="submit" class="primary wide">
          {isChecking ? texts.signIn.checking : texts.signIn.button}
        </button>
      </form>
    </Card>
  )
}

export function AwayPage({ sentence }: { sentence: string }): JSX.Element {
  const { signIn } = useConsole()
  return (
    <Card title={texts.away.title} lead={texts.away.lead}>
      {sentence !== '' && <p class="problem">{texts.away.said(sentence)}</p>}
      <div class="actions">
        <button
          type="button"
          class="primary"
          onClick={() => {
            void signIn.resume()
          }}
        >
          {texts.tryAgain}
        </button>
        <button type="button" onClick={signIn.signOut}>
          {texts.signIn.out}
        </button>
      </div>
    </Card>
  )
}
