import { useEffect, useRef, useState } from 'preact/hooks'
import { useSession } from '../console-context.js'
import { explainError } from '../explain-error.js'
import { storedText } from '../files/stored-text.js'
import type { CodeRoute } from '../routes.js'

export interface OpenedFile {
  problem: string
  /** Whether the URL names another file than the editor, whose code is not saved. */
  isQuestion: boolean
  isOpening: boolean
  answer: (isDiscarded: boolean) => void
}

/** Opens the file that the URL names, and keeps the URL in step with the editor. */
export function useOpenedFile(route: CodeRoute): OpenedFile {
  const { api, workspace, replace } = useSession()
  const [problem, setProblem] = useState('')
  const [isQuestion, setQuestion] = useState(false)
  const wanted = route.file
  const opened = workspace.fileId.value
  // A file that was asked for once; from then on the URL follows the editor.
  const handled = useRef(opened)

  async function open(signal: AbortSignal): Promise<void> {
    const [{ id, name }, text] = await Promise.all([
      api.files.get(wanted, { signal }),
      storedText(api, wanted, signal)
    ])
    setProblem('')
    workspace.open({ id, name, text })
  }

  function follow(): void {
    handled.current = workspace.fileId.peek()
    replace({ ...route, file: handled.current })
  }

  useEffect(() => {
    if (wanted === opened) {
      handled.current = opened
      setQuestion(false)
      return
    }
    if (wanted === '' || wanted === handled.current) {
      follow()
      return
    }
    if (workspace.isDirty.peek()) {
      setQuestion(true)
      return
    }
    const abort = new AbortController()
    open(abort.signal).catch((error: unknown) => {
      if (!abort.signal.aborted) setProblem(explainError(error))
    })
    return () => {
      abort.abort()
    }
  }, [wanted, opened, isQuestion])

  return {
    problem,
    isQuestion,
    isOpening: wanted !== '' && wanted !== opened && problem === '' && !isQuestion,
    answer: (isDiscarded) => {
      if (isDiscarded) workspace.open({ id: '', name: '', text: '' })
      else follow()
      setQuestion(false)
    }
  }
}
