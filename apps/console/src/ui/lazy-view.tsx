import type { ComponentChildren, ComponentType, JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { NotLoaded } from './not-loaded.js'
import { Skeleton } from './skeleton.js'

function MainFrame({ children }: { children: ComponentChildren }): JSX.Element {
  return (
    <main id="main" tabIndex={-1} class="page">
      {children}
    </main>
  )
}

function PartFrame({ children }: { children: ComponentChildren }): JSX.Element {
  return <div>{children}</div>
}

/** A view whose script is loaded when it is first shown, so that the first view of the console is small. */
export function lazyView<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Frame = MainFrame
): (props: Props) => JSX.Element {
  let loaded: ComponentType<Props> | undefined
  return function LazyView(props) {
    const [state, setState] = useState<'loading' | 'loaded' | 'failed'>(
      loaded === undefined ? 'loading' : 'loaded'
    )
    useEffect(() => {
      if (loaded !== undefined || state !== 'loading') return
      load().then(
        (view) => {
          loaded = view
          setState('loaded')
        },
        () => {
          setState('failed')
        }
      )
    }, [state])
    const View = loaded
    if (state === 'loaded' && View !== undefined) return <View {...props} />
    const retry = (): void => {
      setState('loading')
    }
    return <Frame>{state === 'failed' ? <NotLoaded onRetry={retry} /> : <Skeleton rows={8} />}</Frame>
  }
}

/** The same of a part of a view. */
export const lazyPart = <Props extends object>(
  load: () => Promise<ComponentType<Props>>
): ((props: Props) => JSX.Element) => lazyView(load, PartFrame)
