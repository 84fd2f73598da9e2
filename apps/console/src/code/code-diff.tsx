import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { loadDiff, pageNonce } from '../editor/load-editor.js'

export interface CodeDiffProps {
  before: string
  after: string
  language: string
  isSideBySide: boolean
  /** Names of the versions. */
  labels: { before: string; after: string }
}

export function CodeDiff({ before, after, language, isSideBySide, labels }: CodeDiffProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let isGone = false
    let destroy = (): void => {}
    async function show(): Promise<void> {
      const { createDiff } = await loadDiff()
      if (isGone || place.current === null) return
      const diff = await createDiff({
        parent: place.current,
        labels,
        nonce: pageNonce(),
        before,
        after,
        language,
        isSideBySide
      })
      if (isGone) diff.destroy()
      else destroy = () => diff.destroy()
    }
    void show()
    return () => {
      isGone = true
      destroy()
    }
  }, [before, after, language, isSideBySide, labels.before, labels.after])
  return (
    <div class="code-diff" data-side-by-side={isSideBySide}>
      <p class="diff-labels">
        <span class="diff-before">{labels.before}</span>
        <span class="diff-after">{labels.after}</span>
      </p>
      <div class="diff-place" ref={place} />
    </div>
  )
}
