import type { ComponentChildren, JSX } from 'preact'
import { lexer, type Token, type Tokens } from 'marked'

/** Deeper nesting is shown as text. */
const MAX_DEPTH = 40

/** Only these are followed; a relative link leads nowhere, because the file has no place on the web. */
export function safeAddress(href: string): string | null {
  if (!URL.canParse(href)) return null
  return ['http:', 'https:', 'mailto:'].includes(new URL(href).protocol) ? href : null
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: '\u00a0' }

const decoded = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (all, name: string) => ENTITIES[name] ?? all)

/**
 * Markdown as elements of the page. No HTML of the file becomes an element, and nothing is loaded: an image is
 * a link to it. So there is nothing to sanitize.
 */
export function MarkdownView({ text }: { text: string }): JSX.Element {
  let tokens: Token[]
  try {
    tokens = lexer(text)
  } catch {
    // Nested too deeply for the parser.
    return <pre class="markdown">{text}</pre>
  }
  return <div class="markdown">{render(tokens, 0)}</div>
}

function render(tokens: readonly Token[] | undefined, depth: number): ComponentChildren {
  if (tokens === undefined) return null
  if (depth > MAX_DEPTH) return tokens.map(({ raw }) => raw).join('')
  return tokens.map((token, i) => <Part key={i} token={token as Tokens.Generic} depth={depth + 1} />)
}

function Part({ token, depth }: { token: Tokens.Generic; depth: number }): JSX.Element | null {
  const inner = (): ComponentChildren => render(token.tokens, depth)
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading': {
      // The page's own headings are above.
      const Heading = `h${Math.min(6, (token.depth as number) + 2)}` as 'h3'
      return <Heading>{inner()}</Heading>
    }
    case 'paragraph':
      return <p>{inner()}</p>
    case 'strong':
      return <strong>{inner()}</strong>
    case 'em':
      return <em>{inner()}</em>
    case 'del':
      return <del>{inner()}</del>
    case 'br':
      return <br />
    case 'hr':
      return <hr />
    case 'codespan':
      return <code>{token.text}</code>
    case 'code':
      // Scrolls, so the keyboard must reach it.
      return (
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{inner()}</blockquote>
    case 'list':
      return <List list={token as Tokens.List} depth={depth} />
    case 'table':
      return <Table table={token as Tokens.Table} depth={depth} />
    case 'link':
      return <Link href={token.href as string}>{inner()}</Link>
    case 'image':
      return <Link href={token.href as string}>{token.text === '' ? token.href : token.text}</Link>
    default:
      // Text, escapes and HTML, which is shown as it is written.
      return <>{token.tokens === undefined ? decoded(String(token.text ?? token.raw)) : inner()}</>
  }
}

function Link({ href, children }: { href: string; children: ComponentChildren }): JSX.Element {
  const address = safeAddress(href)
  if (address === null) return <>{children}</>
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

function List({ list, depth }: { list: Tokens.List; depth: number }): JSX.Element {
  const items = list.items.map((item, i) => (
    <li key={i}>
      {item.task && (item.checked === true ? '☑ ' : '☐ ')}
      {render(
        item.tokens.filter(({ type }) => type !== 'checkbox'),
        depth
      )}
    </li>
  ))
  return list.ordered ? <ol start={list.start === '' ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>
}

function Table({ table, depth }: { table: Tokens.Table; depth: number }): JSX.Element {
  return (
    <table class="plain-table">
      <thead>
        <tr>
          {table.header.map((cell, i) => (
            <th key={i} scope="col">
              {render(cell.tokens, depth)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, i) => (
          <tr key={i}>
            {row.map((cell, j) => (
              <td key={j}>{render(cell.tokens, depth)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
