import type { StackSummary } from './stack.js'

/** Printed after a start. Scripts wait for the last line. */
export function banner({ options, adminUrl, token, adminPassword, services, caveats }: StackSummary): string {
  const api = `${options.baseUrl}/api/files`
  const ai = `${options.baseUrl}/api/ai`
  const json = '-H "Content-Type: application/json"'
  const auth = '-H "Authorization: Bearer $TOKEN"'
  return [
    '',
    // The URL fragment never leaves the browser.
    ...(options.hasConsole ? [`  Console     ${options.baseUrl}/#token=${encodeURIComponent(token)}`] : []),
    `  API         ${options.baseUrl}`,
    `  Token       ${token}`,
    `  Reference   ${options.baseUrl}/docs`,
    `  Dashboard   ${adminUrl}/queues   (user admin, password ${adminPassword})`,
    `  Health      ${adminUrl}/health/ready   (metrics: /metrics)`,
    `  Data        ${options.dataDir}   (logs in logs/)`,
    '',
    ...services.map((service) => `  ${service}`),
    ...caveats.map((caveat) => `  ! ${caveat}`),
    '',
    '  Try it:',
    `    TOKEN=${shellWord(token)}`,
    `    curl ${auth} -F project_id=demo -F file=@README.md ${api}/upload`,
    `    curl ${auth} "${api}?project_id=demo"`,
    `    ID=$(curl -s ${auth} "${api}?project_id=demo" | node -p 'JSON.parse(require("fs").readFileSync(0)).files[0].id')`,
    `    curl ${auth} ${api}/$ID`,
    `    curl ${auth} -o copy.md ${api}/$ID/download`,
    `    curl ${auth} -X DELETE ${api}/$ID`,
    `    curl ${auth} ${ai}/models`,
    `    curl ${auth} ${json} -d '{"prompt":"a debounce function","type":"code","language":"typescript"}' ${ai}/generate`,
    `    curl ${auth} ${json} -d '{"code":"if (a = 1) eval(b)","language":"javascript"}' ${ai}/analyze`,
    `    curl ${auth} ${json} -d '{"code":"export function first (list) { var a = list[0]; return a }","language":"javascript"}' ${ai}/optimize`,
    '',
    '  More tokens: npm run admin -- token create --name ci --project acme',
    '',
    '  Filewright is ready. Stop it with Ctrl-C.',
    ''
  ].join('\n')
}

/** An ACCESS_TOKEN may contain any visible character. */
function shellWord(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
