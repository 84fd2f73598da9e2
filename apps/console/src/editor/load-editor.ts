/** The editor is loaded when code is first shown. */
export const loadEditor = async () => await import('./editor.js')

/** The nonce of this page's Content-Security-Policy. */
export function pageNonce(): string {
  return document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? ''
}
