import type { JSX } from 'preact'
import { useId } from 'preact/hooks'
import { useSession } from '../console-context.js'
import { texts } from '../texts.js'
import { codeTexts } from './code-texts.js'
import { analyzedAgain } from './find-fix.js'
import type { FindingContext } from './finding-context.js'
import { ignoreCandidates, isIgnored } from './ignore-comment.js'
import { useForm } from '../ui/use-form.js'
import { useTask } from './use-task.js'

const MAX_REASON_CHARS = 300

/** Accepts a finding with a reason, by a comment in the code. */
export function FindingIgnore(props: FindingContext & { onClose: () => void }): JSX.Element {
  const { analysis, finding, language, onCode, onClose } = props
  const { api } = useSession()
  const id = useId()
  const task = useTask()
  const form = useForm(`ignore ${finding.rule} ${finding.line}`, { reason: '' })
  const { reason } = form.values

  async function ignore(signal: AbortSignal): Promise<void> {
    const { findings: before, suppressed } = analysis
    for (const code of ignoreCandidates({ code: analysis.code, language, reason }, finding)) {
      const after = await analyzedAgain(api, { code, language }, signal)
      if (!isIgnored(finding, before, after, suppressed)) continue
      form.close()
      onCode(code, codeTexts.analyze.ignored)
      return
    }
    task.complain(codeTexts.analyze.notIgnored)
  }

  return (
    <form
      class="finding-tool"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason.trim() === '') task.complain(codeTexts.analyze.reasonMissing)
        else void task.run(ignore)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <div class="field">
        <label for={id}>{codeTexts.analyze.reasonLabel}</label>
        <input
          id={id}
          type="text"
          autocomplete="off"
          maxLength={MAX_REASON_CHARS}
          value={reason}
          ref={(field) => {
            if (field !== null && reason === '') field.focus()
          }}
          onInput={(event) => {
            form.set({ reason: event.currentTarget.value })
          }}
        />
      </div>
      <p class="problem" role="alert">
        {task.problem}
      </p>
      <div class="actions">
        <button type="submit" class="primary" aria-disabled={task.isRunning}>
          {codeTexts.analyze.ignore}
        </button>
        <button type="button" onClick={onClose}>
          {texts.cancel}
        </button>
      </div>
    </form>
  )
}
