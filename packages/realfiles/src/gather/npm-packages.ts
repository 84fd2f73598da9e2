import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { shell } from '../shell.js'
import { filesBelow, sampleOf } from './folder.js'
import type { Source } from './source.js'
import { wordsOf } from '../words.js'

const PACKAGES = wordsOf(`
  react vue svelte @angular/core lodash express axios moment three d3 chart.js jquery bootstrap
  tailwindcss next webpack vite rollup typescript eslint prettier jest mocha rxjs redux core-js
  @babel/core pdfjs-dist xlsx jspdf sharp jimp mathjax katex highlight.js ace-builds monaco-editor
  font-awesome material-icons flag-icons leaflet ol cesium node-gyp npm
`)

/** Tarballs of popular packages, as the registry gives them. */
export const npmSource: Source = {
  name: 'npm pack',
  kinds: ['archive'],
  quick: false,
  gather: async ({ cacheFolder, say, skipped }) => {
    const folder = join(cacheFolder, 'npm')
    await mkdir(folder, { recursive: true })
    const present = await filesBelow(folder)
    if (present.length === 0) {
      say(`Downloading ${PACKAGES.length} packages from npm…`)
      for (const name of PACKAGES) {
        await shell(`npm pack --silent --pack-destination . ${name}`, { folder }).catch((error: unknown) => {
          skipped.push(`npm pack ${name}: ${String(error)}`)
        })
      }
    }
    return (await filesBelow(folder)).map((path) => sampleOf(path, 'npm pack'))
  }
}
