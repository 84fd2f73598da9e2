export { buildApp, type AppDeps } from './app.js'
export { GatewayConfig, loadGatewayConfig } from './config.js'
