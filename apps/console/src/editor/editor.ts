import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, foldGutter, indentOnInput } from '@codemirror/language'
import { forceLinting, lintGutter, setDiagnostics } from '@codemirror/lint'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder
} from '@codemirror/view'
import type { Finding } from '@filewright/client/browser'
import { diagnosticsOf } from './findings.js'
import { highlightingOf } from './highlighting.js'
import { theme } from './theme.js'

export interface EditorOptions {
  parent: HTMLElement
  /** For people who do not see it. */
  label: string
  /** Of the page's content policy: without it the editor has no styles. */
  nonce: string
  text: string
  language: string
  isReadOnly: boolean
  /** Where lines cannot be as long as people write them. */
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
  showFindings: (findings: readonly Finding[]) => void
  goToLine: (line: number) => void
  destroy: () => void
}

export interface DiffOptions {
  parent: HTMLElement
  labels: { before: string; after: string }
  nonce: string
  before: string
  after: string
  language: string
  isSideBySide: boolean
}

const readOnly = (isReadOnly: boolean): Extension => [
  EditorState.readOnly.of(isReadOnly),
  // It stays in the order of tabs, so that a keyboard can scroll it.
  EditorView.editable.of(true)
]

const shared = (nonce: string, label: string): Extension => [
  EditorView.cspNonce.of(nonce),
  // A keyboard must reach and scroll it also where nothing can be typed.
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  theme,
  lineNumbers(),
  drawSelection(),
  highlightSelectionMatches(),
  keymap.of(searchKeymap)
]

/**
 * Typing over a selection: Chromium itself would keep the look of what was there by an inline style, which
 * the content policy forbids.
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
    // The editor learns of a new selection a moment later than the page.
    const [range] = event.getTargetRanges()
    if (range === undefined || range.collapsed) return false
    event.preventDefault()
    const from = view.posAtDOM(range.startContainer, range.startOffset)
    const to = view.posAtDOM(range.endContainer, range.endOffset)
    view.dispatch({ changes: { from, to, insert: data }, selection: { anchor: from + data.length } }, how)
    return true
  }
})

/** About three lines: nearer to its end than that, the text is followed as it grows. */
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
      // A document that nobody edits has no findings.
      ...(onChange === undefined ? [] : [lintGutter(), highlightActiveLine(), highlightActiveLineGutter()]),
      // Escape, then Tab leaves the editor.
      keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) onChange?.(update.state.doc.toString())
      })
    ]
  })

  async function setLanguage(name: string): Promise<void> {
    const extension = await highlightingOf(name)
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
      // Who has scrolled up reads there.
      const isAtEnd = scrollDOM.scrollHeight - scrollDOM.scrollTop - scrollDOM.clientHeight < FOLLOWED_PIXELS
      view.dispatch({ changes: { from: view.state.doc.length, insert: more } })
      if (!isAtEnd) return
      // Not by the editor's own scrolling, which moves the page as well: a reader may be at the Stop button.
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
      view.dispatch({ effects: access.reconfigure(readOnly(isOn)) })
    },
    showFindings: (findings) => {
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

/** Two versions of a text, beside each other or in one column. */
export async function createDiff(options: DiffOptions): Promise<{ destroy: () => void }> {
  const { parent, labels, nonce, before, after, language, isSideBySide } = options
  const highlighting = await highlightingOf(language)
  const extensionsOf = (label: string): Extension => [
    shared(nonce, label),
    readOnly(true),
    highlighting,
    EditorView.lineWrapping
  ]
  if (isSideBySide) {
    return new MergeView({
      parent,
      a: { doc: before, extensions: extensionsOf(labels.before) },
      b: { doc: after, extensions: extensionsOf(labels.after) },
      gutter: true,
      collapseUnchanged: { margin: 3, minSize: 6 }
    })
  }
  return new EditorView({
    parent,
    doc: after,
    extensions: [
      extensionsOf(labels.after),
      unifiedMergeView({ original: before, mergeControls: false, gutter: true })
    ]
  })
}
