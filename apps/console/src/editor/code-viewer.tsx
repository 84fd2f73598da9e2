import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { NotLoaded } from '../ui/not-loaded.js'
import { NARROW } from '../ui/use-media.js'
import { languageOfFile } from './detect-language.js'
import type { Editor } from './editor.js'
import { loadEditor, pageNonce } from './load-editor.js'

export interface CodeViewerProps {
  text: string
  /** The file name; its extension determines the language. */
  name: string
  label: string
}

/** Shows read-only code. */
export function CodeViewer({ text, name, label }: CodeViewerProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    if (hasFailed) return
    let editor: Editor | undefined
    let isGone = false
    loadEditor().then(
      ({ createEditor }) => {
        if (isGone || place.current === null) return
        const language = languageOfFile(name, text)
        editor = createEditor({
          parent: place.current,
          label,
          nonce: pageNonce(),
          text,
          language,
          isReadOnly: true,
          wrapsLines: matchMedia(NARROW).matches
        })
      },
      () => {
        setFailed(true)
      }
    )
    return () => {
      isGone = true
      editor?.destroy()
    }
  }, [text, name, label, hasFailed])
  if (!hasFailed) return <div class="code-viewer" ref={place} />
  return (
    <NotLoaded
      onRetry={() => {
        setFailed(false)
      }}
    />
  )
}
