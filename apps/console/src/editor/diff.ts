import { Chunk, MergeView, unifiedMergeView } from '@codemirror/merge'
import { Text, type Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { DiffHunk } from '@filewright/contracts'
import { highlightingOf } from './highlighting.js'
import { readOnly, shared } from './shared-extensions.js'

export interface DiffOptions {
  parent: HTMLElement
  labels: { before: string; after: string }
  nonce: string
  before: string
  after: string
  language: string
  isSideBySide: boolean
}

/** Two versions of a text, side by side or unified. */
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

/** The lines that differ, as the view of both versions shows them. */
export function hunksOf(before: string, after: string): DiffHunk[] {
  const [a, b] = [Text.of(before.split('\n')), Text.of(after.split('\n'))]
  const linesOf = (text: Text, from: number, to: number): string[] =>
    from === to ? [] : text.sliceString(from, Math.min(to - 1, text.length)).split('\n')
  return Chunk.build(a, b).map(({ fromA, toA, fromB, toB }) => {
    const removed = linesOf(a, fromA, toA)
    return {
      oldStart: a.lineAt(Math.min(fromA, a.length)).number,
      oldLines: removed.length,
      lines: [...removed.map((line) => `-${line}`), ...linesOf(b, fromB, toB).map((line) => `+${line}`)]
    }
  })
}
