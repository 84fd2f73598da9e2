/** Types that @types/node does not have. */
export interface WasmInstance {
  exports: Record<string, unknown>
}

interface WebAssemblyApi {
  compile: (bytes: Uint8Array) => Promise<object>
  Instance: new (module: object, imports: object) => WasmInstance
}

export const webAssembly = (globalThis as unknown as { WebAssembly: WebAssemblyApi }).WebAssembly
