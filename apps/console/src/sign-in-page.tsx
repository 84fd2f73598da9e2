import type { ComponentChildren, JSX } from 'preact'
import { useId, useState } from 'preact/hooks'
import { useConsole } from './console-context.js'
import { texts } from './texts.js'

function Card({
  title,
  lead,
  children
}: {
  title: string
  lead: string
  children: ComponentChildren
}): JSX.Element {
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

export function SignInPage(): JSX.Element {
  const { session } = useConsole()
  const state = session.state.value
  const [token, setToken] = useState('')
  const [keep, setKeep] = useState(false)
  const [isMissing, setMissing] = useState(false)
  const id = useId()
  const isChecking = state.kind === 'checking'
  const isRefused = state.kind === 'signed-out' && state.isRefused
  const problem = isMissing ? texts.signIn.missing : isRefused ? texts.signIn.refused : ''

  function submit(event: SubmitEvent): void {
    event.preventDefault()
    const given = token.trim()
    setMissing(given === '')
    if (given !== '' && !isChecking) void session.signIn(given, { keep })
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
              setMissing(false)
            }}
          />
          <p id={`${id}-problem`} class="problem" role="alert">
            {problem}
          </p>
          <p id={`${id}-help`} class="help">
            {texts.signIn.tokenHelp}
          </p>
        </div>
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
  const { session } = useConsole()
  return (
    <Card title={texts.away.title} lead={texts.away.lead}>
      {sentence !== '' && <p class="problem">{texts.away.said(sentence)}</p>}
      <div class="actions">
        <button
          type="button"
          class="primary"
          onClick={() => {
            void session.retry()
          }}
        >
          {texts.tryAgain}
        </button>
        <button type="button" onClick={session.signOut}>
          {texts.signIn.out}
        </button>
      </div>
    </Card>
  )
}
