// A fake Ollama for smoke.sh, so that generate is tested without gigabytes of models. Every response is the
// same sample.
import { createServer } from 'node:http'

const MODELS = ['MODEL_ALPHA_4O_MINI', 'MODEL_ALPHA_4O', 'MODEL_BETA_3', 'MODEL_GAMMA', 'MODEL_FALLBACK']
const models = MODELS.flatMap((name) => process.env[name] ?? []).map((name) => ({ name, model: name }))
const SAMPLE = '```js\nexport const answer = 42\n```\n'

createServer((request, response) => {
  request.resume().on('end', () => {
    if (request.url === '/api/version') return response.end(JSON.stringify({ version: '0.0.0-sandbox' }))
    if (request.url === '/api/tags') return response.end(JSON.stringify({ models }))
    if (request.url !== '/api/chat') return response.writeHead(404).end()
    const line = { model: 'sample', created_at: new Date().toISOString(), sandbox: true }
    response.write(
      `${JSON.stringify({ ...line, message: { role: 'assistant', content: SAMPLE }, done: false })}\n`
    )
    const counts = { done_reason: 'stop', prompt_eval_count: 1, eval_count: 1 }
    response.end(
      `${JSON.stringify({ ...line, ...counts, message: { role: 'assistant', content: '' }, done: true })}\n`
    )
  })
}).listen(11434)
