/** The editor is loaded when code is first shown. */
export const loadEditor = async () => await import('./editor.js')

/** Loaded when two versions are first compared. */
export const loadDiff = async () => await import('./diff.js')

/** The nonce of this page's Content-Security-Policy. */
export function pageNonce(): string {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''
}
