import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { codeTexts } from './code-texts.js'
import { loadDiff, pageNonce } from '../editor/load-editor.js'

export interface CodeDiffProps {
  before: string
  after: string
  language: string
  isSideBySide: boolean
}

export function CodeDiff({ before, after, language, isSideBySide }: CodeDiffProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let isGone = false
    let destroy = (): void => {}
    async function show(): Promise<void> {
      const { createDiff } = await loadDiff()
      if (isGone || place.current === null) return
      const { before: first, after: second } = codeTexts.optimize
      const diff = await createDiff({
        parent: place.current,
        labels: { before: first, after: second },
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
  }, [before, after, language, isSideBySide])
  return <div class="code-diff" ref={place} />
}
