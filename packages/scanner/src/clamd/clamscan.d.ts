declare module 'clamscan' {
  import type { Socket } from 'node:net'

  interface ClamscanOptions {
    preference?: 'clamdscan' | 'clamscan'
    clamscan?: { active?: boolean; path?: string | null }
    clamdscan?: {
      socket?: string | false
      host?: string | false
      port?: number | false
      timeout?: number
      localFallback?: boolean
      path?: string | null
      active?: boolean
      bypassTest?: boolean
    }
  }

  export default class NodeClam {
    init(options: ClamscanOptions): Promise<NodeClam>
    getVersion(): Promise<string>
    /** Not documented, but every connection of the package is created here. */
    _initSocket(label?: string): Promise<Socket>
  }
}
