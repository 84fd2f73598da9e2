import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Filewright, GenerateRequest } from '@filewright/client'
import { formatBytes, partNoteSentences } from '@filewright/contracts'
import { jsonText, type Io } from '../io.js'
import type { Connection } from '../session.js'
import { printTable } from '../table.js'

export interface GenerateFlags {
  type: string
  language?: string
  framework?: string
  model?: string
  output?: string
  json?: boolean
}

/** A terminal shows the text as it is written; a file or a pipe gets only the checked result. */
export async function generate(
  io: Io,
  { client, headers }: Pick<Connection, 'client' | 'headers'>,
  words: string[],
  flags: GenerateFlags
): Promise<void> {
  const { output, json = false, ...wanted } = flags
  const prompt = words.join(' ') === '-' ? await io.readAll() : words.join(' ')
  // The service validates the options.
  const generation = client.ai.generate({ prompt, ...wanted } as GenerateRequest)
  const isShown = io.isTerminal && !json
  for await (const token of generation) if (isShown) io.note(token)
  if (isShown) io.note('\n')
  const result = await generation
  // The response names the requested model even where the sandbox answered in its place.
  const author = headers().get('x-engine') === 'sandbox' ? 'the sandbox, not a language model' : result.model
  const content = result.content.endsWith('\n') ? result.content : `${result.content}\n`
  if (output !== undefined) {
    await writeFile(resolve(io.cwd, output), content)
    if (!json) io.note(`${output}: ${formatBytes(Buffer.byteLength(content))} by ${author}\n`)
  }
  if (json) io.out(jsonText(result))
  else if (output === undefined && !(isShown && io.isOutTerminal)) io.outData(content)
}

export async function models(
  io: Io,
  client: Filewright,
  { json = false }: { json?: boolean }
): Promise<void> {
  const all = await client.ai.models()
  if (json) {
    io.out(jsonText({ models: all }))
    return
  }
  printTable(
    io,
    [
      { header: 'model' },
      { header: 'name' },
      { header: 'capabilities' },
      { header: 'context', isRight: true }
    ],
    all.map(({ id, name, capabilities, max_tokens: tokens }) => [
      id,
      name,
      capabilities.join(', '),
      `${tokens} tokens`
    ])
  )
  // An older server does not send it.
  const service = await client.service().catch(() => null)
  const note = service?.parts.find((part) => part.name === 'models')?.note
  if (note !== undefined) io.note(`${partNoteSentences[note]}\n`)
}
