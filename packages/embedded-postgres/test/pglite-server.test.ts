import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import pg from 'pg'
import { startPglite } from '../src/index.js'

// PostgreSQL in WebAssembly starts in a second, or in many when the machine is busy.
t.setTimeout(600_000)

const server = await startPglite()
t.teardown(server.stop)

async function openClient(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  return client
}

t.test('ten concurrent connections with parameterized queries each get their own results', async (t) => {
  const clients = await Promise.all(Array.from({ length: 10 }, openClient))

  const wrong = await Promise.all(
    clients.map(async (client, number) => {
      let count = 0
      for (let round = 0; round < 20; round++) {
        // Two shapes, so that a mixed-up statement is noticed.
        const { rows } =
          number % 2 === 0
            ? await client.query('SELECT $1::int AS answer', [number])
            : await client.query("SELECT 'n' || $1::text AS answer, $2::int AS round", [
                String(number),
                round
              ])
        if (rows[0].answer !== (number % 2 === 0 ? number : `n${number}`)) count++
      }
      return count
    })
  )
  await Promise.all(clients.map(async (client) => await client.end()))

  t.strictSame(
    wrong,
    clients.map(() => 0)
  )
})

t.test('a client that disconnects in the middle of a query does not affect the others', async (t) => {
  const other = await openClient()
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(message('', Buffer.concat([int32(196_608), text('user'), text('postgres'), text('')])))
  await once(socket, 'data')
  // A statement that fails, without a Sync after it: from here on the session ignores everything except a
  // Sync.
  socket.write(message('P', Buffer.concat([text(''), text('SELECT nonsense FROM nowhere'), Buffer.alloc(2)])))
  await once(socket, 'data')
  socket.destroy()

  const { rows } = await other.query('SELECT $1::int AS answer', [7])
  await other.end()

  t.strictSame(rows, [{ answer: 7 }])
})

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`)
}

function message(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}
