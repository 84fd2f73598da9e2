import { SANDBOX_NOTE } from './code-samples.js'

export interface FrameworkSample {
  /** Info string of the fence, per language where it differs. */
  fence: string
  code: string
}

const reactTyped = `// ${SANDBOX_NOTE}
import { useState } from 'react'

export interface CounterProps {
  label: string
  start?: number
}

export function Counter ({ label, start = 0 }: CounterProps) {
  const [count, setCount] = useState(start)
  return (
    <button type='button' onClick={() => setCount((current) => current + 1)}>
      {label}: {count}
    </button>
  )
}`

const reactPlain = `// ${SANDBOX_NOTE}
import { useState } from 'react'

export function Counter ({ label, start = 0 }) {
  const [count, setCount] = useState(start)
  return (
    <button type='button' onClick={() => setCount((current) => current + 1)}>
      {label}: {count}
    </button>
  )
}`

const vue = (typed: boolean): string => `<!-- ${SANDBOX_NOTE} -->
<script setup${typed ? ' lang="ts"' : ''}>
import { ref } from 'vue'

const props = ${typed ? 'defineProps<{ label: string }>()' : 'defineProps({ label: { type: String, required: true } })'}
const count = ref(0)
</script>

<template>
  <button type="button" @click="count++">{{ props.label }}: {{ count }}</button>
</template>`

const pageProps = `export interface PageProps {
  params: Promise<{ slug: string }>
}

`

const nextjs = (typed: boolean): string => `// ${SANDBOX_NOTE}
${typed ? pageProps : ''}export default async function Page ({ params }${typed ? ': PageProps' : ''}) {
  const { slug } = await params
  return (
    <main>
      <h1>{slug}</h1>
    </main>
  )
}`

const nextjsRoute = (typed: boolean): string => `// ${SANDBOX_NOTE}
export async function GET (request${typed ? ': Request' : ''})${typed ? ': Promise<Response>' : ''} {
  const name = new URL(request.url).searchParams.get('name')
  if (name === null) return Response.json({ error: 'name is required' }, { status: 400 })
  return Response.json({ greeting: \`Hello, \${name}\` })
}`

const express = (typed: boolean): string => `// ${SANDBOX_NOTE}
import express${typed ? ', { type Request, type Response }' : ''} from 'express'

export const app = express()
app.use(express.json({ limit: '100kb' }))

app.get('/items/:id', (request${typed ? ': Request' : ''}, response${typed ? ': Response' : ''}) => {
  const id = Number(request.params.id)
  if (!Number.isSafeInteger(id)) {
    response.status(400).json({ error: 'id must be a whole number' })
    return
  }
  response.json({ id })
})`

const fastapi = `# ${SANDBOX_NOTE}
from fastapi import FastAPI, HTTPException
from pydantic import BaseModel


class Item(BaseModel):
    name: str
    price: float


app = FastAPI()
items: dict[int, Item] = {}


@app.get("/items/{item_id}")
def read_item(item_id: int) -> Item:
    item = items.get(item_id)
    if item is None:
        raise HTTPException(status_code=404, detail="Item not found")
    return item`

/** A sample for a framework; undefined for one without a sample or of another language. */
export function frameworkSample(
  framework: string,
  language: string,
  task: string
): FrameworkSample | undefined {
  const name = framework.toLowerCase().replace(/[^a-z]/g, '')
  const languages = name === 'fastapi' ? ['python'] : ['javascript', 'typescript']
  if (language !== '' && !languages.includes(language)) return undefined
  const typed = language !== 'javascript'
  switch (name) {
    case 'react':
    case 'reactjs':
      return typed ? { fence: 'tsx', code: reactTyped } : { fence: 'jsx', code: reactPlain }
    case 'vue':
    case 'vuejs':
      return { fence: 'vue', code: vue(typed) }
    case 'next':
    case 'nextjs':
      return task === 'api'
        ? { fence: typed ? 'ts' : 'js', code: nextjsRoute(typed) }
        : { fence: typed ? 'tsx' : 'jsx', code: nextjs(typed) }
    case 'express':
    case 'expressjs':
      return { fence: typed ? 'ts' : 'js', code: express(typed) }
    case 'fastapi':
      return { fence: 'python', code: fastapi }
    default:
      return undefined
  }
}
