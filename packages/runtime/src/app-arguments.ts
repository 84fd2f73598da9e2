import { join } from 'node:path'

export type AppName = 'gateway' | 'admin' | 'scan-worker' | 'inference-worker'

/** A build of the apps: what is shipped, the same with failpoints, or the compiled files, for coverage. */
export type AppBuild = 'bundle' | 'failpoints' | 'src'

/**
 * Prisma's compilers of queries and of schemas are large WebAssembly modules. V8's optimizing compiler takes
 * seconds of a core for them, while the process is young and its first callers wait, and they are hardly
 * faster for it. 7-Zip, in the scan worker, is.
 */
export const UNOPTIMIZED_WASM = '--liftoff-only'

const FLAGS: Record<AppName, readonly string[]> = {
  gateway: [UNOPTIMIZED_WASM],
  admin: [UNOPTIMIZED_WASM],
  'scan-worker': [],
  'inference-worker': []
}

/**
 * What Node is given to start an app of the checkout at `root`: V8's flags and the file. Images do the same.
 */
export function appArguments(root: string, app: AppName, build: AppBuild = 'bundle'): string[] {
  return [...FLAGS[app], join(root, 'apps', app, 'dist', build, 'main.js')]
}
