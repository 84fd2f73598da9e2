import type { JSX } from 'preact'
import type { Webhook } from '@filewright/client/browser'
import { webhookTexts } from './webhook-texts.js'

/** Enabled, failing, or disabled and why. */
export function WebhookState({ of: webhook }: { of: Webhook }): JSX.Element {
  const { enabled, failing_since: since, disabled_reason: reason, disabled_at: at } = webhook
  const text = enabled
    ? since === null
      ? webhookTexts.enabled
      : webhookTexts.failingSince(since)
    : reason === null
      ? webhookTexts.disabled
      : webhookTexts.disabledBecause(reason, at)
  return (
    <p class="webhook-state" data-state={!enabled ? 'disabled' : since === null ? 'enabled' : 'failing'}>
      {text}
    </p>
  )
}
