import { SourceMap, type SourceMapPayload } from 'node:module'
import ts from 'typescript'
import type { Language } from '@filewright/contracts'
import { withNodeBudget } from '@filewright/analysis/parsing'

const optionsFor = (
  language: Language
): Pick<ts.TranspileOptions, 'fileName'> & { compilerOptions: ts.CompilerOptions } => ({
  fileName: language === 'typescript' ? 'code.ts' : language === 'tsx' ? 'code.tsx' : 'code.jsx',
  compilerOptions: {
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2022,
    jsx: ts.JsxEmit.React,
    esModuleInterop: true,
    alwaysStrict: false,
    allowJs: true
  }
})

/** Where each part of the compiled code comes from. */
export function sourceMapOf(code: string, language: Language): SourceMap | null {
  const options = optionsFor(language)
  const { sourceMapText } = ts.transpileModule(code, {
    ...options,
    compilerOptions: { ...options.compilerOptions, sourceMap: true }
  })
  return sourceMapText === undefined ? null : new SourceMap(JSON.parse(sourceMapText) as SourceMapPayload)
}

/**
 * The code as CommonJS without types and JSX, for the sandboxes. Null if it has a syntax error, or cannot be CommonJS, for
 * example because of a top-level await.
 */
export function transpile(
  code: string,
  language: Language,
  before: Array<ts.TransformerFactory<ts.SourceFile>> = []
): string | null {
  const compile = (): ts.TranspileOutput =>
    ts.transpileModule(code, { ...optionsFor(language), reportDiagnostics: true, transformers: { before } })
  try {
    const { outputText, diagnostics = [] } = withNodeBudget(code, compile)
    const isError = diagnostics.some(
      ({ category, file }) => category === ts.DiagnosticCategory.Error && file !== undefined
    )
    return isError ? null : outputText
  } catch (error) {
    // The compiler fails where it looks for the other modules of an `import x = y.z`.
    if (error instanceof TypeError) return null
    throw error
  }
}
