import type { JSX } from 'preact'
import { limits } from '@filewright/contracts'
import { useSession } from '../console-context.js'
import type { FilesRoute } from '../routes.js'
import { texts } from '../texts.js'
import { EmptyState } from '../ui/empty-state.js'

/** Before an upload, not only after its refusal. */
export function AcceptedKinds(): JSX.Element {
  return <p class="muted">{texts.files.accepted(limits.fileSizeBytes)}</p>
}

export function NothingHere({ route }: { route: FilesRoute }): JSX.Element {
  const { replace } = useSession()
  if (route.search === '') {
    const title = route.folder === '' ? texts.files.emptyProject : texts.files.empty
    return (
      <EmptyState icon="upload" title={title} lead={texts.files.emptyLead}>
        <AcceptedKinds />
      </EmptyState>
    )
  }
  return (
    <EmptyState icon="search" title={texts.files.nothingFound} lead={texts.files.nothingFoundLead}>
      <button
        type="button"
        onClick={() => {
          replace({ ...route, search: '', page: 1 })
        }}
      >
        {texts.files.clearSearch}
      </button>
    </EmptyState>
  )
}
