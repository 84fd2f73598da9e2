// What smoke.sh asks the service, from a container. Prints one line and exits with 1 if the answer is not the
// expected one.   node smoke-client.mjs <command> [arguments]; BASE and TOKEN in the environment
import { createHash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const { BASE = 'http://127.0.0.1:3000', TOKEN = '' } = process.env
const [command, ...args] = process.argv.slice(2)
const headers = { authorization: `Bearer ${TOKEN}` }
// Put together here, so that no scanner takes this file for the test virus.
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS', '-TEST-FILE!$H+H*'].join('')

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')
const text = (size) =>
  Buffer.from(
    randomBytes(Math.ceil((size * 3) / 4))
      .toString('base64')
      .slice(0, size)
  )

async function upload(bytes, name = 'smoke.txt') {
  const form = new FormData()
  form.set('project_id', 'smoke')
  form.set('file', new Blob([bytes]), name)
  const response = await fetch(`${BASE}/api/files/upload`, { method: 'POST', headers, body: form })
  return { status: response.status, body: await response.json() }
}

async function download(id) {
  const response = await fetch(`${BASE}/api/files/${id}/download`, { headers })
  return { status: response.status, sha: sha256(Buffer.from(await response.arrayBuffer())) }
}

function expect(condition, what) {
  if (condition) return
  console.log(what)
  process.exit(1)
}

const commands = {
  /** size in MiB, count at once: prints the ids and hashes as id:sha256,… */
  async upload(megabytes, count = '1') {
    const files = await Promise.all(
      Array.from({ length: Number(count) }, async () => {
        const bytes = text(Number(megabytes) * 1024 * 1024)
        const { status, body } = await upload(bytes)
        expect(status === 201, `an upload was answered ${status} ${JSON.stringify(body)}`)
        return `${body.file.id}:${sha256(bytes)}`
      })
    )
    console.log(files.join(','))
  },

  /** Each must come back by its hash. */
  async download(list) {
    for (const file of list.split(',')) {
      const [id, sha] = file.split(':')
      const found = await download(id)
      expect(
        found.status === 200 && found.sha === sha,
        `${id} was answered ${found.status}, with other bytes`
      )
    }
    console.log(`${list.split(',').length} files`)
  },

  async eicar() {
    const { status, body } = await upload(Buffer.from(EICAR), 'eicar.txt')
    expect(status === 400, `the test virus was answered ${status} ${JSON.stringify(body)}`)
    console.log(body.error)
  },

  async refused() {
    const { status, body } = await upload(Buffer.from('hello'))
    expect(status === 503, `an upload was answered ${status} ${JSON.stringify(body)}`)
    console.log(body.error)
  },

  async ask(path, body, wanted) {
    const response = await fetch(`${BASE}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body
    })
    const answer = await response.text()
    expect(
      response.status === Number(wanted),
      `${path} was answered ${response.status} ${answer.slice(0, 200)}`
    )
    console.log(`${response.status}, X-Engine ${response.headers.get('x-engine')}`)
  },

  /** An upload that takes that many seconds. */
  async slow(seconds) {
    const pieces = Number(seconds) * 2
    const body = (async function* () {
      const boundary = 'smoke'
      const part = (name, more = '') =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
      yield Buffer.from(`${part('project_id')}smoke\r\n${part('file', '; filename="slow.txt"')}`)
      for (let piece = 0; piece < pieces; piece++) {
        yield text(1024)
        await sleep(500)
      }
      yield Buffer.from(`\r\n--${boundary}--\r\n`)
    })()
    const response = await fetch(`${BASE}/api/files/upload`, {
      method: 'POST',
      duplex: 'half',
      body,
      headers: { ...headers, 'content-type': 'multipart/form-data; boundary=smoke' }
    }).catch((error) => ({ status: `${error.cause?.code ?? error.message}` }))
    expect(response.status === 201, `the slow upload ended with ${response.status}`)
    console.log(`201 after ${seconds} s`)
  },

  /**
   * Requests per second, until standard input ends: counts the answers, then looks for every file that was
   * acknowledged.
   */
  async load(perSecond) {
    const counts = {}
    const stored = []
    const running = new Set()
    const over = new AbortController()
    let failedFrom = 0
    let failedUntil = 0
    process.stdin.resume().on('end', () => {
      over.abort()
    })
    for (let number = 0; !over.signal.aborted; number++) {
      const one = (async () => {
        const bytes = text(2_000)
        try {
          if (number % 2 === 0 || stored.length === 0) {
            const { status, body } = await upload(bytes)
            if (status === 201) stored.push(`${body.file.id}:${sha256(bytes)}`)
            return status
          }
          return (await download(stored[number % stored.length].split(':')[0])).status
        } catch (error) {
          return error.cause?.code ?? error.message
        }
      })()
      running.add(one)
      one.then((result) => {
        running.delete(one)
        counts[result] = (counts[result] ?? 0) + 1
        if (result === 200 || result === 201) return
        failedFrom ||= Date.now()
        failedUntil = Date.now()
      })
      await sleep(1_000 / Number(perSecond))
    }
    await Promise.all(running)
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const failed = all - (counts[200] ?? 0) - (counts[201] ?? 0)
    const lost = []
    for (const file of stored) {
      const [id, sha] = file.split(':')
      if ((await download(id)).sha !== sha) lost.push(id)
    }
    const share = ((100 * failed) / all).toFixed(2)
    console.log(
      `${all} requests, ${failed} failed (${share} %, over ${failedUntil - failedFrom} ms), ` +
        `${stored.length} stored, ${lost.length} lost ${JSON.stringify(counts)}`
    )
    process.exit(lost.length > 0 || failedUntil - failedFrom > 5_000 ? 1 : 0)
  },

  /** host:port that must not be reachable. */
  async unreachable(...places) {
    for (const place of places) {
      const [host, port] = place.split(':')
      const result = await new Promise((resolve) => {
        const socket = connect({ host, port: Number(port), timeout: 3_000 })
        socket
          .on('connect', () => resolve('open'))
          .on('error', () => resolve('no'))
          .on('timeout', () => resolve('no'))
      })
      expect(result === 'no', `${place} can be reached`)
    }
    console.log(places.join(' '))
    process.exit(0)
  }
}

await commands[command](...args)
