import type { StackSummary } from './stack.js'

/** What to read after a start. The last line is the one that scripts wait for. */
export function banner ({ options, adminUrl, token, adminPassword, parts, caveats }: StackSummary): string {
  const api = `${options.baseUrl}/api/files`
  const ai = `${options.baseUrl}/api/ai`
  const json = '-H "Content-Type: application/json"'
  const auth = '-H "Authorization: Bearer $TOKEN"'
  return [
    '',
    `  API         ${options.baseUrl}`,
    `  Token       ${token}`,
    `  Dashboard   ${adminUrl}/queues   (user admin, password ${adminPassword})`,
    `  Health      ${adminUrl}/health/ready   (metrics: /metrics)`,
    `  Data        ${options.dataDir}   (logs in logs/)`,
    '',
    ...parts.map((part) => `  ${part}`),
    ...caveats.map((caveat) => `  ! ${caveat}`),
    '',
    '  Try it:',
    `    TOKEN=${shellWord(token)}`,
    `    curl ${auth} -F project_id=demo -F file=@README.md ${api}/upload`,
    `    curl ${auth} "${api}?project_id=demo"`,
    `    curl ${auth} ${api}/<file_id>`,
    `    curl ${auth} -OJ ${api}/<file_id>/download`,
    `    curl ${auth} -X DELETE ${api}/<file_id>`,
    `    curl ${auth} ${ai}/models`,
    `    curl ${auth} ${json} -d '{"prompt":"a debounce function","type":"code","language":"typescript"}' ${ai}/generate`,
    `    curl ${auth} ${json} -d '{"code":"if (a = 1) eval(b)","language":"javascript"}' ${ai}/analyze`,
    `    curl ${auth} ${json} -d '{"code":"var a = 1","language":"javascript"}' ${ai}/optimize`,
    '',
    '  More tokens: npm run admin -- token create --name ci --project acme',
    '',
    '  Filewright is ready. Stop it with Ctrl-C.',
    ''
  ].join('\n')
}

/** An ACCESS_TOKEN may hold any visible character. */
function shellWord (text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll('\'', '\'\\\'\'')}'`
}
