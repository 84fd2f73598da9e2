/** A build that is deliberately broken in one place. The row for that promise must detect it. */
export interface Mutation {
  name: string
  /** Compiled file, from the root. */
  file: string
  find: string
  replace: string
  /** Part of the name of the row whose quick profile must fail. */
  row: string
}

export const mutations: readonly Mutation[] = [
  {
    name: 'a clamd reply without a verdict counts as clean',
    file: 'packages/scanner/dist/src/clamd/reply.js',
    find: 'if (signature === undefined)',
    replace: "if (signature === undefined) return { verdict: 'clean' };\n    if (signature === undefined)",
    row: 'clamd answers'
  },
  {
    name: 'no verdict in time counts as clean',
    file: 'apps/gateway/dist/src/modules/files/upload.service.js',
    find: "throw new AppError('SCAN_UNAVAILABLE', `no verdict on",
    replace:
      "return { verdict: 'clean', engine: 'none' };\n            throw new AppError('SCAN_UNAVAILABLE', `no verdict on",
    row: 'Redis frozen'
  },
  {
    name: 'an infected file is published',
    file: 'apps/gateway/dist/src/modules/files/upload.service.js',
    find: "if (result.verdict !== 'clean')",
    replace: "if (result.verdict === 'unscannable')",
    row: 'kill -9 clamd'
  },
  {
    name: 'the worker does not compare hashes',
    file: 'packages/scanner/dist/src/clamd/clamd-scanner.js',
    find: 'if (actual !== sha256)',
    replace: 'if (false)',
    row: 'byte flipped'
  },
  {
    name: 'a verdict without a seal is believed',
    file: 'packages/domain/dist/src/request-verdict.js',
    find: 'if (await isGenuine(asked, result, known))',
    replace: 'if (true)',
    row: 'forged-jobs'
  },
  {
    name: 'a download is not verified',
    file: 'apps/gateway/dist/src/modules/downloads/byte-check.js',
    find: "if (hash !== undefined && hash.digest('hex') !== sha256)",
    replace: 'if (false)',
    row: 'byte flipped'
  },
  {
    name: 'a delete removes the bytes first and the row last',
    file: 'apps/gateway/dist/src/modules/files/files.service.js',
    find: 'if (!(await files.markTrashed(file.id)))',
    replace: 'await blobs.remove(file.blobKey);\n            if (!(await files.markTrashed(file.id)))',
    row: 'delete against'
  },
  {
    name: 'no fsync before the link',
    file: 'packages/blob-store/dist/src/local/local-write.js',
    find: "await onDisk('fsync', makeDurable(handle));",
    replace: '',
    row: 'disk full'
  },
  {
    name: 'a waiter does not poll',
    file: 'packages/queue/dist/src/queue-client.js',
    find: 'function tick() {',
    replace: 'function tick() {\n        return;',
    row: 'kill and wipe Redis'
  },
  {
    name: 'the sweeper never abandons an upload',
    file: 'apps/gateway/dist/src/sweeper/sweeper.js',
    find: 'async function abandonExpired() {',
    replace: 'async function abandonExpired() {\n        return 0;',
    row: 'kill -9 gateway'
  },
  {
    name: 'temporary files are not swept',
    file: 'packages/blob-store/dist/src/local/local-blob-store.js',
    find: 'sweepTemporary: async ({ olderThan }) => {',
    replace: 'sweepTemporary: async ({ olderThan }) => {\n            return 0;',
    row: 'kill -9 gateway'
  },
  {
    name: 'an Idempotency-Key is ignored',
    file: 'apps/gateway/dist/src/modules/files/upload.service.js',
    find: 'const key = given === undefined',
    replace: 'const key = true',
    row: 'kill -9 gateway'
  },
  {
    name: 'the job of a dead worker is lost',
    file: 'packages/queue/dist/src/worker-host.js',
    find: 'const MAX_STALLED = 3;',
    replace: 'const MAX_STALLED = 0;',
    row: 'kill -9 scan-worker'
  },
  {
    name: 'a scan worker takes jobs while its clamd is down',
    file: 'apps/scan-worker/dist/src/compose.js',
    find: 'pauseWhileDown: true',
    replace: 'pauseWhileDown: false',
    row: 'seven scan workers'
  },
  {
    name: 'a worker stops trying to reach Redis',
    file: 'packages/queue/dist/src/connections.js',
    find: 'retryStrategy: (times) => ',
    replace: 'retryStrategy: (times) => times > 8 ? null : ',
    row: 'Redis down'
  },
  {
    name: 'a gateway that stops drops what is under way',
    file: 'packages/runtime/dist/src/shutdown.js',
    find: 'await step.run();',
    replace: '',
    row: 'rolling restart'
  },
  {
    name: 'a silent model is waited for without a limit',
    file: 'packages/llm/dist/src/transport/call.js',
    find: 'const fail = (error) => {\n        controller.abort(error);\n    };',
    replace: 'const fail = () => {};',
    row: 'Ollama'
  },
  {
    name: 'an event counts as delivered before it is sent',
    file: 'apps/gateway/dist/src/relay/event-relay.js',
    find: 'result = await request(claimed, claim, bodyOf(claimed.event));',
    replace:
      'await record(claimed, claim, { status: 204, durationMs: 0, error: null, response: null });\n                result = await request(claimed, claim, bodyOf(claimed.event));',
    row: 'events:'
  },
  {
    name: 'a list is read by page numbers',
    file: 'packages/client/dist/src/files.js',
    find: 'yield* walk(transport, pathAfter, filesAnswer, { ...ofCall, accept: DETAILS });',
    replace:
      "for (let at = 1;; at++) {\n                const found = await transport.request('GET', listPath({ ...list, page: at }), filesAnswer, { ...ofCall, accept: DETAILS });\n                yield* found.files;\n                if (found.files.length < found.pagination.limit) return;\n            }",
    row: 'sync'
  },
  {
    name: 'sync deletes here what the server has by now',
    file: 'apps/cli/dist/src/sync/down.js',
    find: 'if ((await storedNow(client, remote, judged.path)).length > 0)',
    replace: 'if (false)',
    row: 'sync'
  },
  {
    name: 'sync deletes there what is here by now',
    file: 'apps/cli/dist/src/sync/up.js',
    find: 'if (await existsLocally(tree, path))',
    replace: 'if (false)',
    row: 'sync'
  },
  {
    name: 'sync deletes a version that it has not seen',
    file: 'apps/cli/dist/src/sync/up.js',
    find: 'if (versions.some(({ id }) => !seen.has(id)))',
    replace: 'if (false)',
    row: 'sync'
  },
  {
    name: 'sync does not notice that a file was edited',
    file: 'apps/cli/dist/src/sync/local-changes.js',
    find: 'if (now === null || !isSame(now, judged))',
    replace: 'if (true)\n        return true;\n    if (now === null || !isSame(now, judged))',
    row: 'sync'
  },
  {
    name: 'sync puts a file over one that has appeared',
    file: 'apps/cli/dist/src/sync/local-changes.js',
    find: 'await link(draft, target);',
    replace: 'await rename(draft, target);\n        return;',
    row: 'sync'
  }
]
