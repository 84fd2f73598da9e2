export { multipartBody, type MultipartPart } from './multipart-body.js'
export { descriptor, rawZip, type RawEntry, type RawZipOptions } from './raw-zip.js'
export { paxRecord, rawTar, type RawTarEntry } from './raw-tar.js'
export { rawAr, type RawArEntry } from './raw-ar.js'
export { rawBzip2 } from './raw-bzip2.js'
export { rawCpio, type RawCpioEntry, type RawCpioOptions } from './raw-cpio.js'
export { rawRar5, type RawRar5Entry } from './raw-rar5.js'
export { rawXz, type RawXzOptions } from './raw-xz.js'
export {
  startChaosProxy,
  type Chaos,
  type ChaosProxy,
  type ChaosProxyOptions,
  type ProxyConnection
} from './chaos-proxy.js'
export { freePort } from './free-port.js'
export { startHttpRelay, type HttpRelay, type HttpRelayOptions, type RelayedRequest } from './http-relay.js'
export { fuzzParameters, type FuzzParameters } from './fuzz.js'
export { knownAnswers, responseOf, type KnownAnswer } from './known-answers.js'
export { numbersFrom, testSeed } from './seed.js'
export { cpuMsOf } from './cpu-time.js'
export { startPostgresServer, type PostgresOptions, type PostgresServer } from './postgres-server.js'
export { startPgBouncer, type PgBouncer, type PgBouncerOptions } from './pgbouncer.js'
export {
  MIGRATED,
  SHARED_SERVER,
  createMigratedDatabase,
  createTestDatabase,
  type TestDatabase
} from './test-database.js'
export {
  startClamdServer,
  type ClamdPaths,
  type ClamdServer,
  type ClamdServerOptions
} from './clamd-server.js'
export { poll, type PollOptions } from './poll.js'
export { startRedisServer, type RedisServer } from './redis-server.js'
export { startRedisCluster, type RedisCluster } from './redis-cluster.js'
export {
  startStack,
  type RunningStack,
  type RunningStackInfo,
  type StackResult,
  type StartStackOptions,
  type Teardown
} from './stack.js'
export { deployedService, SHARED_STACK, shareStack, type Service, type SharedStack } from './shared-stack.js'
export { startClamdPeer, type ClamdBehaviour, type ClamdPeer } from './peers/clamd-peer.js'
export { buckets, type Bucket } from './peers/bucket.js'
export { startGcsServer, type GcsServer, type GcsServerOptions } from './peers/gcs-server.js'
export { seedFiles } from './seed-files.js'
export { startSwiftServer, type SwiftServer } from './peers/swift-server.js'
export { startAzuriteServer, type AzuriteServer } from './peers/azurite-server.js'
export { startOllamaServer, type OllamaServerOptions } from './peers/ollama-server.js'
export { randomFault, type Fault, type FaultScript } from './peers/ollama-faults.js'
export type {
  ClosedByClient,
  LoggedRequest,
  OllamaMessage,
  OllamaRequest,
  OllamaServer
} from '@filewright/sandbox-model'
