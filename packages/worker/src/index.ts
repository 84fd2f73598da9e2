export { workerConfig, type WorkerConfig } from './config.js'
export { startWorker, type Worker, type WorkerContext, type WorkerParts } from './start-worker.js'
