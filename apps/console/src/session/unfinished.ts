import type { UnsavedCode, Workspace } from '../editor/workspace.js'
import type { Forms, FormTexts } from './forms.js'
import type { WebhookDraft, WebhookWork } from './webhook-work.js'

/** What a reload would lose: unsaved code and the prompt beside it, and what is typed into forms. */
export interface Unfinished extends UnsavedCode {
  /** The code that a generation has replaced. */
  replaced?: UnsavedCode | null
  forms?: FormTexts
  webhook?: WebhookDraft | null
}

interface Parts {
  workspace: Workspace
  forms: Forms
  webhooks: WebhookWork
}

/** Null for nothing. */
export function unfinishedOf({ workspace, forms, webhooks }: Parts): Unfinished | null {
  const code = workspace.unfinished()
  const typed = {
    replaced: workspace.replaced.value,
    forms: forms.texts.value,
    webhook: webhooks.draft.value
  }
  if (code !== null) return { ...code, ...typed }
  const isNothing = Object.keys(typed.forms).length === 0 && typed.webhook === null && typed.replaced === null
  return isNothing ? null : { fileId: '', name: '', text: '', chosenLanguage: '', prompt: '', ...typed }
}

export function restoreUnfinished(
  { workspace, forms, webhooks }: Parts,
  { replaced = null, forms: texts = {}, webhook = null, ...code }: Unfinished
): void {
  workspace.restore(code)
  workspace.replaced.value = replaced
  forms.restore(texts)
  webhooks.draft.value = webhook
}
