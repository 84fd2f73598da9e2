import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { DetailedFileInfo } from '@filewright/client/browser'
import { CodeViewer } from '../editor/code-viewer.js'
import { useApi } from '../console-context.js'
import { texts } from '../texts.js'
import { useLoaded } from '../ui/use-loaded.js'
import { lazyPart } from '../ui/lazy-view.js'
import { archiveKindOf } from '../archives/archive-kind.js'
import { isMarkdown, isTooLarge, previewKindOf } from './preview-kind.js'
import { storedText } from './stored-text.js'

const MarkdownView = lazyPart(async () => (await import('../markdown/markdown-view.js')).MarkdownView)

const ArchiveView = lazyPart(async () => (await import('../archives/archive-view.js')).ArchiveView)

/** The bytes are loaded through the API and shown by the page: the file's URL is never opened in it. */
export function Preview({ file }: { file: DetailedFileInfo }): JSX.Element {
  if (archiveKindOf(file) !== null) return <ArchiveView file={file} />
  const kind = previewKindOf(file)
  if (kind === 'none') return <p class="preview-note">{texts.details.noPreview}</p>
  if (isTooLarge(file)) return <p class="preview-note">{texts.details.tooLarge}</p>
  return kind === 'text' ? <TextPreview file={file} /> : <BytesPreview file={file} kind={kind} />
}

function TextPreview({ file }: { file: DetailedFileInfo }): JSX.Element {
  const api = useApi()
  const text = useLoaded(file.id, async (signal) => await storedText(api, file.id, signal))
  if (text.error !== undefined) return <p class="preview-note">{texts.details.previewFailed}</p>
  return (
    <div class="preview preview-text">
      {text.value !== undefined &&
        (isMarkdown(file) ? (
          <MarkdownPreview text={text.value} name={file.name} />
        ) : (
          <CodeViewer text={text.value} name={file.name} label={texts.details.preview} />
        ))}
    </div>
  )
}

function MarkdownPreview({ text, name }: { text: string; name: string }): JSX.Element {
  const [isSource, setSource] = useState(false)
  const choices = [
    [texts.viewer.rendered, false],
    [texts.viewer.source, true]
  ] as const
  return (
    <>
      <div class="segments" role="group" aria-label={texts.viewer.markdown}>
        {choices.map(([label, value]) => (
          <button
            key={label}
            type="button"
            aria-pressed={isSource === value}
            onClick={() => {
              setSource(value)
            }}
          >
            {label}
          </button>
        ))}
      </div>
      {isSource ? (
        <CodeViewer text={text} name={name} label={texts.details.preview} />
      ) : (
        <MarkdownView text={text} />
      )}
    </>
  )
}

function BytesPreview({ file, kind }: { file: DetailedFileInfo; kind: 'image' | 'pdf' }): JSX.Element {
  const api = useApi()
  const [address, setAddress] = useState('')
  const blob = useLoaded(file.id, async (signal) => {
    const bytes = await (await api.files.download(file.id, { signal })).bytes()
    // Uses our own type, not the response's, so that the browser treats the bytes as nothing else.
    return new Blob([bytes as Uint8Array<ArrayBuffer>], {
      type: kind === 'pdf' ? 'application/pdf' : file.type
    })
  })
  useEffect(() => {
    if (blob.value === undefined) return
    const made = URL.createObjectURL(blob.value)
    setAddress(made)
    return () => {
      URL.revokeObjectURL(made)
    }
  }, [blob.value])

  if (blob.error !== undefined) return <p class="preview-note">{texts.details.previewFailed}</p>
  return (
    <div class={`preview preview-${kind}`}>
      {address !== '' && kind === 'image' && <img src={address} alt={file.name} />}
      {address !== '' && kind === 'pdf' && <iframe src={address} title={file.name} />}
    </div>
  )
}
