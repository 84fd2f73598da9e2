import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const color = (name: string) => ({ color: `var(--code-${name})` })

/** Colours come from the style sheet, so light and dark themes need no change here. */
const highlights = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.controlKeyword], ...color('keyword') },
  { tag: [tags.string, tags.special(tags.string), tags.regexp, tags.attributeValue], ...color('string') },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], ...color('number') },
  { tag: [tags.comment, tags.meta], ...color('comment') },
  {
    tag: [tags.function(tags.variableName), tags.function(tags.propertyName), tags.labelName],
    ...color('function')
  },
  { tag: [tags.typeName, tags.className, tags.namespace, tags.tagName], ...color('type') },
  { tag: [tags.propertyName, tags.attributeName, tags.definition(tags.propertyName)], ...color('property') },
  { tag: [tags.heading, tags.strong], fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: [tags.link, tags.url], textDecoration: 'underline' }
])

const looks = EditorView.theme({
  '&': { color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '13px', height: '100%' },
  // The frame around it shows the focus, because gutters would cover an outline.
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--accent)', padding: '8px 0' },
  // The default grey is too light to read.
  '.cm-placeholder': { color: 'var(--muted)' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 8px 0 12px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--selection)'
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--selection)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--selection)',
    outline: 'none'
  },
  '.cm-foldPlaceholder': { background: 'var(--hover)', border: 'none', color: 'var(--muted)' },
  '.cm-tooltip': {
    background: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--border-strong)',
    borderRadius: '8px',
    boxShadow: 'var(--shadow)'
  },
  '.cm-diagnostic': { fontFamily: 'var(--sans)', fontSize: '13px', padding: '8px 12px', maxWidth: '420px' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warning)' },
  '.cm-diagnostic-info': { borderLeftColor: 'var(--accent)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--danger)',
    textUnderlineOffset: '4px',
    textDecorationSkipInk: 'none'
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--warning)',
    textUnderlineOffset: '4px',
    textDecorationSkipInk: 'none'
  },
  '.cm-lintRange-info': {
    backgroundImage: 'none',
    textDecoration: 'underline dotted var(--accent)',
    textUnderlineOffset: '4px'
  },
  '.cm-gutter-lint': { width: '16px' },
  '.cm-lint-marker': { content: '""', width: '8px', height: '8px', margin: '6px 4px', borderRadius: '50%' },
  '.cm-lint-marker-error': { backgroundColor: 'var(--danger)' },
  '.cm-lint-marker-warning': { backgroundColor: 'var(--warning)' },
  '.cm-lint-marker-info': { backgroundColor: 'var(--accent)' },
  '.cm-panels': { background: 'var(--raised)', color: 'var(--text)', borderColor: 'var(--border)' },
  '.cm-panel.cm-search input, .cm-panel.cm-search button': { fontFamily: 'var(--sans)' },
  '.cm-collapsedLines': { background: 'var(--hover)', color: 'var(--muted)' },
  // The package's sign is in few fonts. Others show an empty box.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: 'none' },
  '.cm-changedLine': { backgroundColor: 'var(--added-soft) !important' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--removed-soft) !important' },
  '.cm-changedText, &.cm-merge-b .cm-changedText': { background: 'var(--added)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': { background: 'var(--removed)' }
})

export const theme: Extension = [looks, syntaxHighlighting(highlights)]
