import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ZipOptions } from '@filewright/client/browser'
import { useApi } from '../console-context.js'
import { explainError } from '../explain-error.js'
import { texts } from '../texts.js'
import { NoticeBar } from '../ui/notice-bar.js'

export interface Zip {
  note: string
  problem: string
  isRunning: boolean
  start: (selection: Pick<ZipOptions, 'projectId' | 'folder' | 'folders' | 'files'>) => void
  cancel: () => void
  clear: () => void
}

/** The browser shows the download as well, so this note need not stay. */
const DONE_MS = 10_000

/** The browser's own download: it cannot send the token, so the page reads the archive first. */
function save(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

/** One archive at a time. It ends with the view. */
export function useZip(): Zip {
  const api = useApi()
  const abort = useRef<AbortController | null>(null)
  const [note, setNote] = useState('')
  const [problem, setProblem] = useState('')
  const [isRunning, setRunning] = useState(false)
  const cancel = (): void => {
    abort.current?.abort()
  }
  const clear = (): void => {
    setNote('')
    setProblem('')
  }
  useEffect(() => cancel, [])
  useEffect(() => {
    if (isRunning || problem !== '') return undefined
    const timer = setTimeout(clear, DONE_MS)
    return () => {
      clearTimeout(timer)
    }
  }, [isRunning, problem])

  async function run(selection: Parameters<Zip['start']>[0]): Promise<void> {
    cancel()
    const own = new AbortController()
    abort.current = own
    const say = (text: string, why = ''): void => {
      if (abort.current !== own) return
      setNote(text)
      setProblem(why)
    }
    say(texts.zip.progress(0))
    setRunning(true)
    try {
      const { name, body } = await api.files.zip({
        ...selection,
        signal: own.signal,
        onProgress: (bytes) => {
          if (!own.signal.aborted) say(texts.zip.progress(bytes))
        }
      })
      save(await new Response(body).blob(), name)
      say(texts.zip.done(name))
    } catch (error) {
      say('', own.signal.aborted ? '' : texts.zip.failed(explainZip(error)))
    } finally {
      if (abort.current === own) setRunning(false)
    }
  }

  return {
    note,
    problem,
    isRunning,
    start: (selection) => {
      void run(selection)
    },
    cancel,
    clear
  }
}

/** A body that breaks off is an error of the browser. */
const explainZip = (error: unknown): string =>
  error instanceof TypeError ? texts.errors.connection : explainError(error)

export function ZipBar({ zip: { note, problem, isRunning, cancel, clear } }: { zip: Zip }): JSX.Element {
  return (
    <NoticeBar note={note} problem={problem} onClose={isRunning ? undefined : clear}>
      {isRunning && (
        <button type="button" class="link" onClick={cancel}>
          {texts.cancel}
        </button>
      )}
    </NoticeBar>
  )
}
