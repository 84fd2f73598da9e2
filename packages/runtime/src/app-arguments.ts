import { join } from 'node:path'

/** A build of the apps: the shipped one, the same with failpoints, or the compiled files, for coverage. */
export type AppBuild = 'bundle' | 'failpoints' | 'src'

/**
 * Prisma's query and schema compilers are large WebAssembly modules. V8's optimizing compiler takes seconds
 * of a core for them at startup and hardly makes them faster. 7-Zip, in the scan worker, does benefit.
 */
export const UNOPTIMIZED_WASM = '--liftoff-only'

export interface App {
  /** Options of V8. */
  flags: readonly string[]
  /** Whether it runs permanently. The others are commands. */
  isService: boolean
  /** The queue whose jobs it processes. */
  queue?: string
}

/**
 * Every app that has an image. `infra/tooling/test/deploy/apps.test.ts` compares the files for containers,
 * bundles and alerts with this table.
 */
export const APPS = {
  gateway: { flags: [UNOPTIMIZED_WASM], isService: true },
  admin: { flags: [UNOPTIMIZED_WASM], isService: false },
  'scan-worker': { flags: [], isService: true, queue: 'scan' },
  'inference-worker': { flags: [], isService: true, queue: 'inference' },
  'delivery-worker': { flags: [], isService: true, queue: 'delivery' }
} as const satisfies Record<string, App>

export type AppName = keyof typeof APPS

export const appNames = Object.keys(APPS) as AppName[]
export const serviceNames = appNames.filter((name) => APPS[name].isService)

/**
 * The arguments of Node to start an app of the checkout at `root`: V8's flags and the file. Images use the
 * same.
 */
export function appArguments(root: string, app: AppName, build: AppBuild = 'bundle'): string[] {
  return [...APPS[app].flags, join(root, 'apps', app, 'dist', build, 'main.js')]
}
