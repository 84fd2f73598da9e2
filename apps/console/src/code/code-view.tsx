import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { languageOf } from '../editor/workspace-language.js'
import { useSession } from '../console-context.js'
import { codeTabs, formatRoute, type CodeRoute } from '../routes.js'
import { texts } from '../texts.js'
import { ConfirmDialog } from '../ui/confirm-dialog.js'
import { NARROW, useMedia } from '../ui/use-media.js'
import { useTitle } from '../ui/use-title.js'
import { AnalyzePanel } from './analyze-panel.js'
import { CodeDiff } from './code-diff.js'
import { CodeEditor } from './code-editor.js'
import { codeTexts } from './code-texts.js'
import { CodeToolbar } from './code-toolbar.js'
import type { Editor } from '../editor/editor.js'
import { GeneratePanel, type Compared } from './generate-panel.js'
import { LostDrafts } from './lost-drafts.js'
import { OptimizePanel } from './optimize-panel.js'
import { useOpenedFile } from './use-opened-file.js'

export function CodeView({ route }: { route: CodeRoute }): JSX.Element {
  const { workspace } = useSession()
  const { problem, isQuestion, isOpening, answer } = useOpenedFile(route)
  const name = workspace.name.value || texts.code.untitled
  useTitle([
    workspace.isDirty.value ? `${name} (${texts.code.unsaved})` : workspace.name.value,
    texts.code.tabs[route.tab],
    texts.code.title
  ])
  const [isWriting, setWriting] = useState(false)
  const [chosenLayout, setLayout] = useState<'beside' | 'unified' | null>(null)
  const [compared, setCompared] = useState<Compared | null>(null)
  const isNarrow = useMedia(NARROW)
  const isSideBySide = chosenLayout === null ? !isNarrow : chosenLayout === 'beside'
  const editor = useRef<Editor | null>(null)
  const codeSection = useRef<HTMLElement>(null)
  const rewrite = workspace.rewrite.value
  const { file, tab } = route

  // On narrow screens the panel is below the code, and the result appears above the button.
  useEffect(() => {
    if (isWriting || rewrite !== null) codeSection.current?.scrollIntoView({ block: 'start' })
  }, [isWriting, rewrite])

  const diff =
    tab === 'optimize' && rewrite !== null
      ? { before: rewrite.before, after: rewrite.optimized_code, labels: codeTexts.optimize.versions }
      : tab === 'generate' && compared !== null
        ? { before: compared.text, after: workspace.text.value, labels: compared.labels }
        : null
  return (
    <main id="main" tabIndex={-1} class="code-page">
      <h1 class="visually-hidden">{texts.code.title}</h1>
      <section ref={codeSection} class="code-main" aria-label={texts.code.editor}>
        <CodeToolbar workspace={workspace} isWriting={isWriting} />
        <LostDrafts />
        {problem !== '' && (
          <p class="problem banner" role="alert">
            {problem}
          </p>
        )}
        {diff !== null ? (
          <CodeDiff {...diff} language={languageOf(workspace).value} isSideBySide={isSideBySide} />
        ) : (
          <CodeEditor
            workspace={workspace}
            isReadOnly={isWriting}
            isOpening={isOpening}
            onReady={(made) => {
              editor.current = made
            }}
          />
        )}
      </section>
      <aside class="code-side" aria-label={texts.code.tabs[tab]}>
        <nav class="tabs" aria-label={texts.code.tabList}>
          {codeTabs.map((name) => (
            <a
              key={name}
              href={formatRoute({ view: 'code', tab: name, file })}
              aria-current={name === tab ? 'page' : undefined}
            >
              {texts.code.tabs[name]}
            </a>
          ))}
        </nav>
        <div class="panel">
          {tab === 'generate' && (
            <GeneratePanel
              workspace={workspace}
              onWriting={setWriting}
              compared={compared}
              onCompare={setCompared}
            />
          )}
          {tab === 'analyze' && (
            <AnalyzePanel
              workspace={workspace}
              onLine={(line) => {
                editor.current?.goToLine(line)
              }}
            />
          )}
          {tab === 'optimize' && (
            <OptimizePanel
              workspace={workspace}
              isSideBySide={isSideBySide}
              onLayout={(isBeside) => {
                setLayout(isBeside ? 'beside' : 'unified')
              }}
            />
          )}
        </div>
      </aside>
      {isQuestion && (
        <ConfirmDialog
          title={texts.code.discardTitle(name)}
          confirm={texts.code.discard}
          cancel={texts.code.keepEditing}
          onConfirm={() => {
            answer(true)
          }}
          onClose={() => {
            answer(false)
          }}
        >
          {texts.code.discardLead}
        </ConfirmDialog>
      )}
    </main>
  )
}
