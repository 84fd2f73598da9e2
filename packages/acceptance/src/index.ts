export { accessibilityProblems } from './axe.js'
export { findChromium, NO_CHROMIUM } from './browser.js'
export {
  chooseFiles,
  clickSignOut,
  dropFiles,
  launchBrowser,
  openConsole,
  signOut,
  writeCode,
  type ConsolePage,
  type FileToDrop
} from './console-page.js'
export { lookAt, looks, testConsole, type ConsoleTest } from './console-test.js'
export { createClient, sha256, uniqueText, type Client, type Reply, type UploadOptions } from './client.js'
export { eicar, elf, png, tarGz, zip } from './samples.js'
export { admin } from './admin-cli.js'
export {
  createAiClient,
  defaultModels,
  type AiClient,
  type AiEvent,
  type AiPath,
  type EventReply
} from './ai-client.js'
export { redisMb, residentMb } from './process-memory.js'
export { inFlight } from './in-flight.js'
export { parsePrometheus, type MetricFamily, type Sample } from './prometheus.js'
export { startTraceCollector, type TraceCollector } from './trace-collector.js'
export { startWebhookReceiver, type ReceivedDelivery, type WebhookReceiver } from './webhook-receiver.js'
