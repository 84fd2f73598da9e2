/** The rules of the analyzers. The bundler makes this module from packages/analysis. */
declare module 'filewright:rules' {
  export const rules: ReadonlyArray<import('./rules-page.js').Rule>
}
