export { createInferenceHandler, type InferenceDeps, type InferenceHandler } from './inference.handler.js'
export { InferenceWorkerConfig } from './config.js'
