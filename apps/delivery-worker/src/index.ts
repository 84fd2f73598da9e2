export { createDeliveryHandler, type DeliveryDeps } from './delivery.handler.js'
export { DeliveryWorkerConfig } from './config.js'
