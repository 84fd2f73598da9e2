// Records the README's tour of the console from a running stack, in light and dark: `npm run recording`, with the
// DATA_DIR and PORT of that stack. The result is an SVG whose pictures take turns. It needs Chromium only.
import { baseUrl, launch, openConsole, readToken, savePicture, themes } from './running-console.mjs'

const WIDTH = 1120
const HEIGHT = 680
const CAPTION = 44
const PROJECT = 'tour'
/** A prompt that the sandbox model has a tested sample for. */
const PROMPT = 'a debounce function'
/** Text in it stays sharp. */
const QUALITY = 0.75

const CODE = `import { pool } from './database.js'

export function routes (app) {
  app.get('/orders', async (request, response) => {
    const { customer } = request.query
    const sql = 'SELECT * FROM orders WHERE customer = ' + customer
    response.json(await pool.query(sql))
  })
}

export function sum (list) {
  var total = 0
  for (var i = 0; i < list.length; i++) { total += list[i] }
  return total
}
`

/** @typedef {{ caption: string, seconds: number, png: Buffer }} Frame */

/** @param {{ theme: 'light' | 'dark', browser: import('playwright-core').Browser }} options */
async function walk({ theme, browser }) {
  /** @type {Frame[]} */
  const frames = []
  const page = await openConsole(browser, { theme, width: WIDTH, height: HEIGHT })
  const shoot = async (/** @type {string} */ caption, seconds = 2.5) => {
    // Playwright would hide the caret by an inline style, which the Content-Security-Policy forbids.
    frames.push({ caption, seconds, png: await page.screenshot({ caret: 'initial', animations: 'allow' }) })
  }
  const button = (/** @type {string} */ name) => page.getByRole('button', { name, exact: true })

  await page.goto(`${baseUrl}/#/files/${PROJECT}`)
  await page.getByText('orders.js').first().waitFor()
  await shoot('Files: uploaded, scanned for malware, previewed')
  await page.getByText('orders.js').first().click()
  await page.locator('.details .cm-content').waitFor()
  await shoot('Files: uploaded, scanned for malware, previewed')

  await page.getByRole('link', { name: 'Open in Code' }).click()
  await page.locator('.code-editor .cm-content').waitFor()
  await button('Analyze').click()
  await page.locator('.findings li').first().waitFor()
  await shoot('Analyze: findings with their lines and rules')
  await page.locator('.finding-flow summary').first().click()
  await shoot('Analyze: the data flow from the source to the sink', 3)

  await page.getByRole('link', { name: 'Optimize' }).click()
  await button('Optimize').click()
  await page.locator('.code-diff .cm-content').first().waitFor()
  await page.locator('.changes li').first().waitFor()
  await shoot('Optimize: a rewrite that gives the same results', 3.5)
  await button('Discard').click()

  await page.getByRole('link', { name: 'Generate' }).click()
  await page.getByLabel('What should be written?').fill(PROMPT)
  await shoot('Generate: code from a prompt', 1.5)
  await button('Generate').click()
  await page.getByText(/^Done, /).waitFor()
  await shoot('Generate: code from a prompt', 3)
  await page.context().close()
  return frames
}

/**
 * Pictures as WebP, each cut to what differs from the picture before it.
 * @param {import('playwright-core').Browser} browser
 * @param {readonly Frame[]} frames
 */
async function compress(browser, frames) {
  const page = await browser.newPage()
  const pictures = await page.evaluate(shrink, {
    pngs: frames.map(({ png }) => png.toString('base64')),
    quality: QUALITY
  })
  await page.close()
  return pictures
}

/** Runs in the browser, which decodes and encodes pictures. @param {{ pngs: string[], quality: number }} given */
async function shrink({ pngs, quality }) {
  const { createImageBitmap, OffscreenCanvas } = globalThis
  /** @type {Uint32Array | null} */
  let before = null
  const pictures = []
  for (const png of pngs) {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob())
    const { width, height } = bitmap
    const whole = new OffscreenCanvas(width, height).getContext('2d')
    if (whole === null) throw new Error('The browser has no canvas')
    whole.drawImage(bitmap, 0, 0)
    const pixels = new Uint32Array(whole.getImageData(0, 0, width, height).data.buffer)
    let [left, top, right, bottom] = before === null ? [0, 0, width, height] : [width, height, 0, 0]
    const former = before ?? pixels
    for (let i = 0; i < pixels.length; i++) {
      if (pixels[i] === former[i]) continue
      const [x, y] = [i % width, Math.floor(i / width)]
      left = Math.min(left, x)
      right = Math.max(right, x + 1)
      top = Math.min(top, y)
      bottom = Math.max(bottom, y + 1)
    }
    before = pixels
    const [w, h] = [Math.max(1, right - left), Math.max(1, bottom - top)]
    const cut = new OffscreenCanvas(w, h)
    cut.getContext('2d')?.drawImage(bitmap, -left, -top)
    const blob = await cut.convertToBlob({ type: 'image/webp', quality })
    const bytes = new Uint8Array(await blob.arrayBuffer())
    const href = `data:image/webp;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`
    pictures.push({ x: left, y: top, width: w, height: h, href })
  }
  return pictures
}

/**
 * Each picture appears at its time and stays until the tour starts again, under those that follow.
 * @param {readonly Frame[]} frames
 * @param {Awaited<ReturnType<typeof compress>>} pictures
 * @param {'light' | 'dark'} theme
 */
function toSvg(frames, pictures, theme) {
  const [ground, text] = theme === 'light' ? ['#f6f7f9', '#1a1d26'] : ['#0f1116', '#e8eaf0']
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0)
  const percent = (/** @type {number} */ seconds) => `${((100 * seconds) / total).toFixed(2)}%`
  let start = 0
  const shown = frames.map(({ caption, seconds }, index) => {
    const [from, to] = [percent(start), percent(start + seconds)]
    start += seconds
    const { x, y, width, height, href } = /** @type {typeof pictures[number]} */ (pictures[index])
    const hidden = index === 0 ? '' : `0%{opacity:0}`
    return {
      style: `@keyframes p${index}{${hidden}${from}{opacity:1}}@keyframes c${index}{${hidden}${from}{opacity:1}${to}{opacity:0}}
#p${index}{animation-name:p${index}}#c${index}{animation-name:c${index}}`,
      picture: `<image id="p${index}" x="${x}" y="${y}" width="${width}" height="${height}" href="${href}"/>`,
      caption: `<text id="c${index}" x="${WIDTH / 2}" y="${HEIGHT + 28}">${caption}</text>`
    }
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT + CAPTION}" width="${WIDTH}" height="${HEIGHT + CAPTION}">
<title>A tour of the console: files, analyze, optimize and generate</title>
<style>
image,text{animation:${total}s step-end infinite}
text{font:600 16px system-ui,sans-serif;text-anchor:middle;fill:${text}}
${shown.map(({ style }) => style).join('\n')}
@media (prefers-reduced-motion:reduce){image,text{animation:none}text:not(:last-of-type){display:none}}
</style>
<rect width="100%" height="100%" fill="${ground}"/>
${shown.map(({ picture }) => picture).join('\n')}
${shown.map(({ caption }) => caption).join('\n')}
</svg>
`
}

async function uploadExample() {
  const headers = { authorization: `Bearer ${await readToken()}` }
  const query = new URLSearchParams({ project_id: PROJECT, search: 'orders.js' })
  const list = await (await fetch(`${baseUrl}/api/files?${query}`, { headers })).json()
  if (list.files.length > 0) return
  const body = new FormData()
  body.append('project_id', PROJECT)
  body.append('file', new Blob([CODE]), 'orders.js')
  const response = await fetch(`${baseUrl}/api/files/upload`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`The example could not be uploaded: ${await response.text()}`)
}

await uploadExample()
const browser = await launch()
try {
  for (const theme of themes) {
    const frames = await walk({ theme, browser })
    await savePicture(`tour-${theme}.svg`, toSvg(frames, await compress(browser, frames), theme))
  }
} finally {
  await browser.close()
}
