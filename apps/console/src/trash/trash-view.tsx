import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useSession } from '../console-context.js'
import { explainError } from '../explain-error.js'
import { forEachFile, type WorkProgress } from '../files/for-each-file.js'
import { Pager } from '../files/pager.js'
import { filesRoute, formatRoute, type TrashRoute } from '../routes.js'
import { texts } from '../texts.js'
import { ConfirmDialog } from '../ui/confirm-dialog.js'
import { EmptyState } from '../ui/empty-state.js'
import { Icon } from '../ui/icon.js'
import { LoadProblem } from '../ui/load-problem.js'
import { Skeleton } from '../ui/skeleton.js'
import { useLoaded } from '../ui/use-loaded.js'
import { useTitle } from '../ui/use-title.js'
import { TrashTable } from './trash-table.js'
import { trashTexts } from './trash-texts.js'

const PAGE_SIZE = 50

type Asking = 'erase' | 'empty' | null

/** The deleted files of a project. A file that was withdrawn is not among them, and cannot be restored. */
export function TrashView({ route }: { route: TrashRoute }): JSX.Element {
  const { api, navigate, replace, signal } = useSession()
  const { project, page } = route
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [asking, setAsking] = useState<Asking>(null)
  const [outcome, setOutcome] = useState('')
  const [problem, setProblem] = useState('')
  const [isWorking, setWorking] = useState(false)
  useTitle([trashTexts.title, project])

  const trash = useLoaded(JSON.stringify([project, page]), async (stop) => {
    const [list, service] = await Promise.all([
      api.trash.list({ projectId: project, page, limit: PAGE_SIZE, signal: stop }),
      api.service({ signal: stop })
    ])
    return { ...list, project, days: service.limits.trash_days ?? 0 }
  })
  useEffect(() => {
    setSelected(new Set())
    setOutcome('')
    setProblem('')
  }, [project])

  const shown = trash.value?.project === project ? trash.value : undefined
  const files = shown?.files ?? []
  const total = shown?.pagination.total ?? 0
  const days = shown?.days ?? 0
  // The last page may have been emptied.
  useEffect(() => {
    if (shown !== undefined && !trash.isLoading && files.length === 0 && page > 1) {
      replace({ ...route, page: Math.max(1, Math.ceil(total / PAGE_SIZE)) })
    }
  }, [trash.isLoading, files.length, page, total])

  async function run(work: () => Promise<{ outcome: string; problem: string }>): Promise<void> {
    setAsking(null)
    setOutcome('')
    setProblem('')
    setWorking(true)
    try {
      const result = await work()
      setOutcome(result.outcome)
      setProblem(result.problem)
    } catch (error) {
      if (!signal.aborted) setProblem(explainError(error))
    } finally {
      setWorking(false)
      trash.reload()
    }
  }

  async function workOn(
    ids: readonly string[],
    work: (id: string, stop: AbortSignal) => Promise<unknown>,
    sentences: { done: (files: number) => string; failed: (files: number) => string }
  ): Promise<void> {
    await run(async () => {
      const onProgress = ({ done, failed }: WorkProgress): void => {
        setOutcome(trashTexts.progress(done + failed, ids.length))
      }
      const { done, failed, firstError, left } = await forEachFile(ids, work, { signal, onProgress })
      // What failed stays selected, to be tried again.
      setSelected(new Set(left))
      return {
        outcome: done > 0 ? sentences.done(done) : '',
        problem: failed > 0 ? `${sentences.failed(failed)}: ${explainError(firstError)}` : ''
      }
    })
  }

  const restore = (ids: readonly string[]): void => {
    void workOn(ids, async (id, stop) => await api.trash.restore(id, { signal: stop }), {
      done: trashTexts.restored,
      failed: trashTexts.notRestored
    })
  }
  const erase = (): void => {
    void workOn([...selected], async (id, stop) => await api.trash.delete(id, { signal: stop }), {
      done: trashTexts.erased,
      failed: trashTexts.notErased
    })
  }
  const empty = (): void => {
    void run(async () => {
      const erased = await api.trash.empty({ projectId: project, signal })
      setSelected(new Set())
      return { outcome: trashTexts.erased(erased), problem: '' }
    })
  }
  const stay = (): void => {
    setAsking(null)
  }

  const isEmpty = shown !== undefined && files.length === 0
  return (
    <main id="main" tabIndex={-1} class="page">
      <div class="page-head">
        <h1>
          <bdi>{trashTexts.titleOf(project)}</bdi>
        </h1>
        <div class="actions">
          <a class="button" href={formatRoute(filesRoute(project))}>
            <Icon name="folder" />
            {trashTexts.back(project)}
          </a>
          {total > 0 && (
            <button
              type="button"
              class="danger"
              disabled={isWorking}
              onClick={() => {
                setAsking('empty')
              }}
            >
              <Icon name="trash" />
              {trashTexts.emptyButton}
            </button>
          )}
        </div>
      </div>
      <LoadProblem of={trash} lead={trashTexts.failed} />
      <p class="muted">{!isEmpty && days > 0 ? trashTexts.note(days) : ''}</p>
      <p role="status">{outcome}</p>
      <p class="problem" role="alert">
        {problem}
      </p>
      {isEmpty ? (
        <EmptyState icon="trash" title={trashTexts.empty} lead={trashTexts.emptyLead(days)} />
      ) : (
        <>
          <div class="list-head">
            <p>{shown === undefined ? '' : trashTexts.summary(total)}</p>
            <div class="selection-bar" data-empty={selected.size === 0}>
              <span role="status">{selected.size > 0 ? texts.files.selected(0, selected.size) : ''}</span>
              {selected.size > 0 && (
                <div class="actions">
                  <button
                    type="button"
                    disabled={isWorking}
                    onClick={() => {
                      restore([...selected])
                    }}
                  >
                    <Icon name="retry" />
                    {trashTexts.restore}
                  </button>
                  <button
                    type="button"
                    class="danger"
                    disabled={isWorking}
                    onClick={() => {
                      setAsking('erase')
                    }}
                  >
                    <Icon name="trash" />
                    {trashTexts.erase}
                  </button>
                </div>
              )}
            </div>
          </div>
          <TrashTable
            files={files}
            isLoading={trash.isLoading}
            isWorking={isWorking}
            selected={selected}
            onSelect={setSelected}
            onRestore={(id) => {
              restore([id])
            }}
          />
          {shown === undefined && trash.isLoading && <Skeleton rows={8} />}
          <Pager
            page={page}
            total={total}
            pageSize={PAGE_SIZE}
            onPage={(to) => {
              navigate({ ...route, page: to })
            }}
          />
        </>
      )}
      {asking === 'erase' && (
        <ConfirmDialog
          title={trashTexts.eraseTitle(selected.size)}
          confirm={trashTexts.eraseButton(selected.size)}
          onConfirm={erase}
          onClose={stay}
        >
          {trashTexts.eraseLead}
        </ConfirmDialog>
      )}
      {asking === 'empty' && (
        <ConfirmDialog
          title={trashTexts.emptyTitle(project, total)}
          confirm={trashTexts.eraseButton(total)}
          onConfirm={empty}
          onClose={stay}
        >
          {trashTexts.eraseLead}
        </ConfirmDialog>
      )}
    </main>
  )
}
