import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { FolderSummary } from '@filewright/client/browser'
import { useApi } from '../console-context.js'
import { formatNumber, joinFolder } from '../format.js'
import { filesRoute, formatRoute } from '../routes.js'
import { texts } from '../texts.js'
import { Icon } from '../ui/icon.js'
import { useLoaded } from '../ui/use-loaded.js'

export interface FolderTreeProps {
  project: string
  /** The folder on display beside the tree. */
  folder: string
  /** Changes when files are stored. */
  version: number
}

export function FolderTree({ project, folder, version }: FolderTreeProps): JSX.Element {
  return (
    <nav class="tree" aria-label={texts.files.folders}>
      <a
        class="tree-root"
        href={formatRoute(filesRoute(project))}
        aria-current={folder === '' ? 'page' : undefined}
      >
        <Icon name="folder" />
        <bdi>{project}</bdi>
      </a>
      <Branch key={project} project={project} parent="" current={folder} version={version} />
    </nav>
  )
}

interface BranchProps {
  project: string
  parent: string
  current: string
  version: number
}

/** The folders in one folder. Their children are loaded when expanded. */
function Branch({ project, parent, current, version }: BranchProps): JSX.Element | null {
  const api = useApi()
  const folders = useLoaded(
    `${project}/${parent}`,
    async (signal) => await api.folders({ projectId: project, folder: parent, signal })
  )
  useEffect(() => {
    if (version > 0) folders.reload()
  }, [version])
  if (folders.value === undefined || folders.value.length === 0) return null
  return (
    <ul>
      {folders.value.map((folder) => (
        <Node
          key={folder.name}
          project={project}
          parent={parent}
          current={current}
          version={version}
          folder={folder}
        />
      ))}
    </ul>
  )
}

function Node({
  project,
  parent,
  current,
  version,
  folder
}: BranchProps & { folder: FolderSummary }): JSX.Element {
  const path = joinFolder(parent, folder.name)
  const isOnTheWay = current.startsWith(`${path}/`)
  const [isOpen, setOpen] = useState(isOnTheWay)
  useEffect(() => {
    if (isOnTheWay) setOpen(true)
  }, [isOnTheWay])
  return (
    <li>
      <div class="tree-row">
        <button
          type="button"
          class="tree-toggle"
          aria-expanded={isOpen}
          aria-label={isOpen ? texts.files.collapse(folder.name) : texts.files.expand(folder.name)}
          onClick={() => {
            setOpen(!isOpen)
          }}
        >
          <Icon name="chevron" />
        </button>
        <a
          href={formatRoute(filesRoute(project, { folder: path }))}
          aria-current={path === current ? 'page' : undefined}
        >
          <bdi>{folder.name}</bdi>
          <span class="tree-count">{formatNumber(folder.files)}</span>
        </a>
      </div>
      {isOpen && <Branch project={project} parent={path} current={current} version={version} />}
    </li>
  )
}
