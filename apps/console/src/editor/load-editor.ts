/** The editor comes when the first piece of code is shown. */
export const loadEditor = async () => await import('./editor.js')

/** Of this page's content policy. */
export function pageNonce(): string {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''
}
