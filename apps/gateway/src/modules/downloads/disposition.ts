import contentDisposition from 'content-disposition'

/** Such a name is written the same way in both parameters, and needs no escaping in either. */
const PLAIN_NAME = /^[\w.-]+$/

/**
 * Always both `filename` and `filename*`. The first is ASCII, because clients misread other bytes in headers.
 */
export function dispositionOf(name: string, type: 'inline' | 'attachment'): string {
  if (PLAIN_NAME.test(name)) return `${type}; filename="${name}"; filename*=UTF-8''${name}`
  const header = contentDisposition(name, { type, fallback: name.replace(/[^\x20-\x7e]/gu, '_') })
  if (header.includes("; filename*=UTF-8''")) return header
  return `${header}; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)}`
}
