import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { languageOf } from '../editor/workspace-language.js'
import { effect } from '@preact/signals'
import { texts } from '../texts.js'
import { NotLoaded } from '../ui/not-loaded.js'
import { NARROW } from '../ui/use-media.js'
import type { Editor } from '../editor/editor.js'
import { loadEditor, pageNonce } from '../editor/load-editor.js'
import type { Workspace } from '../editor/workspace.js'

export interface CodeEditorProps {
  workspace: Workspace
  isReadOnly: boolean
  /** A file is on its way: what is below the editor must not move when it arrives. */
  isOpening: boolean
  /** Receives a function that moves to a line. */
  onReady: (editor: Editor) => void
}

/** More than a screen shows; the rest comes with the editor. */
const STATIC_LINES = 100

/** The text at its place, until the editor is loaded. */
function StaticText({ text }: { text: string }): JSX.Element {
  const lines = text.split('\n', STATIC_LINES).join('\n')
  return (
    <pre class={text === '' ? 'static-text muted' : 'static-text'}>{lines || texts.code.placeholder}</pre>
  )
}

/** The editor of the workspace. Keeps its text and the workspace's in sync. */
export function CodeEditor({ workspace, isReadOnly, isOpening, onReady }: CodeEditorProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Editor | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const language = languageOf(workspace).value
  const findings = workspace.findings.value

  useEffect(() => {
    if (hasFailed) return
    let made: Editor | undefined
    let isGone = false
    loadEditor().then(
      ({ createEditor }) => {
        if (isGone || place.current === null) return
        made = createEditor({
          parent: place.current,
          label: texts.code.editor,
          nonce: pageNonce(),
          text: workspace.text.peek(),
          language: languageOf(workspace).peek(),
          isReadOnly,
          wrapsLines: matchMedia(NARROW).matches,
          placeholder: texts.code.placeholder,
          onChange: (next) => {
            workspace.text.value = next
          }
        })
        setEditor(made)
        onReady(made)
      },
      () => {
        setFailed(true)
      }
    )
    return () => {
      isGone = true
      made?.destroy()
    }
  }, [hasFailed])

  // Immediately, not with the next render: text typed in between would be lost.
  useEffect(() => {
    if (editor === null) return
    return effect(() => {
      const { value } = workspace.text
      const shown = editor.text()
      if (shown === value) return
      // While a model writes, only the new part is inserted, and the scroll position stays.
      if (shown !== '' && value.startsWith(shown)) editor.append(value.slice(shown.length))
      else editor.setText(value)
    })
  }, [editor, workspace])
  useEffect(() => {
    void editor?.setLanguage(language)
  }, [editor, language])
  useEffect(() => {
    editor?.setReadOnly(isReadOnly)
  }, [editor, isReadOnly])
  useEffect(() => {
    editor?.showFindings(findings)
  }, [editor, findings])

  if (hasFailed) {
    return (
      <NotLoaded
        onRetry={() => {
          setFailed(false)
        }}
      />
    )
  }
  return (
    <div class="code-editor" data-opening={isOpening} aria-busy={editor === null}>
      {editor === null && <StaticText text={workspace.text.value} />}
      <div class="editor-place" ref={place} />
    </div>
  )
}
