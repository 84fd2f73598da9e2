export { piecesOf, type OllamaMessage, type OllamaRequest } from './ollama-protocol.js'
export { answer, type Exchange, type Interceptor } from './ollama-reply.js'
export {
  startOllamaServer,
  type ClosedByClient,
  type LoggedRequest,
  type OllamaServer,
  type OllamaServerOptions
} from './ollama-server.js'
export { createSandboxResponder } from './sandbox-responder.js'
