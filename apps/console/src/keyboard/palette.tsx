import type { JSX } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Filewright } from '@filewright/client/browser'
import { useConsole, useSession } from '../console-context.js'
import { codeTabs, filesRoute, webhooksRoute, type Route } from '../routes.js'
import { texts } from '../texts.js'
import { serviceTexts } from '../service/service-texts.js'
import { Dialog } from '../ui/dialog.js'
import { Icon, iconOfType, type IconName } from '../ui/icon.js'
import { useLoaded } from '../ui/use-loaded.js'
import { useThrottled } from '../ui/use-throttled.js'

interface Entry {
  key: string
  icon: IconName
  name: string
  /** Where it is. */
  place: string
  run: () => void
}

/** A search reads one project. More would use up the limit of requests. */
const MAX_PROJECTS_SEARCHED = 5
const MAX_FILES = 5
const MAX_ENTRIES = 12
const PAUSE_MS = 250

interface FoundFile {
  project: string
  id: string
  name: string
  folder: string
  type: string
}

async function findFiles(
  api: Filewright,
  projects: readonly string[],
  search: string,
  signal: AbortSignal
): Promise<FoundFile[]> {
  const found = await Promise.all(
    projects.map(async (project) => {
      const { files } = await api.files.list({ projectId: project, search, limit: MAX_FILES, signal })
      return files.map(({ id, name, folder, type }) => ({ project, id, name, folder, type }))
    })
  )
  return found.flat()
}

export interface PaletteProps {
  /** What was typed before the palette was there. */
  typed: { readonly current: string | null }
  onClose: () => void
  onHelp: () => void
  isOperator: boolean
}

/** Projects, files and actions by a part of their names. */
export function Palette({ typed, isOperator, onClose, onHelp }: PaletteProps): JSX.Element {
  const { api, navigate } = useSession()
  const { route } = useConsole()
  const [text, setText] = useState(() => typed.current ?? '')
  const [chosen, setChosen] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  // The dialog selects the text of its first field, and the next key would replace it.
  useLayoutEffect(() => {
    input.current?.setSelectionRange(text.length, text.length)
  }, [])
  const id = useId()
  const search = useThrottled(text.trim(), PAUSE_MS)
  const projects = useLoaded('projects', async (signal) => await api.projects({ signal }))
  const current = 'project' in route.value ? [route.value.project] : []
  const others = (projects.value ?? []).map((project) => project.id).filter((one) => !current.includes(one))
  const searched = [...current, ...others].slice(0, MAX_PROJECTS_SEARCHED)
  const files = useLoaded(JSON.stringify([search, searched]), async (signal) =>
    search === '' ? [] : await findFiles(api, searched, search, signal)
  )

  const go = (to: Route) => (): void => {
    onClose()
    navigate(to)
  }
  const actions: Entry[] = [
    { name: texts.projects.title, icon: 'folder' as const, to: { view: 'projects' as const } },
    ...codeTabs.map((tab) => ({
      name: texts.code.tabs[tab],
      icon: 'code' as const,
      to: { view: 'code' as const, tab, file: '' }
    })),
    ...current.map((project) => ({
      name: texts.files.trash,
      icon: 'trash' as const,
      to: { view: 'trash' as const, project, page: 1 }
    })),
    ...current.map((project) => ({
      name: texts.files.webhooks,
      icon: 'hook' as const,
      to: webhooksRoute(project)
    })),
    { name: texts.views.history, icon: 'history' as const, to: { view: 'history' as const, request: '' } },
    ...(isOperator
      ? [{ name: texts.account.tokens, icon: 'key' as const, to: { view: 'tokens' as const } }]
      : []),
    { name: serviceTexts.title, icon: 'service' as const, to: { view: 'service' as const } },
    { name: texts.rules.title, icon: 'shield' as const, to: { view: 'rules' as const, rule: '' } }
  ].map(({ name, icon, to }) => ({ key: name, icon, name, place: texts.keyboard.action, run: go(to) }))
  const help = { key: 'help', icon: 'bulb', name: texts.keyboard.title, place: '?', run: onHelp } as const
  const isMatch = (name: string): boolean => name.toLowerCase().includes(text.trim().toLowerCase())
  const entries: Entry[] = [
    ...[...actions, help].filter(({ name }) => isMatch(name)),
    ...(projects.value ?? [])
      .filter((project) => isMatch(project.id))
      .map((project) => ({
        key: `project ${project.id}`,
        icon: 'folder' as const,
        name: project.id,
        place: texts.projects.name,
        run: go(filesRoute(project.id))
      })),
    ...(text.trim() === '' ? [] : (files.value ?? [])).map((file) => ({
      key: file.id,
      icon: iconOfType(file.type),
      name: file.name,
      place: [file.project, file.folder].filter((part) => part !== '').join('/'),
      run: go(filesRoute(file.project, { folder: file.folder, file: file.id }))
    }))
  ].slice(0, MAX_ENTRIES)
  const selected = Math.min(chosen, Math.max(0, entries.length - 1))

  function press(event: KeyboardEvent): void {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by === 0 || entries.length === 0) return
    event.preventDefault()
    setChosen((selected + by + entries.length) % entries.length)
  }

  return (
    <Dialog title={texts.keyboard.palette} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          entries[selected]?.run()
        }}
      >
        <input
          ref={input}
          type="text"
          dir="auto"
          autocomplete="off"
          role="combobox"
          aria-expanded="true"
          aria-label={texts.keyboard.paletteHint}
          aria-controls={`${id}-list`}
          aria-activedescendant={entries.length === 0 ? undefined : `${id}-${selected}`}
          placeholder={texts.keyboard.paletteHint}
          value={text}
          onKeyDown={press}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setChosen(0)
          }}
        />
        <ul id={`${id}-list`} class="palette" role="listbox" aria-label={texts.keyboard.palette}>
          {entries.map((entry, i) => (
            <li
              key={entry.key}
              id={`${id}-${i}`}
              role="option"
              aria-selected={i === selected}
              onClick={entry.run}
            >
              <Icon name={entry.icon} />
              <bdi>{entry.name}</bdi>
              <bdi class="muted">{entry.place}</bdi>
            </li>
          ))}
        </ul>
        {entries.length === 0 && <p class="muted">{texts.keyboard.nothing}</p>}
      </form>
    </Dialog>
  )
}
