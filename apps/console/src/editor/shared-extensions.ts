import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view'
import { theme } from './theme.js'

export const readOnly = (isReadOnly: boolean): Extension => [
  EditorState.readOnly.of(isReadOnly),
  // Stays in the tab order, so that it can be scrolled with the keyboard.
  EditorView.editable.of(true)
]

/** What the editor and the views of differences have. */
export const shared = (nonce: string, label: string): Extension => [
  EditorView.cspNonce.of(nonce),
  // Must be focusable and scrollable by keyboard even when read-only.
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  theme,
  lineNumbers(),
  drawSelection(),
  highlightSelectionMatches(),
  keymap.of(searchKeymap)
]
