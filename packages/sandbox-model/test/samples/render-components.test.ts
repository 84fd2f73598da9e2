import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transformSync } from 'esbuild'
import t from 'tap'
import { chooseSample, topics } from '../../src/index.js'
import { phrasings } from '../helpers/phrasings.js'

const require = createRequire(import.meta.url)
/** It comes with tap; the project itself does not use it. */
const hasReact = ((): boolean => {
  try {
    return require.resolve('react-dom/server') !== ''
  } catch {
    return false
  }
})()
const nothing = (): void => undefined

/** For each component its name, properties and a sign of its markup. */
const checks: Readonly<Record<string, readonly [name: string, props: object, sign: RegExp]>> = {
  counter: ['Counter', { label: 'Clicks', start: 2 }, /Clicks.*2/],
  button: ['Button', { isBusy: true, children: 'Save' }, /aria-busy="true".*Please wait/],
  modal: ['Modal', { title: 'Sure?', isOpen: false, onClose: nothing, children: 'x' }, /<dialog.*Sure\?/],
  'sortable-table': [
    'SortableTable',
    {
      caption: 'People',
      columns: [{ title: 'Age', valueOf: ({ age }: { age: number }) => age }],
      rows: [{ age: 30 }, { age: 4 }],
      keyOf: ({ age }: { age: number }) => String(age)
    },
    /aria-sort="ascending".*<td>4<\/td>.*<td>30<\/td>/
  ],
  form: ['SignUpForm', { onSubmit: nothing }, /<label for="email">.*type="password"/],
  dropdown: [
    'Dropdown',
    { label: 'More', options: [{ value: 'a', text: 'A' }], onChoose: nothing },
    /aria-expanded="false".*hidden/
  ],
  tabs: [
    'Tabs',
    {
      label: 'T',
      tabs: [
        { title: 'One', content: '1' },
        { title: 'Two', content: '2' }
      ]
    },
    /aria-selected="true".*hidden/
  ],
  pagination: [
    'Pagination',
    { page: 5, pages: 9, onPage: nothing },
    />1<.*….*aria-current="page">5<.*….*>9</
  ],
  toast: ['Toast', { message: 'Saved', onDismiss: nothing }, /role="status".*Saved/],
  'search-box': ['SearchBox', { label: 'Find', onSearch: nothing }, /role="search".*type="search"/],
  navbar: [
    'Navbar',
    { brand: 'B', links: [{ href: '/a', text: 'A' }], currentHref: '/a' },
    /aria-current="page">A/
  ],
  card: ['Card', { title: 'T', href: '/x', children: 'text' }, /<article.*<a href="\/x">T<\/a>.*text/],
  'todo-list': ['TodoList', { title: 'Mine' }, /Mine.*New item.*Add/],
  accordion: [
    'Accordion',
    { name: 'n', sections: [{ title: 'Q', content: 'A' }] },
    /<details.*<summary>Q<\/summary>A/
  ]
}

const modules = join(t.testdir(), 'components')
mkdirSync(modules)

for (const language of ['javascript', 'typescript']) {
  t.test(`every React component in ${language} renders`, { skip: !hasReact && 'no react-dom' }, async (t) => {
    const { renderToStaticMarkup } = require('react-dom/server') as {
      renderToStaticMarkup: (it: unknown) => string
    }
    const react = pathToFileURL(require.resolve('react')).href
    const { createElement } = require('react') as { createElement: (type: unknown, props: object) => unknown }
    const components = topics
      .filter(({ kind, id }) => kind === 'component' && id !== 'page')
      .map(({ id }) => id)
    t.strictSame(Object.keys(checks), components)
    for (const [id, [name, props, sign]] of Object.entries(checks)) {
      const [prompt = ''] = phrasings[id] ?? []
      const { text } = chooseSample({ prompt, kind: 'component', language, framework: '' })
      const { code } = transformSync(text, {
        loader: 'tsx',
        jsx: 'transform',
        banner: "import React from 'react'"
      })
      const path = join(modules, `${id}-${language}.mjs`)
      writeFileSync(path, code.replaceAll(/(["'])react\1/g, JSON.stringify(react)))
      const exports = (await import(pathToFileURL(path).href)) as Record<string, unknown>
      t.match(renderToStaticMarkup(createElement(exports[name], props)), sign, id)
    }
  })
}
