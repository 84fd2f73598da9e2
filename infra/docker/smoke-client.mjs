// The requests of smoke.sh, here and in infra/k8s, sent from a container. Prints one line and exits with 1
// if the response is not the expected one.   node smoke-client.mjs <command> [arguments]; BASE and TOKEN
// in the environment
import { createHash, randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const { BASE = 'http://127.0.0.1:3000', TOKEN = '' } = process.env
const [command, ...args] = process.argv.slice(2)
const headers = { authorization: `Bearer ${TOKEN}` }
// Assembled here, so that no scanner mistakes this file for the test virus.
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

async function slowUpload(seconds) {
  const part = (name, more = '') => `--smoke\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  const body = (async function* () {
    yield Buffer.from(`${part('project_id')}smoke\r\n${part('file', '; filename="slow.txt"')}`)
    for (let piece = 0; piece < seconds * 2; piece++) {
      yield text(1024)
      await sleep(500)
    }
    yield Buffer.from('\r\n--smoke--\r\n')
  })()
  const response = await fetch(`${BASE}/api/files/upload`, {
    method: 'POST',
    duplex: 'half',
    body,
    headers: { ...headers, 'content-type': 'multipart/form-data; boundary=smoke' }
  })
  await response.body?.cancel()
  return response.status
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
  /** Uploads `count` files of that many MiB concurrently; prints the ids and hashes as id:sha256,… */
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

  /** Each file must be returned with its hash. */
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

  /** Checks the public path that a CDN uses: no token, the right bytes, a working ETag, ranges. */
  async cdn(file) {
    const [id, sha] = file.split(':')
    const address = `${BASE}/cdn/files/${id}`
    const whole = await fetch(address)
    const bytes = Buffer.from(await whole.arrayBuffer())
    expect(whole.status === 200 && sha256(bytes) === sha, `${address} was answered ${whole.status}`)
    const unchanged = await fetch(address, { headers: { 'if-none-match': whole.headers.get('etag') ?? '' } })
    expect(unchanged.status === 304, `with its ETag it was answered ${unchanged.status}`)
    const range = await fetch(address, { headers: { range: 'bytes=10-19' } })
    const ten = Buffer.from(await range.arrayBuffer())
    expect(range.status === 206 && ten.equals(bytes.subarray(10, 20)), `a range was answered ${range.status}`)
    console.log(`200, 304, 206, Cache-Control ${whole.headers.get('cache-control')}`)
  },

  /** Afterwards each file must be missing, from the CDN's path, too. */
  async remove(list) {
    for (const file of list.split(',')) {
      const [id] = file.split(':')
      const { status } = await fetch(`${BASE}/api/files/${id}`, { method: 'DELETE', headers })
      expect(status === 200, `the removal of ${id} was answered ${status}`)
      expect((await download(id)).status === 404, `${id} can still be downloaded`)
      expect((await fetch(`${BASE}/cdn/files/${id}`)).status === 404, `${id} is still at the CDN's path`)
    }
    console.log(`${list.split(',').length} files`)
  },

  async get(path, wanted) {
    const response = await fetch(`${BASE}${path}`, { headers: TOKEN === '' ? {} : headers })
    const body = await response.text()
    expect(
      response.status === Number(wanted),
      `${path} was answered ${response.status} ${body.slice(0, 200)}`
    )
    console.log(`${response.status} ${body.slice(0, 100)}`)
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

  /** Uploads that take that many seconds, one after the other until the input ends. None may be cut. */
  async slow(seconds) {
    const over = new AbortController()
    process.stdin.resume().on('end', () => {
      over.abort()
    })
    let count = 0
    while (!over.signal.aborted) {
      const begun = Date.now()
      try {
        const status = await slowUpload(Number(seconds))
        expect(status === 201, `an upload of ${seconds} s was answered ${status}`)
        count++
      } catch (error) {
        // A missing gateway refuses connections at once, and the client retries. Only interrupted uploads
        // count as cut.
        const refused = error.cause !== undefined && Date.now() - begun < 5_000
        expect(refused, `an upload was cut after ${Date.now() - begun} ms: ${error.cause ?? error.message}`)
        await sleep(500)
      }
    }
    console.log(`${count} uploads`)
  },

  /**
   * Requests per second, until standard input ends: counts the responses, then reads and removes every
   * acknowledged file. Fails from that percentage of failed requests on; with 0, at the first.
   */
  async load(perSecond, maxFailedPercent = '2') {
    const counts = {}
    const stored = []
    const running = new Set()
    const over = new AbortController()
    let answeredAt = Date.now()
    let longestGapMs = 0
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
      void one.then((result) => {
        running.delete(one)
        counts[result] = (counts[result] ?? 0) + 1
        if (result !== 200 && result !== 201) return
        longestGapMs = Math.max(longestGapMs, Date.now() - answeredAt)
        answeredAt = Date.now()
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
      await fetch(`${BASE}/api/files/${id}`, { method: 'DELETE', headers })
    }
    const share = (100 * failed) / all
    console.log(
      `${all} requests, ${failed} failed (${share.toFixed(2)} %), at most ${longestGapMs} ms without an answer, ` +
        `${stored.length} stored, ${lost.length} lost ${JSON.stringify(counts)}`
    )
    process.exit(lost.length > 0 || (failed > 0 && share >= Number(maxFailedPercent)) ? 1 : 0)
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
