import type { JSX } from 'preact'
import { crumbsOf } from '../format.js'
import { filesRoute, formatRoute } from '../routes.js'
import { texts } from '../texts.js'

export function Crumbs({ project, folder }: { project: string; folder: string }): JSX.Element {
  const places = [{ name: project, folder: '' }, ...crumbsOf(folder)]
  const current = places.at(-1)
  return (
    <div class="crumbs">
      <nav aria-label={texts.files.where}>
        <ol>
          <li>
            <a href={formatRoute({ view: 'projects' })}>{texts.files.root}</a>
          </li>
          {places.slice(0, -1).map((place) => (
            <li key={place.folder}>
              <a href={formatRoute(filesRoute(project, { folder: place.folder }))}>
                <bdi>{place.name}</bdi>
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <h1>
        <bdi>{current?.name}</bdi>
      </h1>
    </div>
  )
}
