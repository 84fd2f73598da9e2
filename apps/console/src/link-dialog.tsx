import type { JSX } from 'preact'
import { useConsole } from './console-context.js'
import { texts } from './texts.js'
import { Dialog } from './ui/dialog.js'

/** Asks before a link with a token signs the user in. */
export function LinkDialog(): JSX.Element | null {
  const { link, signIn } = useConsole()
  const question = link.question.value
  // Read both: the dialog changes when the session does.
  const isSignedOut = signIn.state.value.kind === 'signed-out'
  if (question === null) return null
  if (question.isRefused) {
    return (
      <Dialog title={texts.link.title} onClose={link.dismiss}>
        <p class="problem">{texts.link.refused}</p>
        <div class="actions end">
          <button type="button" class="primary" onClick={link.dismiss}>
            {texts.close}
          </button>
        </div>
      </Dialog>
    )
  }
  const { tokenName, tokenStart } = question
  return (
    <Dialog title={texts.link.title} onClose={link.dismiss}>
      <p>{texts.link.lead}</p>
      <dl class="facts">
        <div>
          <dt>{texts.link.server}</dt>
          <dd>{location.host}</dd>
        </div>
        <div>
          <dt>{texts.link.token}</dt>
          <dd>
            <bdi>{tokenName === '' ? texts.link.unknownName : tokenName}</bdi>{' '}
            <code class="muted">{tokenStart}…</code>
          </dd>
        </div>
      </dl>
      {!isSignedOut && <p class="note">{texts.link.replaces}</p>}
      <div class="actions end">
        <button type="button" onClick={link.dismiss}>
          {texts.cancel}
        </button>
        <button type="button" class="primary" onClick={link.accept}>
          {texts.link.button}
        </button>
      </div>
    </Dialog>
  )
}
