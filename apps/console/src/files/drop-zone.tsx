import type { ComponentChildren, JSX } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { texts } from '../texts.js'
import { Icon } from '../ui/icon.js'
import { AcceptedKinds } from './nothing-here.js'
import { droppedFiles } from '../uploads/dropped-files.js'
import type { FileToUpload } from '../uploads/upload.js'

export interface DropZoneProps {
  class: string
  /** The upload target, as text. */
  place: string
  onFiles: (files: FileToUpload[]) => void
  children: ComponentChildren
}

/** The main part of a page, onto which files and folders can be dropped. */
export function DropZone({ class: className, place, onFiles, children }: DropZoneProps): JSX.Element {
  const [isOver, setOver] = useState(false)
  // Entering a child fires a leave event on its parent; a counter balances the two.
  const depth = useRef(0)

  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true

  function move(event: DragEvent, by: number): void {
    if (!hasFiles(event)) return
    event.preventDefault()
    depth.current += by
    setOver(depth.current > 0)
  }

  async function drop(event: DragEvent): Promise<void> {
    if (!hasFiles(event)) return
    event.preventDefault()
    depth.current = 0
    setOver(false)
    const files = await droppedFiles(event.dataTransfer?.items ?? [])
    if (files.length > 0) onFiles(files)
  }

  return (
    <main
      id="main"
      tabIndex={-1}
      class={className}
      onDragEnter={(event) => {
        move(event, 1)
      }}
      onDragLeave={(event) => {
        move(event, -1)
      }}
      onDragOver={(event) => {
        move(event, 0)
      }}
      onDrop={(event) => {
        void drop(event)
      }}
    >
      {children}
      {isOver && (
        <div class="drop-target">
          <Icon name="upload" />
          <strong>{texts.files.drop}</strong>
          <bdi>{texts.files.dropInto(place)}</bdi>
          <AcceptedKinds />
        </div>
      )}
    </main>
  )
}
