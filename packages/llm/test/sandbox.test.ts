import t from 'tap'
import { generationTypes } from '@filewright/contracts'
import { createSandboxResponder } from '@filewright/sandbox-model'
import {
  analyzePrompt,
  extractCodeBlock,
  extractContent,
  generatePrompt,
  optimizePrompt,
  parseModelFindings,
  repairPrompt,
  type Prompt
} from '../src/index.js'

const languages = [
  'javascript',
  'typescript',
  'python',
  'go',
  'java',
  'rust',
  'sql',
  'bash',
  'css',
  'html',
  'php',
  'ruby',
  'c',
  'cpp',
  'csharp'
]
const respond = createSandboxResponder()

function ask({ messages, format }: Prompt): string {
  return respond({
    model: 'sandbox',
    messages,
    stream: true,
    options: {},
    ...(format === undefined ? {} : { format })
  })
}

for (const language of languages) {
  t.test(`the sandbox understands our prompts for ${language} and identifies itself`, async (t) => {
    for (const type of generationTypes.filter((type) => type !== 'content')) {
      const { code } = extractCodeBlock(ask(generatePrompt({ prompt: 'x', type, language })), language)
      t.match(code, /sandbox/i, type)
      t.ok(code.split('\n').length > 3, `${type} is a program`)
    }
    const { code, fence } = extractCodeBlock(
      ask(generatePrompt({ prompt: 'x', type: 'code', language })),
      language
    )
    t.equal(fence, language)
    t.equal(
      extractCodeBlock(
        ask(
          repairPrompt({
            prompt: 'x',
            type: 'code',
            language,
            code: 'bad',
            error: { line: 1, message: 'bad' }
          })
        ),
        language
      ).code,
      code
    )
    t.equal(
      extractCodeBlock(ask(optimizePrompt({ code, language })), language).code,
      code,
      'and gives code back unchanged'
    )
    t.strictSame(parseModelFindings(ask(analyzePrompt({ code, language })), code), {
      findings: [],
      dropped: 0,
      usable: true
    })
  })
}

const shapes: Array<[framework: string, fence: string, sign: RegExp]> = [
  ['react', 'tsx', /useState/],
  ['vue', 'vue', /<template>/],
  ['nextjs', 'tsx', /export default async function Page/],
  ['Next.js', 'tsx', /Page/],
  ['svelte', 'svelte', /\$state/]
]

const apis: typeof shapes = [
  ['express', 'typescript', /express\(\)/],
  ['fastify', 'typescript', /Fastify\(/],
  ['fastapi', 'python', /FastAPI\(\)/],
  ['flask', 'python', /Flask\(/],
  ['Spring Boot', 'java', /@RestController/],
  ['net/http', 'go', /http\.NewServeMux/],
  ['nextjs', 'typescript', /export async function GET/]
]

for (const [type, [framework, fence, sign]] of [
  ...shapes.map((shape) => ['component', shape] as const),
  ...apis.map((shape) => ['api', shape] as const)
]) {
  t.test(`the sandbox returns code for ${framework} of type ${type}`, async (t) => {
    const block = extractCodeBlock(ask(generatePrompt({ prompt: 'x', type, framework })))
    t.equal(block.fence, fence)
    t.match(block.code, sign)
    t.match(block.code, /sandbox/i)
  })
}

t.test('a framework of another language does not override the language', async (t) => {
  t.equal(
    extractCodeBlock(ask(generatePrompt({ prompt: 'x', type: 'code', language: 'go', framework: 'react' })))
      .fence,
    'go'
  )
  t.equal(
    extractCodeBlock(ask(generatePrompt({ prompt: 'x', type: 'api', language: 'js', framework: 'fastapi' })))
      .fence,
    'javascript'
  )
})

t.test('aliases are understood, and an unknown language still gets an honest response', async (t) => {
  for (const [alias, fence] of [
    ['py', 'python'],
    ['golang', 'go'],
    ['c++', 'cpp'],
    ['C#', 'csharp'],
    ['sh', 'bash']
  ] as const) {
    t.equal(
      extractCodeBlock(ask(generatePrompt({ prompt: 'x', type: 'code', language: alias }))).fence,
      fence
    )
  }
  t.match(
    extractCodeBlock(ask(generatePrompt({ prompt: 'x', type: 'code', language: 'befunge' }))).code,
    /sandbox/i
  )
  t.match(
    extractCodeBlock(ask(generatePrompt({ prompt: 'x', type: 'code', language: 'constructor' }))).code,
    /sandbox/i
  )
})

t.test('content is Markdown and not a program', async (t) => {
  t.match(extractContent(ask(generatePrompt({ prompt: 'x', type: 'content' }))), /^# .*sandbox/s)
})

t.test('code with its own fences is returned unchanged', async (t) => {
  const code = 'const a = `\n```js\nf()\n```\n`'
  t.equal(extractCodeBlock(ask(optimizePrompt({ code, language: 'javascript' })), 'javascript').code, code)
})

t.test("the sandbox's only finding is true and passes verification", async (t) => {
  const code = `a\n${'b'.repeat(200)}\n`
  t.match(parseModelFindings(ask(analyzePrompt({ code, language: 'js' })), code).findings, [
    { line: 2, category: 'style', message: /200 characters.*sandbox/ }
  ])
  t.strictSame(parseModelFindings(ask(analyzePrompt({ code, language: 'js', types: ['bugs'] })), code), {
    findings: [],
    dropped: 0,
    usable: true
  })
})
