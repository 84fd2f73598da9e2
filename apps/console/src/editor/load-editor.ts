/** What the editor is made of. Loaded one by one, or a phone could do nothing else for a fifth of a second. */
const parts = [
  async () => await import('@codemirror/state'),
  async () => await import('@codemirror/view'),
  async () => await import('@codemirror/language')
]

/** Lets the browser paint and handle input. */
export async function nextTask(): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve)
  })
}

/** The editor is loaded when code is first shown. */
export async function loadEditor(): Promise<typeof import('./editor.js')> {
  for (const load of parts) {
    await load()
    await nextTask()
  }
  const editor = await import('./editor.js')
  await nextTask()
  return editor
}

/** Loaded when two versions are first compared. */
export const loadDiff = async () => await import('./diff.js')

/** The nonce of this page's Content-Security-Policy. */
export function pageNonce(): string {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''
}
