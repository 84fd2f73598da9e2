import { ConnectionError, UnauthorizedError } from '@filewright/client'
import { exitCodes, Failure } from '../failure.js'
import { counted, jsonText, type Io } from '../io.js'
import { clientOf, saveAccount } from '../session.js'

export interface LoginFlags {
  tokenStdin?: boolean
  json?: boolean
}

const withScheme = (server: string): string => (/^[a-z]+:\/\//i.test(server) ? server : `http://${server}`)

/**
 * The token is tried before it is saved. It is never an argument, which every user on the machine could see.
 */
export async function login(
  io: Io,
  given: string | undefined,
  { tokenStdin = false, json = false }: LoginFlags
): Promise<void> {
  const server = withScheme(
    given ??
      io.env.FILEWRIGHT_URL ??
      (await io.ask('Server: ', { instead: 'name it: filewright login <server>' }))
  )
  const token = tokenStdin
    ? (await io.readAll()).trim()
    : io.env.FILEWRIGHT_TOKEN ||
      (await io.ask('Token: ', {
        hidden: true,
        instead: 'pipe the token in with --token-stdin, or set FILEWRIGHT_TOKEN'
      }))
  if (token === '') {
    throw new Failure(
      'The token is empty; an operator creates one with: npm run admin -- token create',
      exitCodes.usage
    )
  }
  const client = clientOf({ server, token }, io)
  let projects
  try {
    projects = await client.projects({ retries: 1 })
  } catch (error) {
    if (error instanceof UnauthorizedError) {
      throw new Failure(`${server} does not accept this token; nothing was saved`, exitCodes.notLoggedIn)
    }
    if (error instanceof ConnectionError) {
      throw new Failure(`${server} does not answer; check the address; nothing was saved`)
    }
    throw error
  }
  const path = await saveAccount(io, { server, token })
  if (json) io.out(jsonText({ server, projects: projects.length, saved: path }))
  else {
    io.out(
      `Logged in to ${server}; the token opens ${counted(projects.length, 'project')} so far and is saved in ${path}\n`
    )
  }
}
