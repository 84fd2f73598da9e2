import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { texts } from '../texts.js'
import { Icon } from '../ui/icon.js'
import { chosenFiles } from '../uploads/dropped-files.js'
import type { FileToUpload } from '../uploads/upload.js'

/** Missing in the type definitions; browsers support it. */
const wholeFolder = { webkitdirectory: true }

export function UploadButtons({ onFiles }: { onFiles: (files: FileToUpload[]) => void }): JSX.Element {
  const files = useRef<HTMLInputElement>(null)
  const folder = useRef<HTMLInputElement>(null)

  function take(input: HTMLInputElement): void {
    const chosen = chosenFiles(input.files ?? [])
    // Allows choosing the same files again.
    input.value = ''
    if (chosen.length > 0) onFiles(chosen)
  }

  return (
    <>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        aria-label={texts.files.upload}
        onChange={(event) => {
          take(event.currentTarget)
        }}
      />
      <input
        ref={folder}
        type="file"
        multiple
        hidden
        {...wholeFolder}
        aria-label={texts.files.uploadFolder}
        onChange={(event) => {
          take(event.currentTarget)
        }}
      />
      <button type="button" class="primary" onClick={() => files.current?.click()}>
        <Icon name="upload" />
        {texts.files.upload}
      </button>
      <button type="button" onClick={() => folder.current?.click()}>
        <Icon name="folder" />
        {texts.files.uploadFolder}
      </button>
    </>
  )
}
