import ts from 'typescript'
import type { Language } from '@filewright/contracts'
import { withNodeBudget } from '@filewright/analysis/parsing'

/**
 * The code as CommonJS without types and JSX, for the sandboxes. Null if it has a syntax error, or cannot be CommonJS, for
 * example because of a top-level await.
 */
export function transpile(
  code: string,
  language: Language,
  before: Array<ts.TransformerFactory<ts.SourceFile>> = []
): string | null {
  const { outputText, diagnostics = [] } = withNodeBudget(code, () =>
    ts.transpileModule(code, {
      fileName: language === 'typescript' ? 'code.ts' : language === 'tsx' ? 'code.tsx' : 'code.jsx',
      reportDiagnostics: true,
      transformers: { before },
      compilerOptions: {
        module: ts.ModuleKind.CommonJS,
        target: ts.ScriptTarget.ES2022,
        jsx: ts.JsxEmit.React,
        esModuleInterop: true,
        alwaysStrict: false,
        allowJs: true
      }
    })
  )
  const isError = diagnostics.some(
    ({ category, file }) => category === ts.DiagnosticCategory.Error && file !== undefined
  )
  return isError ? null : outputText
}
