import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Writable } from 'node:stream'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import type { Filewright } from '@filewright/client'
import { safeJson, safeText } from '@filewright/contracts'
import * as z from 'zod'
import { sentenceOf } from '../failure.js'
import type { Io } from '../io.js'
import { VERSION } from '../version.js'

interface ToolResult {
  content: Array<{ type: 'text'; text: string }>
  isError?: true
  [key: string]: unknown
}

/** Returns a failure as a result that the agent can read, not as a protocol error. */
async function answer(work: () => Promise<unknown>): Promise<ToolResult> {
  try {
    const value = await work()
    return {
      content: [
        { type: 'text', text: typeof value === 'string' ? value : safeJson(JSON.stringify(value, null, 2)) }
      ]
    }
  } catch (error) {
    return { content: [{ type: 'text', text: safeText(sentenceOf(error)) }], isError: true }
  }
}

/** More than an agent can use. */
const MAX_TEXT_BYTES = 1024 * 1024

const code = z.string().describe('Source code')
const language = z.string().describe('Language of the code, by name or usual alias')
const project = z.string().describe('Project id')
const id = z.string().describe('File id, as list_files gives it')

function addReadTools(server: McpServer, client: Filewright): void {
  server.registerTool(
    'analyze_code',
    {
      description:
        'Find bugs, performance, style and security issues in code. Returns findings with lines, a score and suggestions.',
      inputSchema: z.object({
        code,
        language,
        analysis_type: z.enum(['security', 'performance', 'style', 'bugs']).optional()
      }),
      annotations: { readOnlyHint: true }
    },
    async ({ analysis_type: type, ...request }) =>
      await answer(
        async () =>
          await client.ai.analyze({ ...request, ...(type === undefined ? {} : { analysis_type: type }) })
      )
  )

  server.registerTool(
    'optimize_code',
    {
      description:
        'Rewrite code to be faster, easier to read or safer. Returns the new code and a list of changes.',
      inputSchema: z.object({
        code,
        language,
        optimization_type: z.enum(['performance', 'readability', 'security']).optional()
      }),
      annotations: { readOnlyHint: true }
    },
    async ({ optimization_type: type, ...request }) =>
      await answer(
        async () =>
          await client.ai.optimize({ ...request, ...(type === undefined ? {} : { optimization_type: type }) })
      )
  )

  server.registerTool(
    'list_files',
    {
      description: 'List stored files of a project, newest first, or the projects when none is named.',
      inputSchema: z.object({
        project: project.optional(),
        folder: z.string().describe('Exactly this folder; the whole project when absent').optional(),
        search: z.string().describe('A part of the name').optional(),
        page: z.number().int().min(1).optional()
      }),
      annotations: { readOnlyHint: true }
    },
    async ({ project, folder, search, page }) =>
      await answer(async () => {
        if (project === undefined) return { projects: await client.projects() }
        return await client.files.list({
          projectId: project,
          ...(folder === undefined ? {} : { folder }),
          ...(search === undefined ? {} : { search }),
          ...(page === undefined ? {} : { page })
        })
      })
  )

  server.registerTool(
    'read_file',
    {
      description: 'Read a stored text file.',
      inputSchema: z.object({ id }),
      annotations: { readOnlyHint: true }
    },
    async ({ id }) =>
      await answer(async () => {
        const { size, type, name } = await client.files.get(id)
        if (size > MAX_TEXT_BYTES) {
          throw new Error(`${name} has ${size} bytes; at most ${MAX_TEXT_BYTES} can be read here`)
        }
        const bytes = await (await client.files.download(id)).bytes()
        try {
          return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
        } catch {
          throw new Error(`${name} is ${type} and not text`)
        }
      })
  )
}

function addWriteTools(server: McpServer, client: Filewright, io: Io): void {
  server.registerTool(
    'upload_file',
    {
      description:
        'Store a file in a project: the given text, or a local file by its path. The file is scanned for malware first.',
      inputSchema: z.object({
        project,
        name: z.string().describe('Name of the stored file'),
        folder: z.string().optional(),
        text: z.string().describe('The content').optional(),
        path: z.string().describe('Path of a local file, instead of text').optional()
      }),
      annotations: { readOnlyHint: false, destructiveHint: false }
    },
    async ({ project, name, folder, text, path }) =>
      await answer(async () => {
        if ((text === undefined) === (path === undefined)) throw new Error('Give either text or path')
        const content = text ?? (await readFile(resolve(io.cwd, path ?? '')))
        return await client.files.upload(new Blob([content]), {
          projectId: project,
          name,
          ...(folder === undefined ? {} : { folder })
        })
      })
  )

  server.registerTool(
    'delete_file',
    {
      description: 'Delete a stored file. It can be restored for some days, unless the service has no trash.',
      inputSchema: z.object({ id }),
      annotations: { readOnlyHint: false, destructiveHint: true }
    },
    async ({ id }) =>
      await answer(async () => {
        await client.files.delete(id)
        return 'File deleted'
      })
  )

  server.registerTool(
    'restore_file',
    {
      description: 'Restore a deleted file from the trash, with its id, name and folder.',
      inputSchema: z.object({ id }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true }
    },
    async ({ id }) => await answer(async () => await client.trash.restore(id))
  )

  server.registerTool(
    'move_file',
    {
      description: 'Rename a stored file, or move it to another folder of its project. Its id stays.',
      inputSchema: z.object({
        id,
        name: z.string().describe('New name').optional(),
        folder: z.string().describe('New folder, empty for the root').optional()
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true }
    },
    async ({ id, name, folder }) =>
      await answer(
        async () =>
          await client.files.change(id, {
            ...(name === undefined ? {} : { name }),
            ...(folder === undefined ? {} : { folder })
          })
      )
  )
}

/**
 * Messages are lines of JSON. Control characters are escaped, because a client may print a line to a
 * terminal.
 */
const messages = (): Writable =>
  new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _encoding, done) => {
      process.stdout.write(safeJson(String(chunk)), done)
    }
  })

/** Runs until the editor closes the pipe. */
export async function mcp(
  io: Io,
  client: Filewright,
  { allowWrite = false }: { allowWrite?: boolean }
): Promise<void> {
  serveStdio(
    () => {
      const server = new McpServer({ name: 'filewright', version: VERSION })
      addReadTools(server, client)
      if (allowWrite) addWriteTools(server, client, io)
      return server
    },
    {
      transport: new StdioServerTransport(process.stdin, messages()),
      onerror: (error) => {
        io.note(`${error.message}\n`)
      }
    }
  )
  await new Promise<void>((resolve) => {
    process.stdin.once('close', resolve)
  })
}
