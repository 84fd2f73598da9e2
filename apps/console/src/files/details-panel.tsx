import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { NotFoundError, type DetailedFileInfo } from '@filewright/client/browser'
import { useApi, useSession } from '../console-context.js'
import { explainError } from '../explain-error.js'
import { formatBytes, formatNumber, formatTime } from '../format.js'
import { formatRoute } from '../routes.js'
import { texts } from '../texts.js'
import { CopyButton } from '../ui/copy-button.js'
import { giveFocusBack } from '../ui/give-focus.js'
import { Fact } from '../ui/fact.js'
import { Icon } from '../ui/icon.js'
import { useForm } from '../ui/use-form.js'
import { useLoaded } from '../ui/use-loaded.js'
import { useTitle } from '../ui/use-title.js'
import { Preview } from './preview.js'
import { canBeEdited, previewKindOf } from './preview-kind.js'
import { RenameDialog } from './rename-dialog.js'

export interface DetailsPanelProps {
  id: string
  project: string
  /** Shows it as large as the window. */
  onView: () => void
  onClose: () => void
  onDelete: (file: { id: string; name: string }) => void
  onChanged: (file: DetailedFileInfo) => void
}

/** Signed addresses expire after minutes: the panel requests a new one before that. */
const RENEW_MS = 120_000

export function DetailsPanel({
  id,
  project,
  onView,
  onClose,
  onDelete,
  onChanged
}: DetailsPanelProps): JSX.Element {
  const api = useApi()
  const file = useLoaded(id, async (signal) => await api.files.get(id, { signal }))
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
    const timer = setInterval(file.reload, RENEW_MS)
    return () => {
      clearInterval(timer)
      giveFocusBack(() => document.querySelector(`[data-file="${CSS.escape(id)}"]`))
    }
  }, [id])

  const shown = file.value?.id === id ? file.value : undefined
  const isMissing = file.error instanceof NotFoundError
  const renaming = useForm(`rename ${id}`, { name: shown?.name ?? '', folder: shown?.folder ?? '' })
  const title = shown?.name ?? (isMissing ? texts.details.missingTitle : texts.loading)
  useTitle([title, shown?.folder ?? '', project])
  return (
    <aside
      class="details"
      aria-label={texts.details.title}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
      }}
    >
      <div class="details-head">
        <h2 ref={heading} tabIndex={-1}>
          <bdi>{title}</bdi>
        </h2>
        <button type="button" class="icon-button" aria-label={texts.close} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      {file.error !== undefined && (
        <p class="problem" role="alert">
          {isMissing ? texts.details.missing : explainError(file.error)}
        </p>
      )}
      {shown !== undefined && (
        <>
          <Preview key={shown.id} file={shown} />
          <div class="actions wrap">
            <a class="button primary" href={shown.url} download={shown.name}>
              <Icon name="download" />
              {texts.details.download}
            </a>
            {previewKindOf(shown) !== 'none' && (
              <button type="button" onClick={onView}>
                <Icon name="image" />
                {texts.viewer.open}
              </button>
            )}
            {canBeEdited(shown) && (
              <a class="button" href={formatRoute({ view: 'code', tab: 'analyze', file: shown.id })}>
                <Icon name="code" />
                {texts.details.openInCode}
              </a>
            )}
            <button type="button" onClick={renaming.open}>
              {texts.rename.open}
            </button>
            <CopyButton text={shown.url} label={texts.details.copyLink} />
            <CopyButton text={shown.download_url} label={texts.details.copyDownload} />
            <button
              type="button"
              class="danger"
              onClick={() => {
                onDelete(shown)
              }}
            >
              <Icon name="trash" />
              {texts.files.delete}
            </button>
          </div>
          <p class="help">{texts.details.linkHelp}</p>
          <Facts file={shown} />
          {renaming.isOpen && (
            <RenameDialog
              file={shown}
              form={renaming}
              project={project}
              onChanged={(changed) => {
                file.reload()
                onChanged(changed)
              }}
            />
          )}
        </>
      )}
    </aside>
  )
}

function Facts({ file }: { file: DetailedFileInfo }): JSX.Element {
  const { details } = texts
  const { parts } = useSession()
  // Such a scanner recognizes no real malware.
  const isTestOnly = parts.value.some(({ note }) => note === 'baseline-signatures')
  return (
    <dl class="facts">
      <Fact name={details.verdict}>
        <span class="verdict" data-test-only={isTestOnly}>
          <Icon name={isTestOnly ? 'warning' : 'shield'} />
          {isTestOnly ? details.cleanTestOnly : details.clean}
        </span>
      </Fact>
      <Fact name={details.size}>
        {formatBytes(file.size)} <span class="muted">({formatNumber(file.size)} bytes)</span>
      </Fact>
      <Fact name={details.type}>{file.type}</Fact>
      <Fact name={details.folder}>
        <bdi>{file.folder === '' ? details.root : file.folder}</bdi>
      </Fact>
      {file.description !== null && file.description !== '' && (
        <Fact name={details.description}>{file.description}</Fact>
      )}
      <Fact name={details.created}>
        <time dateTime={file.created_at}>{formatTime(file.created_at)}</time>
      </Fact>
      <Fact name={details.scanned}>
        <time dateTime={file.scanned_at}>{formatTime(file.scanned_at)}</time>
      </Fact>
      {file.scanner !== null && <Fact name={details.scanner}>{file.scanner}</Fact>}
      <Fact name={details.sha256}>
        <code class="hash">{file.sha256}</code>
      </Fact>
    </dl>
  )
}
