import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, foldGutter, indentOnInput } from '@codemirror/language'
import { diagnosticCount, forceLinting, lintGutter, setDiagnostics } from '@codemirror/lint'
import { Compartment } from '@codemirror/state'
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  placeholder
} from '@codemirror/view'
import type { RuledFinding } from '@filewright/contracts'
import { diagnosticsOf } from './findings.js'
import { highlightingOf } from './highlighting.js'
import { readOnly, shared } from './shared-extensions.js'

export interface EditorOptions {
  parent: HTMLElement
  /** For screen readers. */
  label: string
  /** The nonce of the Content-Security-Policy: without it the editor has no styles. */
  nonce: string
  text: string
  language: string
  isReadOnly: boolean
  /** Wraps long lines. */
  wrapsLines: boolean
  placeholder?: string
  onChange?: (text: string) => void
}

export interface Editor {
  text: () => string
  setText: (text: string) => void
  append: (text: string) => void
  setLanguage: (language: string) => Promise<void>
  setReadOnly: (isReadOnly: boolean) => void
  showFindings: (findings: readonly RuledFinding[]) => void
  goToLine: (line: number) => void
  destroy: () => void
}

/**
 * When typing over a selection, Chromium would preserve its style with an inline style, which the
 * Content-Security-Policy forbids.
 */
const typeOverSelection = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { inputType, data, isComposing } = event
    if (inputType !== 'insertText' || data === null || isComposing || view.state.readOnly) return false
    const how = { userEvent: 'input.type', scrollIntoView: true }
    if (view.state.selection.ranges.some(({ empty }) => !empty)) {
      event.preventDefault()
      view.dispatch(view.state.replaceSelection(data), how)
      return true
    }
    // The editor receives a new selection slightly later than the page.
    const [range] = event.getTargetRanges()
    if (range === undefined || range.collapsed) return false
    event.preventDefault()
    const from = view.posAtDOM(range.startContainer, range.startOffset)
    const to = view.posAtDOM(range.endContainer, range.endOffset)
    view.dispatch({ changes: { from, to, insert: data }, selection: { anchor: from + data.length } }, how)
    return true
  }
})

/** About three lines: closer to the end than this, the view follows the growing text. */
const FOLLOWED_PIXELS = 64

export function createEditor(options: EditorOptions): Editor {
  const { parent, label, nonce, text, language, isReadOnly, wrapsLines, onChange } = options
  const highlighting = new Compartment()
  const access = new Compartment()
  const view = new EditorView({
    parent,
    doc: text,
    extensions: [
      shared(nonce, label),
      access.of(readOnly(isReadOnly)),
      highlighting.of([]),
      wrapsLines ? EditorView.lineWrapping : [],
      ...(options.placeholder === undefined ? [] : [placeholder(options.placeholder)]),
      foldGutter(),
      history(),
      indentOnInput(),
      typeOverSelection,
      bracketMatching(),
      // A read-only document has no findings.
      ...(onChange === undefined ? [] : [lintGutter(), highlightActiveLine(), highlightActiveLineGutter()]),
      // Escape, then Tab, leaves the editor.
      keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange?.(update.state.doc.toString())
      })
    ]
  })

  let shownLanguage = ''
  async function setLanguage(name: string): Promise<void> {
    if (name === shownLanguage) return
    shownLanguage = name
    // Without a connection the text stays plain until the next change.
    const extension = await highlightingOf(name).catch(() => null)
    // Another one was chosen meanwhile.
    if (name !== shownLanguage) return
    if (extension === null) {
      shownLanguage = ''
      return
    }
    view.dispatch({ effects: highlighting.reconfigure(extension) })
  }
  void setLanguage(language)

  return {
    text: () => view.state.doc.toString(),
    setText: (next) => {
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: next },
        selection: { anchor: 0 }
      })
    },
    append: (more) => {
      const { scrollDOM } = view
      // The user has scrolled up to read.
      const isAtEnd = scrollDOM.scrollHeight - scrollDOM.scrollTop - scrollDOM.clientHeight < FOLLOWED_PIXELS
      view.dispatch({ changes: { from: view.state.doc.length, insert: more } })
      if (!isAtEnd) return
      // Does not use the editor's own scrolling, which also moves the page: the user may be at the Stop
      // button.
      view.requestMeasure({
        key: scrollDOM,
        read: () => scrollDOM.scrollHeight,
        write: (height) => {
          scrollDOM.scrollTop = height
        }
      })
    },
    setLanguage,
    setReadOnly: (isOn) => {
      if (isOn === view.state.readOnly) return
      view.dispatch({ effects: access.reconfigure(readOnly(isOn)) })
    },
    showFindings: (findings) => {
      if (findings.length + diagnosticCount(view.state) === 0) return
      const { doc } = view.state
      view.dispatch(setDiagnostics(view.state, diagnosticsOf(findings, doc.toString())))
      forceLinting(view)
    },
    goToLine: (number) => {
      const { doc } = view.state
      const line = doc.line(Math.min(Math.max(1, number), doc.lines))
      view.dispatch({
        selection: { anchor: line.from },
        effects: EditorView.scrollIntoView(line.from, { y: 'center' })
      })
      view.focus()
    },
    destroy: () => {
      view.destroy()
    }
  }
}
